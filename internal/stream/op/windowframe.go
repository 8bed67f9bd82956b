package op

import (
	"sort"

	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// frame is the rows that a window function sees from one row: [from, to) without [skipFrom, skipTo), though keep, when it
// is not negative, stays in.
type frame struct {
	from, to         int
	skipFrom, skipTo int
	keep             int
}

// frame returns the frame of row i.
func (p *windowPart) frame(f *plan.Frame, i int) (frame, error) {
	if f.Mode == plan.FrameSession {
		from, to := p.sessionOf(i)
		return frame{from: from, to: to, keep: -1}, nil
	}
	from, err := p.start(f, i)
	if err != nil {
		return frame{}, err
	}
	to, err := p.end(f, i)
	if err != nil {
		return frame{}, err
	}
	out := frame{from: from, to: max(from, to), keep: -1}
	switch f.Exclude {
	case plan.ExcludeCurrentRow:
		out.skipFrom, out.skipTo = i, i+1
	case plan.ExcludeGroup:
		out.skipFrom, out.skipTo = p.groupOf(i)
	case plan.ExcludeTies:
		out.skipFrom, out.skipTo = p.groupOf(i)
		out.keep = i
	}
	return out, nil
}

// start returns the first row of the frame of row i.
func (p *windowPart) start(f *plan.Frame, i int) (int, error) {
	b := f.Start
	switch b.Kind {
	case plan.UnboundedPreceding:
		return 0, nil
	case plan.CurrentRow:
		if f.Mode == plan.FrameRows {
			return i, nil
		}
		from, _ := p.groupOf(i)
		return from, nil
	}
	switch f.Mode {
	case plan.FrameRows:
		return p.shift(i, b, p.n), nil
	case plan.FrameGroups:
		return p.first[p.shift(int(p.group[i]), b, len(p.first)-1)], nil
	}
	return p.search(b, i, false)
}

// end returns the row after the last of the frame of row i.
func (p *windowPart) end(f *plan.Frame, i int) (int, error) {
	b := f.End
	switch b.Kind {
	case plan.UnboundedFollowing:
		return p.n, nil
	case plan.CurrentRow:
		if f.Mode == plan.FrameRows {
			return i + 1, nil
		}
		_, to := p.groupOf(i)
		return to, nil
	}
	switch f.Mode {
	case plan.FrameRows:
		return p.shift(i+1, b, p.n), nil
	case plan.FrameGroups:
		return p.first[p.shift(int(p.group[i])+1, b, len(p.first)-1)], nil
	}
	return p.search(b, i, true)
}

// shift moves a position by the bound's offset and keeps it within 0..last.
func (p *windowPart) shift(at int, b plan.Bound, last int) int {
	by := min(b.Offset.Int(), int64(last)+1)
	if b.Kind == plan.Preceding {
		by = -by
	}
	return min(max(at+int(by), 0), last)
}

// search finds the bound of a RANGE frame by value: the first row that is not before the bound or, for an end, the
// first after it. NULLs stand together at one end of the partition; they are in range of each other only.
func (p *windowPart) search(b plan.Bound, i int, end bool) (int, error) {
	order := p.Order[0]
	col := p.cols[order.Col]
	if col.IsNull(i) {
		from, to := p.groupOf(i)
		if end {
			return to, nil
		}
		return from, nil
	}
	target, err := p.target(b, order, col.Datum(i))
	if err != nil {
		return 0, err
	}
	lo, hi := p.notNull(order.Col)
	t := comparedAs(col.Type)
	n := sort.Search(hi-lo, func(k int) bool {
		c := types.Compare(t, comparable(col.Type, col.Datum(lo+k)), target)
		if order.Desc {
			c = -c
		}
		return c > 0 || c == 0 && !end
	})
	return lo + n, nil
}

// notNull returns the rows whose value of the order column is not NULL.
func (p *windowPart) notNull(col int) (lo, hi int) {
	v := p.cols[col]
	lo, hi = 0, p.n
	for lo < hi && v.IsNull(lo) {
		_, lo = p.groupOf(lo)
	}
	for hi > lo && v.IsNull(hi-1) {
		hi, _ = p.groupOf(hi - 1)
	}
	return lo, hi
}

// target is the value at the bound's distance.
func (p *windowPart) target(b plan.Bound, o plan.Order, d types.Datum) (types.Datum, error) {
	return displace(p.cols[o.Col].Type, d, b, (b.Kind == plan.Preceding) != o.Desc, p.Ctx)
}

// rows returns the rows of the frame as at most three stretches.
func (f frame) rows() stretches {
	cut := func(from, to int) stretch { return stretch{from, max(from, to)} }
	if f.skipFrom >= f.skipTo {
		return stretches{cut(f.from, f.to)}
	}
	out := stretches{cut(f.from, min(f.to, f.skipFrom))}
	if f.keep >= f.from && f.keep < f.to {
		out[1] = stretch{f.keep, f.keep + 1}
	}
	out[2] = cut(max(f.from, f.skipTo), f.to)
	return out
}

type stretch struct{ from, to int }

type stretches [3]stretch

// count is the number of rows; at is row k of them.
func (s stretches) count() int {
	n := 0
	for _, x := range s {
		n += x.to - x.from
	}
	return n
}

func (s stretches) at(k int) int {
	for _, x := range s {
		if k < x.to-x.from {
			return x.from + k
		}
		k -= x.to - x.from
	}
	return -1
}
