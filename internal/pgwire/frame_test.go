package pgwire

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"pgregory.net/rapid"
)

// Messages arrive whole however the bytes were split, and a wait that was interrupted in the middle of one loses nothing:
// a COPY that is cancelled must not lose its place.
func TestFramesInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sent []string
		var wire []byte
		for range rapid.IntRange(1, 8).Draw(t, "messages") {
			text := rapid.StringN(0, 40, -1).Draw(t, "text")
			sent = append(sent, text)
			wire, _ = (&pgproto3.CopyData{Data: []byte(text)}).Encode(wire)
		}
		f := frames{in: newInbox(), limit: func(byte) (int, bool) { return 60, false }}
		stopped, stop := context.WithCancelCause(context.Background())
		stop(errCanceled)
		for _, text := range sent {
			m, err := frame{}, errCanceled
			for err == errCanceled {
				if m, err = f.next(stopped, 0); err != errCanceled {
					break
				}
				n := min(len(wire), rapid.IntRange(1, 7).Draw(t, "piece"))
				f.in.put(wire[:n], nil)
				wire = wire[n:]
			}
			switch {
			case err != nil:
				t.Fatal(err)
			case m.cut != (len(text) > 60) || m.size != len(text):
				t.Fatalf("%d bytes, cut %v, of %q", m.size, m.cut, text)
			case !m.cut && string(m.body) != text:
				t.Fatalf("got %q, want %q", m.body, text)
			}
		}
	})
}

func TestFramesPatience(t *testing.T) {
	f := frames{in: newInbox(), limit: func(byte) (int, bool) { return 60, false }}
	if _, err := f.next(context.Background(), time.Nanosecond); err != errPatience {
		t.Fatal(err)
	}
	f.in.put([]byte{'d', 0, 0, 0, 5, 'x'}, errors.New("reset"))
	if m, err := f.next(context.Background(), 0); err != nil || string(m.body) != "x" {
		t.Fatalf("what came before the end is lost: %v %v", m, err)
	}
	if _, err := f.next(context.Background(), 0); err != errClientGone {
		t.Fatal(err)
	}
}

// The reader waits when the connection takes nothing, so that a client can not fill the memory.
func TestInboxIsBounded(t *testing.T) {
	in := newInbox()
	ended := make(chan struct{})
	go func() {
		in.fill(endless{}, func() {})
		close(ended)
	}()
	waitFor(t, func() bool {
		signal(in.wanted)
		in.mu.Lock()
		defer in.mu.Unlock()
		return len(in.mu.pending) >= inboxBytes
	})
	b, err := in.take(nil)
	if err != nil || len(b) > inboxBytes+readBytes {
		t.Fatalf("%d bytes were read ahead, error %v", len(b), err)
	}
	close(in.done)
	<-ended
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
