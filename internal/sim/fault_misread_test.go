package sim

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/stream/op"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// misread are the faults of who takes a position, a half of an update, or what is not there for something else.
var misread = []planted{
	{"a re-pin takes keys below the cursor for those up to it", snapshots(func(_ *backfill.CatchUp, s backfill.Snapshot) backfill.Snapshot { return below{s} })},
	{"ranges that were scanned wait for those that were not", slowly(snapshots(func(c *backfill.CatchUp, s backfill.Snapshot) backfill.Snapshot { return waiting{s, c} }))},
	{"the scan goes on in the snapshot of before the re-pin", pins(func(c *backfill.CatchUp) backfill.Pins { return &old{Pins: c.Pins} })},
	{"the halves of an update share one decision", fault{actor: shareDecisions}},
	{"a lost changelog is taken for an empty one", fault{store: func(s kv.Store) kv.Store { return unaware{s} }}},
	{"rows arrive behind the barrier that they belong before", fault{actor: lagBehind}},
	{"recovery forgets that results were held back", grouped(slowly(aggregations(func(h *op.HashAgg) stream.Operator { return forgetting{h} })))},
}

// slowly plants a fault among views whose first scans take many steps.
func slowly(f fault) fault {
	f.world = func(w *world) {
		w.data, w.options.ScanStep = datas[len(datas)-1], 1
		w.taste.arranged, w.taste.slow = 0, sharesOf
	}
	return f
}

// grouped plants a fault among aggregations.
func grouped(f fault) fault {
	other := f.world
	f.world = func(w *world) {
		other(w)
		w.taste.queries = slices.DeleteFunc(slices.Clone(queries), func(q string) bool { return !strings.Contains(q, "GROUP BY") })
	}
	return f
}

// below leaves the row at the cursor out of a re-pin.
type below struct{ backfill.Snapshot }

func (s below) Changes(v vnode.ID, from, to epoch.Epoch, upTo []byte, emit func(*chunk.Chunk) error) error {
	if n := len(upTo); n > 0 && upTo[n-1] > 0 {
		upTo = append(bytes.Clone(upTo), bytes.Repeat([]byte{0xff}, n)...) // the last keys before
		upTo[n-1]--
	}
	return s.Snapshot.Changes(v, from, to, upTo, emit)
}

// waiting replays nothing for ranges that were scanned while another one is being scanned.
type waiting struct {
	backfill.Snapshot
	c *backfill.CatchUp
}

func (s waiting) Changes(v vnode.ID, from, to epoch.Epoch, upTo []byte, emit func(*chunk.Chunk) error) error {
	if s.c.Report().(backfill.Status).Phase < backfill.Replaying && upTo == nil {
		return nil
	}
	return s.Snapshot.Changes(v, from, to, upTo, emit)
}

// old gives the first snapshot to scans for ever.
type old struct {
	backfill.Pins
	first backfill.Snapshot
}

func (p *old) At(e epoch.Epoch) (backfill.Snapshot, bool) {
	s, ok := p.Pins.At(e)
	if !ok {
		return nil, false
	}
	if p.first == nil {
		p.first = s
	}
	return stuck{s, p.first}, true
}

type stuck struct {
	backfill.Snapshot
	first backfill.Snapshot
}

func (s stuck) Scan(v vnode.ID, after []byte, rowsMax int) (*chunk.Chunk, []byte, bool, error) {
	return s.first.Scan(v, after, rowsMax)
}

// shareDecisions lets filters decide on both halves of an update by the new row.
func shareDecisions(a *actor.Actor) {
	for i, n := range a.Nodes {
		if f, ok := n.Op.(*op.Filter); ok {
			a.Nodes[i].Op = sharing{f}
		}
	}
}

type sharing struct{ *op.Filter }

func (s sharing) Chunk(port int, c *chunk.Chunk, out stream.Out) error {
	for i := 0; i < c.Rows(); i++ {
		rows := []int32{int32(i)}
		if i+1 < c.Rows() && c.Op(i) == chunk.Delete && c.Op(i+1) == chunk.Insert && c.Cols[0].Datum(i) == c.Cols[0].Datum(i+1) {
			i++
			rows = append(rows, int32(i))
		}
		passed := passing{Out: out}
		if err := s.Filter.Chunk(port, c.Gather(rows[len(rows)-1:]), &passed); err != nil {
			return err
		}
		if passed.any {
			if err := out.Chunk(c.Gather(rows)); err != nil {
				return err
			}
		}
	}
	return nil
}

// passing notes whether a row comes through.
type passing struct {
	stream.Out
	any bool
}

func (p *passing) Chunk(*chunk.Chunk) error { p.any = true; return nil }

// unaware says of a changelog that is gone that nothing happened.
type unaware struct{ kv.Store }

func (s unaware) View() kv.View { return unawareView{s.Store.View()} }

type unawareView struct{ kv.View }

func (v unawareView) Log(t id.Table, n uint16, from, to epoch.Epoch) (kv.LogIterator, error) {
	it, err := v.View.Log(t, n, from, to)
	if errors.Is(err, kv.ErrLogGone) {
		return v.View.Log(t, n, to, to)
	}
	return it, err
}

// lagBehind lets the last rows before a barrier overtake nothing: they come after it.
func lagBehind(a *actor.Actor) {
	for _, o := range a.Outputs {
		for i, send := range o.Send {
			var late *actor.Msg
			o.Send[i] = func(m actor.Msg) bool {
				if m.Chunk != nil && late == nil {
					late = &m
					return true
				}
				sent := send(m)
				if late != nil && m.Barrier != nil {
					sent = send(*late) && sent
					late = nil
				}
				return sent
			}
		}
	}
}

// forgetting recovers as if every result had been emitted.
type forgetting struct{ *op.HashAgg }

func (f forgetting) Recover() error {
	unread := f.Unread
	f.Unread = false
	defer func() { f.Unread = unread }()
	return f.HashAgg.Recover()
}

// misstored are the faults of who writes to the store, and who reads it after a crash.
var misstored = []planted{
	{"a table that is dropped stays", fault{store: func(s kv.Store) kv.Store { return staying{s} }}},
	{"a status is left out of a commit", fault{store: func(s kv.Store) kv.Store { return statusless{s} }}},
	{"a changelog lacks the rows of one range", fault{store: func(s kv.Store) kv.Store { return gappy{s} }}},
}

// staying keeps some of the tables that are dropped.
type staying struct{ kv.Store }

func (s staying) DropTables(tables []id.Table) error {
	return s.Store.DropTables(tables[:len(tables)/2])
}

// statusless leaves out of every other commit where a job stands.
type statusless struct{ kv.Store }

func (s statusless) Commit(c kv.Commit) (kv.CommitStats, error) {
	if c.Epoch%2 == 0 {
		status := append([]byte{kv.SpaceMeta}, "status/"...)
		c.Meta = slices.DeleteFunc(slices.Clone(c.Meta), func(w kv.Write) bool { return bytes.HasPrefix(w.Key, status) })
	}
	return s.Store.Commit(c)
}

// gappy has no changelog of the first range of tables that are spread.
type gappy struct{ kv.Store }

func (s gappy) View() kv.View { return gappyView{s.Store.View()} }

type gappyView struct{ kv.View }

func (v gappyView) Log(t id.Table, n uint16, from, to epoch.Epoch) (kv.LogIterator, error) {
	if n == 1 {
		from = to
	}
	return v.View.Log(t, n, from, to)
}
