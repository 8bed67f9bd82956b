package actor

import (
	"errors"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// fake is an operator that tells what was done with it.
type fake struct {
	stream.NoWatermark
	log  []string
	work int // slices that are left
	fail func() error
}

func (f *fake) did(what string) error {
	f.log = append(f.log, what)
	if f.fail != nil {
		return f.fail()
	}
	return nil
}

func (f *fake) Recover() error                                 { return f.did("recover") }
func (f *fake) Chunk(int, *chunk.Chunk, stream.Out) error      { return f.did("chunk") }
func (f *fake) Barrier(b stream.Barrier, out stream.Out) error { return f.did("barrier") }
func (f *fake) Report() any                                    { return len(f.log) }
func (f *fake) take() (log []string)                           { log, f.log = f.log, nil; return log }

func (f *fake) Work(int, stream.Out) (bool, error) {
	f.work--
	return f.work > 0, f.did("work")
}

// start makes a loop around one operator with one more input beside Control.
func start(f *fake, d Driver) (*Loop, *Inbox) {
	in := NewInbox(2, QueueRows)
	a := New(Config{Nodes: []Node{{Op: f, Parent: -1}}, Inputs: []Input{{Active: true}, {}}})
	return NewLoop(a, in, d), in
}

func barrier(prev epoch.Epoch) Msg {
	return Msg{Barrier: &stream.Barrier{Pair: epoch.Pair{Prev: prev, Curr: prev + 1}}}
}

// turns runs the loop until it is idle or has ended, and returns what happened to the operator.
func turns(t *testing.T, l *Loop, f *fake, end Turned) []string {
	t.Helper()
	for {
		turned, err := l.Turn(0)
		if err != nil {
			t.Fatal(err)
		}
		if turned != Moved {
			if turned != end {
				t.Errorf("the loop came to %d, not %d", turned, end)
			}
			return f.take()
		}
	}
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%v happened, not %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%v happened, not %v", got, want)
		}
	}
}

func TestLoopOrder(t *testing.T) {
	f := &fake{work: 2}
	var acked []epoch.Epoch
	l, in := start(f, Driver{Ack: func(b *stream.Barrier, _ []any) { acked = append(acked, b.Prev) }})
	expect(t, turns(t, l, f, Idle), "recover", "work", "work")

	// What can be read goes before work, and a barrier makes the loop look for work again.
	f.work = 1
	in.Send(Control, Msg{Chunk: &chunk.Chunk{}})
	in.Send(Control, barrier(1))
	expect(t, turns(t, l, f, Idle), "chunk", "barrier", "work")
	if len(acked) != 1 || acked[0] != 1 {
		t.Errorf("acknowledged %v", acked)
	}

	// An input that is not active is left alone.
	in.Send(1, Msg{Chunk: &chunk.Chunk{}})
	expect(t, turns(t, l, f, Idle))

	// Wake makes it look once, and only once.
	in.Wake()
	expect(t, turns(t, l, f, Idle), "work")
	expect(t, turns(t, l, f, Idle))

	in.Close()
	expect(t, turns(t, l, f, Ended))
}

// A slice that is not granted is not done, and the loop asks again.
func TestLoopWaitsForGrant(t *testing.T) {
	f := &fake{work: 1}
	granted := 0
	l, _ := start(f, Driver{Grant: func(int) (int, time.Duration) { return granted, time.Hour }})
	expect(t, turns(t, l, f, Idle), "recover")
	granted = 5
	expect(t, turns(t, l, f, Idle), "work")
}

// A failure or a panic of an operator ends the loop with an error; being stopped in the middle is none.
func TestLoopFailures(t *testing.T) {
	failure := errors.New("no")
	for _, c := range []struct {
		name string
		fail func() error
		ok   bool
	}{
		{"error", func() error { return failure }, false},
		{"panic", func() error { panic("no") }, false},
		{"stopped", func() error { return stream.ErrStopped }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{fail: c.fail}
			l, in := start(f, Driver{})
			if _, err := l.Turn(0); (err == nil) != c.ok {
				t.Errorf("Turn: %v", err)
			}
			in.Close()
			l, _ = start(f, Driver{})
			if err := l.Run(); (err == nil) != c.ok {
				t.Errorf("Run: %v", err)
			}
		})
	}
}

// A sender waits while the input is full, until the reader has taken something.
func TestInboxIsBounded(t *testing.T) {
	in := NewInbox(1, QueueRows)
	full := Msg{Chunk: chunk.New(nil, nil, QueueRows)}
	in.Send(0, full)
	if barrier := (Msg{Barrier: &stream.Barrier{}}); !in.Full(0, full) || in.Full(0, barrier) {
		t.Error("a chunk has to wait, a barrier has not")
	}
	sent := make(chan bool)
	go func() { sent <- in.Send(0, full) }()
	select {
	case <-sent:
		t.Fatal("the second message was taken at once")
	default:
	}
	turn := 0
	if _, _, found := in.next(func(int) bool { return true }, &turn, false, 0); found != gotMessage {
		t.Fatal("nothing to read")
	}
	if !<-sent {
		t.Error("the sender was sent away")
	}
	go func() { sent <- in.Send(0, full) }()
	in.Close()
	if <-sent {
		t.Error("a closed inbox took a message")
	}
}

// holder is an operator that holds what it is given until the barrier.
type holder struct {
	stream.NoWatermark
	rows int
	kept int // bytes, for the next epoch
}

func (h *holder) Chunk(_ int, c *chunk.Chunk, _ stream.Out) error { h.rows += c.Rows(); return nil }
func (h *holder) Barrier(stream.Barrier, stream.Out) error        { h.rows = 0; return nil }
func (h *holder) Pending() int                                    { return 10*h.rows + h.kept }
func (h *holder) Shrink()                                         { h.kept = 0 }

// What operators hold of an epoch is counted as it grows, and given back at the barrier; what they keep for the next one
// only when memory is short.
func TestActorCountsWhatItsOperatorsHold(t *testing.T) {
	account := mem.New("job", 0)
	a := New(Config{Nodes: []Node{{Op: &holder{}, Parent: 1}, {Op: &holder{}, Parent: -1}}, Memory: account,
		Inputs: []Input{{Node: 1, Active: true}, {Node: 0}}, Stage: func(epoch.Epoch) error { return nil }})
	for input, want := range []int64{30, 60} {
		if _, err := a.Step(input, Msg{Chunk: chunk.New(nil, nil, 3)}); err != nil || account.Used() != want {
			t.Fatalf("%d bytes are counted, want %d (%v)", account.Used(), want, err)
		}
	}
	for _, limit := range []int64{0, 100} {
		account.SetLimit(limit)
		a.Nodes[0].Op.(*holder).kept = 100
		want := 100 - limit
		if done, err := a.Step(Control, barrier(1+epoch.Epoch(limit))); done == nil || err != nil || account.Used() != want {
			t.Errorf("limit %d: %v, %v, %d bytes are left, want %d", limit, done, err, account.Used(), want)
		}
	}
}

// A busy input does not keep an actor from its work: there is a slice between any two barriers, and one between many other
// messages. No message waits for a slice that is not granted.
func TestLoopWorksBetweenMessages(t *testing.T) {
	f := &fake{work: 100}
	grant := workBudget
	l, in := start(f, Driver{Ack: func(*stream.Barrier, []any) {}, Grant: func(int) (int, time.Duration) { return grant, time.Hour }})
	if _, err := l.Turn(0); err != nil {
		t.Fatal(err)
	}
	next := func(n int) []string {
		t.Helper()
		for range n {
			if _, err := l.Turn(0); err != nil {
				t.Fatal(err)
			}
		}
		return f.take()
	}
	next(0)
	in.Send(Control, barrier(1))
	in.Send(Control, barrier(2))
	expect(t, next(2), "work", "barrier", "work", "barrier")
	for range messagesPerSlice + 1 {
		in.Send(Control, Msg{Chunk: &chunk.Chunk{}})
	}
	in.Send(Control, barrier(3))
	log := next(messagesPerSlice + 2)
	if log[messagesPerSlice] != "work" || log[len(log)-1] != "barrier" || len(log) != messagesPerSlice+3 {
		t.Errorf("%v", log)
	}
	grant = 0
	in.Send(Control, barrier(4))
	expect(t, next(1), "barrier")
}
