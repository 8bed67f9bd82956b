package op

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// value computes a ranking or offset function for row i.
func (p *windowPart) value(c *plan.WindowCall, i int) (types.Datum, error) {
	from, to := p.groupOf(i)
	switch c.Name {
	case "row_number":
		return types.NewInt(int64(i) + 1), nil
	case "rank":
		return types.NewInt(int64(from) + 1), nil
	case "dense_rank":
		return types.NewInt(int64(p.group[i]) + 1), nil
	case "percent_rank":
		if p.n == 1 {
			return types.NewFloat(0), nil
		}
		return types.NewFloat(float64(from) / float64(p.n-1)), nil
	case "cume_dist":
		return types.NewFloat(float64(to) / float64(p.n)), nil
	case "ntile":
		return p.ntile(c, i)
	case "lag":
		return p.offset(c, i, -1)
	case "lead":
		return p.offset(c, i, +1)
	case "first_value", "last_value", "nth_value":
		return p.nth(c, i)
	}
	return types.Null, errs.Internal.New("what", "no window function "+c.Name)
}

// ntile numbers n buckets whose sizes differ by at most one, the larger ones first.
func (p *windowPart) ntile(c *plan.WindowCall, i int) (types.Datum, error) {
	arg := p.cols[c.Args[0]].Datum(0) // as PostgreSQL does, for the whole partition that of its first row
	if arg.IsNull() {
		return types.Null, nil
	}
	buckets := arg.Int()
	if buckets <= 0 {
		return types.Null, errs.NtileArgument.New()
	}
	size, larger := int64(p.n)/buckets, int64(p.n)%buckets
	at := int64(i)
	if at < larger*(size+1) {
		return types.NewInt(at/(size+1) + 1), nil
	}
	return types.NewInt((at-larger*(size+1))/size + larger + 1), nil
}

// offset is lag and lead: value [, how far [, default]].
func (p *windowPart) offset(c *plan.WindowCall, i, sign int) (types.Datum, error) {
	far := int64(1)
	if len(c.Args) > 1 {
		d := p.cols[c.Args[1]].Datum(i)
		if d.IsNull() {
			return types.Null, nil
		}
		far = d.Int()
	}
	at := int64(i) + int64(sign)*far
	if c.IgnoreNulls && far != 0 {
		at = p.skipNulls(c.Args[0], i, int64(sign)*far)
	}
	if at >= 0 && at < int64(p.n) {
		return p.cols[c.Args[0]].Datum(int(at)), nil
	}
	if len(c.Args) > 2 {
		return p.cols[c.Args[2]].Datum(i), nil
	}
	return types.Null, nil
}

// skipNulls is where the value is that lies so many values that are not NULL away; a position outside when there is none.
func (p *windowPart) skipNulls(col, i int, far int64) int64 {
	step := 1
	if far < 0 {
		step, far = -1, -far
	}
	at := i + step
	for ; at >= 0 && at < p.n; at += step {
		if p.cols[col].IsNull(at) {
			continue
		}
		if far--; far == 0 {
			break
		}
	}
	return int64(at)
}

// nth is first_value, last_value and nth_value: a row of the frame, with IGNORE NULLS one of those with a value.
func (p *windowPart) nth(c *plan.WindowCall, i int) (types.Datum, error) {
	f, err := p.frame(&c.Frame, i)
	if err != nil {
		return types.Null, err
	}
	nth := int64(1)
	if c.Name == "nth_value" {
		d := p.cols[c.Args[1]].Datum(i)
		if d.IsNull() {
			return types.Null, nil
		}
		if nth = d.Int(); nth <= 0 {
			return types.Null, errs.NthValueArgument.New()
		}
	}
	rows, values := f.rows(), p.cols[c.Args[0]]
	n := rows.count()
	at := func(k int) int { return rows.at(k) }
	if c.Name == "last_value" {
		at = func(k int) int { return rows.at(n - 1 - k) }
	}
	if !c.IgnoreNulls {
		if nth > int64(n) {
			return types.Null, nil
		}
		return values.Datum(at(int(nth - 1))), nil
	}
	for k := range n {
		if row := at(k); !values.IsNull(row) {
			if nth--; nth == 0 {
				return values.Datum(row), nil
			}
		}
	}
	return types.Null, nil
}
