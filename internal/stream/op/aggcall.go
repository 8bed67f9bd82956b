package op

import (
	"bytes"
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
)

// aggCall is one aggregate of a HashAgg: additive, or over the multiset of its inputs in the Inputs table. The inputs are
// kept for ordered calls, in the order of the result, and for DISTINCT, to see a value come first and go last. Their
// changes are held as the net effect of the epoch and applied at the barrier.
type aggCall struct {
	agg.Call
	index   int
	accum   agg.Accum      // nil for ordered calls
	order   []keyenc.Order // of the columns of a stored input: ORDER BY, then arguments
	cols    []int          // input columns of a stored input
	types   []types.T
	argN    int             // arguments are the last argN columns
	changes *state.Multimap // by group: stored inputs as order key, row, length of the order key
	heads   []aggHead       // by group, for calls that need only the first input
	first   state.Arena     // forms of the heads

	slots []int32
	rows  []int32
	forms state.Keys // of the chunk's inputs
	key   []byte     // of a stored input
	count []byte     // and row, as they are stored
	row   []byte
}

// aggHead is what is known of the first input of a group.
type aggHead struct {
	known bool
	form  state.Span // none: the group has no inputs
}

func newAggCall(h *HashAgg, i int, c agg.Call) aggCall {
	a := aggCall{Call: c, index: i, argN: len(c.Args), changes: state.NewMultimap()}
	o := c.Fn.Ordered
	if o != nil && o.First && len(c.OrderBy) == 0 {
		a.Distinct = false // copies do not change which is first
	}
	args := make([]types.T, len(c.Args))
	for j, col := range c.Args {
		args[j] = h.Input[col]
	}
	switch {
	case h.Bounded && c.Fn.AppendOnly != nil && !a.Distinct && len(c.OrderBy) == 0:
		a.accum = c.Fn.AppendOnly(args)
	case c.Fn.Additive != nil:
		a.accum = c.Fn.Additive(args)
	}
	for _, by := range c.OrderBy {
		a.addColumn(h, by.Col, keyenc.Order{Desc: by.Desc, NullsFirst: by.NullsFirst})
	}
	desc := a.accum == nil && o.Desc && len(c.OrderBy) == 0
	for _, col := range c.Args {
		a.addColumn(h, col, keyenc.Order{Desc: desc})
	}
	return a
}

func (a *aggCall) addColumn(h *HashAgg, col int, o keyenc.Order) {
	a.cols, a.order, a.types = append(a.cols, col), append(a.order, o), append(a.types, h.Input[col])
}

// stored reports whether the call keeps its inputs.
func (a *aggCall) stored() bool { return a.accum == nil || a.Distinct }

// headed reports whether the call needs only the first of them.
func (a *aggCall) headed() bool { return a.accum == nil && a.Fn.Ordered.First }

// grow makes a slot exist; fresh says that its group has no inputs.
func (a *aggCall) grow(s int32) {
	if a.accum != nil {
		a.accum.Grow(int(s) + 1)
		a.accum.Reset(s)
	}
	if a.headed() {
		a.heads = append(a.heads, aggHead{form: state.NoSpan})
	}
}

func (a *aggCall) fresh(s int32) {
	if a.headed() {
		a.heads[s].known = true
	}
}

func (a *aggCall) reset(s int32) {
	if a.accum != nil {
		a.accum.Reset(s)
	}
	if a.headed() {
		a.heads[s].form = a.first.Set(a.heads[s].form, nil)
	}
}

// size is the number of bytes of what is held beside the states of the accumulator.
func (a *aggCall) size() int { return a.changes.Size() + a.first.Size() + cap(a.heads)*headSize }

const headSize = 24

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

// update takes the rows of a chunk whose groups are in h.slots.
func (a *aggCall) update(h *HashAgg, c *chunk.Chunk) error {
	rows := a.wanted(c)
	if a.stored() {
		a.collect(h, c, rows)
		return nil
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
		if a.Filter >= 0 && (c.Cols[a.Filter].IsNull(i) || !c.Cols[a.Filter].Bools[i]) || skips && a.nullArg(c, i) {
			continue
		}
		a.rows = append(a.rows, int32(i))
	}
	if a.rows == nil {
		a.rows = []int32{}
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

// collect holds the inputs of the epoch.
func (a *aggCall) collect(h *HashAgg, c *chunk.Chunk, rows []int32) {
	cols := c.Project(a.cols).Cols
	slots := h.slots
	if rows != nil {
		slots = a.pick(h.slots, rows)
	}
	at := func(k int) int {
		if rows == nil {
			return k
		}
		return int(rows[k])
	}
	a.forms.Reset()
	for k := range slots {
		a.appendForm(cols, at(k))
	}
	batch := a.changes.Batch(slots, &a.forms)
	for k := range slots {
		batch.Add(k, int64(c.Op(at(k))))
	}
}

// appendForm adds the stored form of an input.
func (a *aggCall) appendForm(cols []*chunk.Vec, i int) {
	b := a.forms.Bytes
	from := len(b)
	for j, col := range cols {
		b = keyenc.AppendKeyVec(b, col, i, a.order[j])
	}
	key := len(b) - from
	a.forms.Bytes = endForm(keyenc.AppendRow(b, cols, i), key)
	a.forms.Ends = append(a.forms.Ends, len(a.forms.Bytes))
}

// longKey is the last byte of a form whose key is so long or longer; four bytes before it tell how long.
const longKey = 255

// endForm appends to an order key and a row how long the key is. The form of a number is short: see state.Multimap.
func endForm(b []byte, key int) []byte {
	if key < longKey {
		return append(b, byte(key))
	}
	return append(binary.BigEndian.AppendUint32(b, uint32(key)), longKey)
}

// splitForm returns the order key and the row of an input.
func splitForm(form []byte) (key, row []byte) {
	end := len(form) - 1
	n := int(form[end])
	if n == longKey {
		end -= 4
		n = int(binary.BigEndian.Uint32(form[end:]))
	}
	return form[:n], form[n:end]
}

// apply changes the counts of the epoch's inputs, and lets a DISTINCT accumulator see values that come first or go last.
func (a *aggCall) apply(h *HashAgg) error {
	if !a.stored() {
		return nil
	}
	edges := edges{call: a}
	for _, s := range h.dirty {
		for r := a.changes.First(s); r >= 0; r = a.changes.Next(r) {
			if err := a.bump(h, s, a.changes.Bytes(r), a.changes.Count(r), &edges); err != nil {
				return err
			}
		}
	}
	a.changes.Reset()
	return edges.flush()
}

// prefix of the stored inputs of this call in a group: group key, call. It is valid until the next.
func (a *aggCall) prefix(h *HashAgg, s int32) []byte {
	a.key = append(append(a.key[:0], h.index.Key(s)...), byte(a.index>>8), byte(a.index))
	return a.key
}

// bump changes the count of one input. The stored row has the exact values, because the order key of a numeric does not
// keep its display scale.
func (a *aggCall) bump(h *HashAgg, s int32, form []byte, n int64, e *edges) error {
	order, row := splitForm(form)
	key := append(a.prefix(h, s), order...)
	if !a.Distinct {
		key = append(key, row...) // equal values that print differently stay apart
	}
	a.key = key
	v := h.groups[s].v
	old, ok, err := h.Inputs.Get(v, key)
	if err != nil {
		return err
	}
	var was int64
	if ok {
		var k int
		if was, k = binary.Varint(old); k <= 0 {
			return errs.RowCorrupt.New("what", "input of an aggregate")
		}
		a.row = append(a.row[:0], old[k:]...)
		row = a.row // the first form seen
	}
	is := was + n
	if is < 0 && !a.Distinct { // several forms of a distinct value come one after the other
		return negative("input of an aggregate")
	}
	if is == 0 {
		h.Inputs.Put(v, key, nil, nil)
	} else {
		a.count = append(binary.AppendVarint(a.count[:0], is), row...)
		h.Inputs.Put(v, key, nil, a.count)
	}
	if (was > 0) == (is > 0) {
		return nil
	}
	if a.headed() {
		a.moveHead(s, form, is > 0)
	}
	if a.accum == nil {
		return nil
	}
	return e.add(s, is > 0, row)
}

// moveHead keeps track of the first input when one comes or goes.
func (a *aggCall) moveHead(s int32, form []byte, came bool) {
	head := &a.heads[s]
	if !head.known {
		return
	}
	now := a.first.Get(head.form)
	switch {
	case came && (now == nil || lessForm(form, now)):
		head.form = a.first.Set(head.form, form)
	case !came && now != nil && a.sameInput(form, now):
		head.form, head.known = a.first.Set(head.form, nil), false
	}
}

// sameInput reports whether two forms are of one stored input: that of a DISTINCT call has the forms of all values that are equal.
func (a *aggCall) sameInput(x, y []byte) bool {
	if !a.Distinct {
		return bytes.Equal(x, y)
	}
	xk, _ := splitForm(x)
	yk, _ := splitForm(y)
	return bytes.Equal(xk, yk)
}

func lessForm(a, b []byte) bool {
	ak, ar := splitForm(a)
	bk, br := splitForm(b)
	if c := bytes.Compare(ak, bk); c != 0 {
		return c < 0
	}
	return bytes.Compare(ar, br) < 0
}

// value is the result for a group.
func (a *aggCall) value(h *HashAgg, s int32) (types.Datum, error) {
	if a.accum != nil {
		return a.accum.Value(s)
	}
	args := a.types[len(a.types)-a.argN:]
	if a.headed() && a.heads[s].known {
		return a.ofHead(h, s, args)
	}
	it := h.Inputs.Scan(h.groups[s].v, a.prefix(h, s))
	in := &aggInputs{it: it, call: a, skip: len(h.index.Key(s)) + callPrefix}
	d, err := a.Fn.Ordered.Finish(h.Ctx, args, in.next)
	if cerr := it.Close(); err == nil {
		err = cerr
	}
	if in.err != nil {
		err = in.err
	}
	if a.headed() && err == nil {
		a.heads[s] = aggHead{known: true, form: a.first.Set(a.heads[s].form, in.first)}
	}
	return d, err
}

const callPrefix = 2 // bytes of a call's number in the key of an input

// ofHead makes the result of the first input.
func (a *aggCall) ofHead(h *HashAgg, s int32, args []types.T) (types.Datum, error) {
	form := a.first.Get(a.heads[s].form)
	var row types.Row
	if form != nil {
		_, b := splitForm(form)
		var err error
		if row, err = keyenc.DecodeRow(a.types, b); err != nil {
			return types.Null, err
		}
	}
	return a.Fn.Ordered.Finish(h.Ctx, args, func() (types.Row, int64, bool) {
		r := row
		row = nil
		return r, 1, r != nil
	})
}
