package op

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// WindowConfig is what a Window is made of; see plan.Window.
type WindowConfig struct {
	Types     []types.T
	Partition []int
	Order     []plan.Order
	Calls     []plan.WindowCall
	Vnodes    int
	Dist      []int        // columns that choose the vnode
	State     *state.Table // see orderedRows
	Ctx       *expr.Ctx
}

// Window computes window functions. At the barrier each partition that changed is computed as it was and as it is, and
// the difference is emitted; that costs the size of the partition, whatever changed in it.
type Window struct {
	stream.NoWatermark
	WindowConfig
	rows *orderedRows
}

// NewWindow returns a Window without rows.
func NewWindow(c WindowConfig) *Window {
	return &Window{WindowConfig: c, rows: (&orderedRows{types: c.Types, partition: c.Partition, order: c.Order,
		vnodes: c.Vnodes, dist: c.Dist, table: c.State}).init()}
}

// Chunk collects the changes.
func (w *Window) Chunk(_ int, c *chunk.Chunk, _ stream.Out) error {
	w.rows.add(c)
	return nil
}

// Size is about how many bytes the rows take. The barrier of a query moves them to its table, and takes a partition apart
// and makes its rows anew.
func (w *Window) Size() int { return 4 * w.rows.size() }

// Pending implements stream.Pending.
func (w *Window) Pending() int { return w.rows.pending() }

// Unstaged implements stream.Unstaged.
func (w *Window) Unstaged() int { return w.rows.unstaged() }

// Shrink implements stream.Pending.
func (w *Window) Shrink() { w.rows.shrink() }

// Barrier applies the changes and emits the differences.
func (w *Window) Barrier(b stream.Barrier, out stream.Out) error {
	d := newDiffer(w.outTypes(), out)
	err := w.rows.each(func(p int32) error {
		if err := w.compute(p, d.was); err != nil {
			return err
		}
		if err := w.rows.apply(p); err != nil {
			return err
		}
		if err := w.compute(p, d.is); err != nil {
			return err
		}
		return d.emit()
	})
	if err != nil {
		return err
	}
	tick(w.Ctx, b)
	return d.flush()
}

func (w *Window) outTypes() []types.T {
	ts := append([]types.T{}, w.Types...)
	for _, c := range w.Calls {
		ts = append(ts, c.T)
	}
	return ts
}

// compute yields the rows of a partition with the values of the calls.
func (w *Window) compute(p int32, yield func(row []byte) error) error {
	part, err := w.load(p)
	if err != nil || part.n == 0 {
		return err
	}
	cols := part.cols
	for i := range w.Calls {
		v, err := part.call(&w.Calls[i])
		if err != nil {
			return err
		}
		cols = append(cols, v)
	}
	var buf []byte
	for i := range part.n {
		buf = keyenc.AppendRow(buf[:0], cols, i)
		if err := yield(buf); err != nil {
			return err
		}
	}
	return nil
}

// windowPart is a partition in order. Peers, rows that the order does not tell apart, form a group.
type windowPart struct {
	*Window
	cols  []*chunk.Vec
	n     int
	group []int32 // by row
	first []int   // by group: its first row; n at the end

	sessions []int // of the call at hand: the first row of each session; n at the end
}

func (w *Window) load(p int32) (*windowPart, error) {
	part := &windowPart{Window: w, cols: make([]*chunk.Vec, len(w.Types), len(w.Types)+len(w.Calls))}
	for i, t := range w.Types {
		part.cols[i] = chunk.NewVec(t, 0)
	}
	var order []byte
	err := w.rows.scan(p, func(r orderedRow) (bool, error) {
		if part.n == 0 || !bytes.Equal(order, r.order) {
			order = append(order[:0], r.order...)
			part.first = append(part.first, part.n)
		}
		for range r.count {
			if err := keyenc.DecodeInto(part.cols, r.row); err != nil {
				return false, err
			}
			part.group = append(part.group, int32(len(part.first)-1))
			part.n++
		}
		return true, nil
	})
	part.first = append(part.first, part.n)
	return part, err
}

// groupOf returns the rows that are peers of row i.
func (p *windowPart) groupOf(i int) (from, to int) {
	g := p.group[i]
	return p.first[g], p.first[g+1]
}

// call computes one call for all rows.
func (p *windowPart) call(c *plan.WindowCall) (*chunk.Vec, error) {
	if c.Frame.Mode == plan.FrameSession {
		if err := p.findSessions(&c.Frame); err != nil {
			return nil, err
		}
	}
	if c.Agg != nil {
		return p.aggregate(c)
	}
	out := chunk.NewVec(c.T, p.n)
	for i := range p.n {
		d, err := p.value(c, i)
		if err != nil {
			if err = failed(p.Ctx, err); err != nil {
				return nil, err
			}
		}
		out.Append(d)
	}
	return out, nil
}

// failed reports the failure of a row's expression. When it returns nil the value is NULL and the job goes on.
func failed(ctx *expr.Ctx, err error) error {
	if ctx == nil || ctx.OnError == nil {
		return err
	}
	ctx.OnError(0, err)
	return nil
}
