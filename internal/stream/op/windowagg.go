package op

import (
	"sort"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// windowAgg computes an aggregate over the frames of a partition, row by row. An additive state follows the frame: rows
// that come in are added, rows that go out are taken back. A state that can only grow is kept while the frame grows. An
// ordered aggregate is computed anew for each new frame.
type windowAgg struct {
	part     *windowPart
	call     *agg.Call
	args     []*chunk.Vec
	types    []types.T
	pass     []bool // rows that the aggregate sees
	accum    agg.Accum
	retracts bool
	have     stretch // rows in the state
	last     stretches
	value    types.Datum
	valid    bool // value is that of last
}

func (p *windowPart) aggregate(c *plan.WindowCall) (*chunk.Vec, error) {
	a := p.newAgg(c.Agg)
	out := chunk.NewVec(c.T, p.n)
	for i := range p.n {
		f, err := p.frame(&c.Frame, i)
		var d types.Datum
		if err == nil {
			d, err = a.over(f)
		}
		if err != nil {
			a.valid = false
			if err = failed(p.Ctx, err); err != nil {
				return nil, err
			}
		}
		out.Append(d)
	}
	return out, nil
}

func (p *windowPart) newAgg(call *agg.Call) *windowAgg {
	a := &windowAgg{part: p, call: call, pass: make([]bool, p.n)}
	for _, col := range call.Args {
		a.args, a.types = append(a.args, p.cols[col]), append(a.types, p.cols[col].Type)
	}
	for i := range a.pass {
		a.pass[i] = a.sees(i)
	}
	switch fn := call.Fn; {
	case fn.Additive != nil:
		a.accum, a.retracts = fn.Additive(a.types), true
	case fn.AppendOnly != nil:
		a.accum = fn.AppendOnly(a.types)
	}
	a.reset()
	return a
}

// sees is false for rows that FILTER drops and for NULL arguments of functions that skip them.
func (a *windowAgg) sees(i int) bool {
	if f := a.call.Filter; f >= 0 {
		if v := a.part.cols[f]; v.IsNull(i) || !v.Bools[i] {
			return false
		}
	}
	if !a.call.Fn.NullsIn {
		for _, v := range a.args {
			if v.IsNull(i) {
				return false
			}
		}
	}
	return true
}

func (a *windowAgg) reset() {
	a.have = stretch{}
	if a.accum != nil {
		a.accum.Grow(1)
		a.accum.Reset(0)
	}
}

// over returns the aggregate of a frame.
func (a *windowAgg) over(f frame) (types.Datum, error) {
	rows := f.rows()
	if a.valid && rows == a.last {
		return a.value, nil
	}
	d, err := a.compute(f, rows)
	a.value, a.last, a.valid = d, rows, err == nil
	return d, err
}

func (a *windowAgg) compute(f frame, rows stretches) (types.Datum, error) {
	if a.accum == nil {
		return a.finish(rows)
	}
	whole := stretch{f.from, f.to}
	if !a.retracts {
		whole = rows[0]
		if rows[1] != (stretch{}) || rows[2].from < rows[2].to {
			a.reset()
			return a.once(rows)
		}
	}
	if err := a.move(whole); err != nil {
		return types.Null, err
	}
	if rows.count() == whole.to-whole.from {
		return a.accum.Value(0)
	}
	return a.without(f, rows)
}

// once computes a state that is thrown away.
func (a *windowAgg) once(rows stretches) (types.Datum, error) {
	for _, s := range rows {
		if err := a.update(s.from, s.to, chunk.Insert); err != nil {
			return types.Null, err
		}
	}
	d, err := a.accum.Value(0)
	a.reset()
	return d, err
}

// move makes the state that of the rows.
func (a *windowAgg) move(to stretch) error {
	h := a.have
	if to.from < h.from || to.to < h.to || to.from > h.to || !a.retracts && to.from != h.from {
		a.reset()
		h = stretch{to.from, to.from}
	}
	if err := a.update(h.from, to.from, chunk.Delete); err != nil {
		return err
	}
	a.have = to
	return a.update(h.to, to.to, chunk.Insert)
}

// without takes the excluded rows back for a moment.
func (a *windowAgg) without(f frame, rows stretches) (types.Datum, error) {
	from, to := max(f.from, f.skipFrom), min(f.to, f.skipTo)
	kept := rows[1]
	swap := func(out, in chunk.Op) error {
		if err := a.update(from, to, out); err != nil {
			return err
		}
		return a.update(kept.from, kept.to, in)
	}
	if err := swap(chunk.Delete, chunk.Insert); err != nil {
		return types.Null, err
	}
	d, err := a.accum.Value(0)
	if serr := swap(chunk.Insert, chunk.Delete); err == nil {
		err = serr
	}
	return d, err
}

// update adds rows to the state or takes them back.
func (a *windowAgg) update(from, to int, op chunk.Op) error {
	var rows []int32
	for i := from; i < to; i++ {
		if a.pass[i] {
			rows = append(rows, int32(i))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if op == chunk.Insert {
		return a.accum.Update(make([]int32, len(rows)), nil, rows, a.args)
	}
	// ops go by row, as those of a chunk do.
	byRow := make([]chunk.Op, to)
	for _, r := range rows {
		byRow[r] = op
	}
	return a.accum.Update(make([]int32, len(rows)), byRow, rows, a.args)
}

// finish computes an ordered aggregate: min and its like over sorted arguments, others in the order of the window.
func (a *windowAgg) finish(rows stretches) (types.Datum, error) {
	var at []int
	for k := range rows.count() {
		if i := rows.at(k); a.pass[i] {
			at = append(at, i)
		}
	}
	o := a.call.Fn.Ordered
	if o.First {
		sort.SliceStable(at, func(x, y int) bool { return (a.compare(at[x], at[y]) < 0) != o.Desc && a.compare(at[x], at[y]) != 0 })
	}
	k := 0
	return o.Finish(a.part.Ctx, a.types, func() (types.Row, int64, bool) {
		if k == len(at) {
			return nil, 0, false
		}
		row := make(types.Row, len(a.args))
		for j, v := range a.args {
			row[j] = v.Datum(at[k])
		}
		k++
		return row, 1, true
	})
}

func (a *windowAgg) compare(i, j int) int {
	for _, v := range a.args {
		if c := types.CompareNull(v.Type, v.Datum(i), v.Datum(j)); c != 0 {
			return c
		}
	}
	return 0
}
