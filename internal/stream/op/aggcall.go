package op

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
)

// aggCall is one aggregate of a HashAgg: additive, or over the multiset of its inputs in the Inputs table. The inputs are
// kept for ordered calls (in the order of the result) and for DISTINCT (to see a value come first and go last).
type aggCall struct {
	agg.Call
	index   int
	accum   agg.Accum // nil for ordered calls
	ordered bool
	order   []keyenc.Order // of the columns of a stored input: ORDER BY, then arguments
	cols    []int          // input columns of a stored input
	types   []types.T
	argN    int // arguments are the last argN columns
	slots   []int32
	rows    []int32
}

func newAggCall(h *HashAgg, i int, c agg.Call) aggCall {
	a := aggCall{Call: c, index: i}
	args := make([]types.T, len(c.Args))
	for j, col := range c.Args {
		args[j] = h.Input[col]
	}
	switch {
	case h.Bounded && c.Fn.AppendOnly != nil && !c.Distinct && len(c.OrderBy) == 0:
		a.accum = c.Fn.AppendOnly(args)
	case c.Fn.Additive != nil:
		a.accum = c.Fn.Additive(args)
	default:
		a.ordered = true
	}
	for _, o := range c.OrderBy {
		a.addColumn(h, o.Col, keyenc.Order{Desc: o.Desc, NullsFirst: o.NullsFirst})
	}
	desc := a.ordered && c.Fn.Ordered.Desc && len(c.OrderBy) == 0
	for _, col := range c.Args {
		a.addColumn(h, col, keyenc.Order{Desc: desc})
	}
	a.argN = len(c.Args)
	return a
}

func (a *aggCall) addColumn(h *HashAgg, col int, o keyenc.Order) {
	a.cols, a.order, a.types = append(a.cols, col), append(a.order, o), append(a.types, h.Input[col])
}

// stored reports whether the call keeps its inputs.
func (a *aggCall) stored() bool { return a.ordered || a.Distinct }

func (a *aggCall) reset(s int32) {
	if a.accum != nil {
		a.accum.Grow(int(s) + 1)
		a.accum.Reset(s)
	}
}

func (a *aggCall) encode(s int32, dst []byte) []byte {
	if a.accum == nil {
		return dst
	}
	return a.accum.Encode(s, dst)
}

func (a *aggCall) decode(s int32, b []byte) ([]byte, error) {
	if a.accum == nil {
		return b, nil
	}
	return a.accum.Decode(s, b)
}

// update applies the rows of a chunk whose groups are in h.slots.
func (a *aggCall) update(h *HashAgg, c *chunk.Chunk) error {
	rows := a.wanted(c)
	if a.stored() {
		return a.store(h, c, rows)
	}
	args := c.Project(a.Args).Cols
	if rows == nil {
		return a.accum.Update(h.slots, c.Ops, nil, args)
	}
	return a.accum.Update(a.pick(h.slots, rows), c.Ops, rows, args)
}

// wanted returns the rows that pass FILTER and, unless the function takes NULLs, have no NULL argument; nil means all.
func (a *aggCall) wanted(c *chunk.Chunk) []int32 {
	skips := false
	if !a.Fn.NullsIn {
		for _, col := range a.Args {
			skips = skips || c.Cols[col].Nulls != nil
		}
	}
	if a.Filter < 0 && !skips {
		return nil
	}
	a.rows = a.rows[:0]
	for i := range c.Rows() {
		if a.Filter >= 0 && (c.Cols[a.Filter].IsNull(i) || !c.Cols[a.Filter].Bools[i]) {
			continue
		}
		if skips && a.nullArg(c, i) {
			continue
		}
		a.rows = append(a.rows, int32(i))
	}
	return a.rows
}

func (a *aggCall) nullArg(c *chunk.Chunk, i int) bool {
	for _, col := range a.Args {
		if c.Cols[col].IsNull(i) {
			return true
		}
	}
	return false
}

func (a *aggCall) pick(slots, rows []int32) []int32 {
	a.slots = a.slots[:0]
	for _, r := range rows {
		a.slots = append(a.slots, slots[r])
	}
	return a.slots
}

// store changes the counts of the inputs, and lets a DISTINCT accumulator see values that come first or go last.
func (a *aggCall) store(h *HashAgg, c *chunk.Chunk, rows []int32) error {
	n := c.Rows()
	if rows != nil {
		n = len(rows)
	}
	var slots, edge []int32
	var ops []chunk.Op
	for k := range n {
		i := k
		if rows != nil {
			i = int(rows[k])
		}
		s := h.slots[i]
		was, is, err := a.bump(h, s, c, i)
		if err != nil {
			return err
		}
		if a.accum == nil || (was > 0) == (is > 0) {
			continue
		}
		op := chunk.Insert
		if is <= 0 {
			op = chunk.Delete
		}
		slots, edge, ops = append(slots, s), append(edge, int32(i)), append(ops, op)
	}
	if len(edge) == 0 {
		return nil
	}
	part := c.Gather(edge)
	return a.accum.Update(slots, ops, nil, part.Project(a.Args).Cols)
}

// prefix of the stored inputs of this call in a group: group key, call.
func (a *aggCall) prefix(k groupKey) []byte {
	return append(append([]byte{}, k.key...), byte(a.index>>8), byte(a.index))
}

// bump changes the count of one input and returns it before and after. The stored row holds the exact values, because
// the ordered key of a numeric does not keep its display scale.
func (a *aggCall) bump(h *HashAgg, s int32, c *chunk.Chunk, i int) (was, is int64, err error) {
	k := h.keys[s]
	key := a.prefix(k)
	for j, col := range a.cols {
		key = keyenc.AppendKeyVec(key, c.Cols[col], i, a.order[j])
	}
	row := keyenc.AppendRow(nil, c.Project(a.cols).Cols, i)
	if !a.Distinct {
		key = append(key, row...) // equal values that print differently stay apart
	}
	old, ok, err := h.Inputs.Get(k.v, key)
	if err != nil {
		return 0, 0, err
	}
	if ok {
		var n int
		was, n = binary.Varint(old)
		if n <= 0 {
			return 0, 0, errs.RowCorrupt.New("what", "input of an aggregate")
		}
		if a.Distinct {
			row = append([]byte{}, old[n:]...) // the first form seen
		}
	}
	is = was + int64(c.Op(i))
	if is == 0 {
		h.Inputs.Put(k.v, key, nil, nil)
		return was, is, nil
	}
	h.Inputs.Put(k.v, key, nil, append(binary.AppendVarint(nil, is), row...))
	return was, is, nil
}

// value is the result for a group.
func (a *aggCall) value(h *HashAgg, s int32) (types.Datum, error) {
	if a.accum != nil {
		return a.accum.Value(s)
	}
	k := h.keys[s]
	it := h.Inputs.Scan(k.v, a.prefix(k))
	in := &inputs{it: it, call: a}
	d, err := a.Fn.Ordered.Finish(h.Ctx, a.types[len(a.types)-a.argN:], in.next)
	if cerr := it.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = in.err
	}
	return d, err
}

// inputs yields the stored inputs of a group in order.
type inputs struct {
	it   *state.Iterator
	call *aggCall
	err  error
}

func (in *inputs) next() (types.Row, int64, bool) {
	if in.err != nil || !in.it.Next() {
		return nil, 0, false
	}
	v := in.it.Value()
	count, n := binary.Varint(v)
	row, err := keyenc.DecodeRow(in.call.types, v[max(n, 0):])
	if err != nil || n <= 0 {
		in.err = errs.RowCorrupt.New("what", "input of an aggregate")
		return nil, 0, false
	}
	if in.call.Distinct {
		count = 1
	}
	return row, count, true
}
