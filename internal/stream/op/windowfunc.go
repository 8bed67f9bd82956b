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
	if at := int64(i) + int64(sign)*far; at >= 0 && at < int64(p.n) {
		return p.cols[c.Args[0]].Datum(int(at)), nil
	}
	if len(c.Args) > 2 {
		return p.cols[c.Args[2]].Datum(i), nil
	}
	return types.Null, nil
}

// nth is first_value, last_value and nth_value: a row of the frame.
func (p *windowPart) nth(c *plan.WindowCall, i int) (types.Datum, error) {
	f, err := p.frame(&c.Frame, i)
	if err != nil {
		return types.Null, err
	}
	rows := f.rows()
	at := 0
	switch c.Name {
	case "last_value":
		at = rows.count() - 1
	case "nth_value":
		d := p.cols[c.Args[1]].Datum(i)
		if d.IsNull() {
			return types.Null, nil
		}
		if d.Int() <= 0 {
			return types.Null, errs.NthValueArgument.New()
		}
		at = int(min(d.Int()-1, int64(rows.count())))
	}
	if at < 0 || at >= rows.count() {
		return types.Null, nil
	}
	return p.cols[c.Args[0]].Datum(rows.at(at)), nil
}
