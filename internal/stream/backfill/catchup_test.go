package backfill

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// TestCatchUp runs the scripts of testdata/catchup. The upstream has rows (k, v), k such as a3: the letter is the vnode,
// a or b, and the order of the keys that of the text.
//
//	upstream epoch=5      + or - rows that become visible in an epoch
//	start [live] [as-of]  a new operator that recovers; arranges: it reads while its job is attached, visible=5: from now on;
//	                      skips: without history
//	turn wait | come      other inputs are scanned first, or no longer
//	pin epoch=5           the driver holds a view of the epoch
//	work budget=2         one slice
//	barrier prev=9 [replay=5] [attach]
//	live                  rows that the upstream sends
//	ended                 how many ranges the others were told are scanned
//	crash                 loses what was not staged by a barrier
//	records               what is staged
//	sum                   what was emitted up to the last barrier, added up
func TestCatchUp(t *testing.T) {
	datadriven.Walk(t, "testdata/catchup", func(t *testing.T, path string) {
		w := &world{history: map[epoch.Epoch]*chunk.Chunk{}, staged: map[vnode.ID][]byte{}, kept: map[string]int{}, jobID: 3}
		for v := range vnode.ID(2) {
			w.staged[v] = (&Record{}).Encode()
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			out, err := w.command(t, d)
			if err != nil {
				out += "error: " + err.Error() + "\n"
			}
			return out
		})
	})
}

var columns = []types.T{types.Text, types.Int4}

// world is an upstream, the operator, and what survives it.
type world struct {
	jobID   id.Job
	history map[epoch.Epoch]*chunk.Chunk
	pinned  epoch.Epoch
	op      *CatchUp
	staged  map[vnode.ID][]byte // records as of the last barrier
	fresh   map[vnode.ID][]byte // written since
	kept    map[string]int      // rows emitted up to the last barrier
	emitted map[string]int      // since
	waits   bool                // for other inputs
	scanned atomic.Uint64
	ended   int // ranges whose scan has ended, as told
	told    strings.Builder
}

func (w *world) command(t *testing.T, d *datadriven.TestData) (string, error) {
	var e, budget, replay, asOf, visible int
	for name, dst := range map[string]*int{"epoch": &e, "prev": &e, "budget": &budget, "replay": &replay, "as-of": &asOf, "visible": &visible} {
		d.MaybeScanArgs(t, name, dst)
	}
	w.told.Reset()
	switch d.Cmd {
	case "upstream", "live":
		c, err := chunk.Parse(columns, d.Input)
		if err != nil {
			return "", err
		}
		if d.Cmd == "live" {
			err = w.op.Chunk(0, c, w)
			return w.told.String(), err
		}
		w.history[epoch.Epoch(e)] = c
	case "start":
		w.fresh, w.emitted, w.ended = map[vnode.ID][]byte{}, map[string]int{}, 0
		w.scanned.Store(0)
		arranges := d.HasArg("arranges")
		c := Config{Job: w.jobID, Owned: []vnode.ID{0, 1}, Pins: w, Progress: w, Order: w, Live: d.HasArg("live"), AsOf: epoch.Epoch(asOf), Scanned: &w.scanned,
			Check: Standing{Job: w.jobID, Created: asOf > 0 && w.finished() && !arranges, Arranges: arranges, AsOf: 1 << 40, Visible: 1 << 40}}
		if arranges {
			c.Arrangement = &Arrangement{Places: w, Cols: []int{0, 1}, Skips: d.HasArg("skips"), Attached: visible > 0, Visible: epoch.Epoch(visible)}
		}
		w.op = New(c)
		return "", w.op.Recover()
	case "pin":
		w.pinned = epoch.Epoch(e)
	case "work":
		more, err := w.op.Work(budget, w)
		fmt.Fprintf(&w.told, "more=%v holding=%v\n", more, w.op.Holding())
		return w.told.String(), err
	case "barrier":
		b := stream.Barrier{Pair: epoch.Pair{Prev: epoch.Epoch(e), Curr: epoch.Epoch(e + 1)}}
		if replay > 0 {
			b.Mutations = append(b.Mutations, stream.Replay{Until: epoch.Epoch(replay)})
		}
		if d.HasArg("attach") {
			b.Mutations = append(b.Mutations, stream.Attach{Jobs: []id.Job{w.jobID}})
		}
		err := w.op.Barrier(b, w)
		w.stage()
		s := w.op.Report().(Status)
		fmt.Fprintf(&w.told, "%s as_of=%d rows=%d replayed=%d holding=%v\n", s.Phase, s.AsOf, w.scanned.Load(), s.Replayed, w.op.Holding())
		return w.told.String(), err
	case "turn":
		w.waits = d.HasArg("wait")
	case "ended":
		return fmt.Sprintln(w.ended), nil
	case "crash":
		w.op, w.pinned = nil, 0
	case "lose":
		delete(w.staged, 1)
	case "damage":
		w.staged[1][3] ^= 1
	case "records":
		return w.records()
	case "sum":
		return rendered(w.kept), nil
	default:
		d.Fatalf(t, "unknown command %q", d.Cmd)
	}
	return "", nil
}

// stage makes what was written since the last barrier durable.
func (w *world) stage() {
	maps.Copy(w.staged, w.fresh)
	for row, n := range w.emitted {
		if w.kept[row] += n; w.kept[row] == 0 {
			delete(w.kept, row)
		}
	}
	clear(w.fresh)
	clear(w.emitted)
}

// Turn and Ended implement Order.
func (w *world) Turn(int) bool { return !w.waits }
func (w *world) Ended(int)     { w.ended++ }

func (w *world) records() (string, error) {
	var out strings.Builder
	for v := range vnode.ID(2) {
		r, err := DecodeRecord(w.staged[v])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "%c: %s cursor=%q as_of=%d rows=%d\n", 'a'+rune(v), r.Phase, r.ScanCursor, r.AsOf, r.Rows)
	}
	return out.String(), nil
}

// Each implements Places.
func (w *world) Each(c *chunk.Chunk, fn func(row int, v vnode.ID, key []byte)) {
	for i := range c.Rows() {
		key := []byte(c.Cols[0].Datum(i).Bytes())
		fn(i, vnode.ID(key[0]-'a'), key)
	}
}

func rendered(rows map[string]int) string {
	var out strings.Builder
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&out, "%s", row)
		if n := rows[row]; n != 1 {
			fmt.Fprintf(&out, "  %d times", n)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// Chunk and Watermark make the world the operator's output.
func (w *world) Chunk(c *chunk.Chunk) error {
	w.told.WriteString(chunk.Format(c))
	for i := range c.Rows() {
		w.emitted[chunk.FormatRow(c.Cols, i)] += int(c.Op(i))
	}
	return nil
}

func (w *world) Watermark(stream.Watermark) error { return nil }

// Load and Store make it the operator's progress.
func (w *world) Load(v vnode.ID) ([]byte, bool, error) { rec, ok := w.staged[v]; return rec, ok, nil }

func (w *world) Store(v vnode.ID, rec []byte) error {
	w.fresh[v] = bytes.Clone(rec)
	return nil
}

// At makes it the pins.
func (w *world) At(e epoch.Epoch) (Snapshot, bool) { return snapshot{w, e}, e == w.pinned }

// snapshot is the upstream as of an epoch.
type snapshot struct {
	w  *world
	at epoch.Epoch
}

// in calls fn for every change of a vnode in (from, to], in order.
func (s snapshot) in(v vnode.ID, from, to epoch.Epoch, fn func(op chunk.Op, row types.Row)) {
	for _, e := range slices.Sorted(maps.Keys(s.w.history)) {
		c := s.w.history[e]
		for i := 0; e > from && e <= to && i < c.Rows(); i++ {
			if row := (types.Row{c.Cols[0].Datum(i), c.Cols[1].Datum(i)}); vnode.ID(row[0].Bytes()[0]-'a') == v {
				fn(c.Op(i), row)
			}
		}
	}
}

func (s snapshot) Scan(v vnode.ID, after []byte, rowsMax int) (*chunk.Chunk, []byte, bool, error) {
	rows := map[string]types.Row{}
	s.in(v, 0, s.at, func(op chunk.Op, row types.Row) {
		if delete(rows, row[0].Bytes()); op == chunk.Insert {
			rows[row[0].Bytes()] = row
		}
	})
	b := chunk.NewBuilder(columns, rowsMax)
	n, cursor := 0, after
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		if key <= string(after) {
			continue
		}
		if n == rowsMax {
			return b.Take(), cursor, false, nil
		}
		b.Append(chunk.Insert, rows[key])
		n, cursor = n+1, []byte(key)
	}
	if n == 0 {
		return nil, cursor, true, nil
	}
	return b.Take(), cursor, n < rowsMax, nil
}

func (s snapshot) Changes(v vnode.ID, from, to epoch.Epoch, upTo []byte, emit func(*chunk.Chunk) error) error {
	b := chunk.NewBuilder(columns, 16)
	n := 0
	s.in(v, from, to, func(op chunk.Op, row types.Row) {
		if upTo == nil || row[0].Bytes() <= string(upTo) {
			b.Append(op, row)
			n++
		}
	})
	if n == 0 {
		return nil
	}
	return emit(b.Take())
}

// finished reports whether all scans had ended by the last barrier.
func (w *world) finished() bool {
	for _, b := range w.staged {
		if r, err := DecodeRecord(b); err != nil || r.Phase < Replaying {
			return false
		}
	}
	return true
}
