package expr

import "github.com/tidemark-db/tidemark/internal/types"

// addOverlaps adds (a, b) OVERLAPS (c, d), whose ends may be given as the time that passes until then.
func addOverlaps(b *builder) {
	const doc = "the periods have a time in common, (a, b) OVERLAPS (c, d)"
	iv := types.Interval
	for _, t := range []types.T{types.Time, types.Timestamp, types.Timestamptz} {
		for _, ends := range [][2]types.T{{t, t}, {iv, iv}, {t, iv}, {iv, t}} {
			b.fn("overlaps", in(t, ends[0], t, ends[1]).out(types.Bool), fn(func(ctx *Ctx, r row) (types.Datum, error) {
				x, err := r.period(ctx, 0)
				if err != nil {
					return types.Null, err
				}
				y, err := r.period(ctx, 2)
				if err != nil {
					return types.Null, err
				}
				return x.overlaps(y), nil
			}), doc).nulls().zoned(t.Kind)
		}
	}
}

// period is two times in order. One that is missing is the end, and if both are there is no period.
type period struct {
	begin, end types.Datum
}

// period reads a period from the k-th argument and the next.
func (r row) period(ctx *Ctx, k int) (period, error) {
	p := period{r.datum(k), r.datum(k + 1)}
	if !p.begin.IsNull() && !p.end.IsNull() && r.typ(k+1).Kind == types.KindInterval {
		end, err := ctx.later(r.typ(k).Kind, p.begin.Int(), p.end.Interval())
		if err != nil {
			return p, err
		}
		p.end = types.NewInt(end)
	} else if r.typ(k+1).Kind == types.KindInterval {
		p.end = types.Null
	}
	if p.begin.IsNull() || !p.end.IsNull() && p.end.Int() < p.begin.Int() {
		p.begin, p.end = p.end, p.begin
	}
	return p, nil
}

// later is a time, or a time of day, after an interval.
func (ctx *Ctx) later(k types.Kind, t int64, iv types.Iv) (int64, error) {
	if k == types.KindTime {
		return floorMod(t+iv.Micros%microsDay, microsDay), nil
	}
	return ctx.addToTimestamp(k, t, iv)
}

// overlaps is NULL where a missing end leaves it open. A period that is one instant overlaps what it lies in.
func (p period) overlaps(q period) types.Datum {
	switch {
	case p.begin.IsNull() || q.begin.IsNull():
		return types.Null
	case p.begin.Int() > q.begin.Int():
		p, q = q, p
	case p.begin.Int() == q.begin.Int():
		if p.end.IsNull() || q.end.IsNull() {
			return types.Null
		}
		return types.NewBool(true)
	}
	switch {
	case p.end.IsNull():
		return types.Null
	case q.begin.Int() < p.end.Int():
		return types.NewBool(true)
	case q.end.IsNull():
		return types.Null
	}
	return types.NewBool(false)
}
