package expr

import (
	"iter"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// addSeries adds generate_series, and RisingWave's range, which leaves the end out.
func (r *Registry) addSeries() {
	for _, s := range []struct {
		name string
		open bool
		doc  string
	}{
		{"generate_series", false, "the values from the first to the second argument in steps"},
		{"range", true, "the values from the first argument to before the second in steps"},
	} {
		for _, t := range []types.T{types.Int4, types.Int8} {
			r.set(s.name, in(t, t).out(t), intSeries(s.open), s.doc)
			r.set(s.name, in(t, t, t).out(t), intSeries(s.open), s.doc)
		}
		r.set(s.name, in(types.Numeric, types.Numeric).out(types.Numeric), numericSeries(s.open), s.doc)
		r.set(s.name, in(types.Numeric, types.Numeric, types.Numeric).out(types.Numeric), numericSeries(s.open), s.doc)
		for _, t := range []types.T{types.Timestamp, types.Timestamptz} {
			r.set(s.name, in(t, t, types.Interval).out(t), timeSeries(s.open), s.doc)
		}
		r.set(s.name, in(types.Timestamptz, types.Timestamptz, types.Interval, types.Text).out(types.Timestamptz), zonedSeries(s.open), s.doc+", with the days of a time zone")
	}
}

func zeroStep() error {
	return errs.InvalidArgument.New("problem", "step size cannot equal zero")
}

func intSeries(open bool) func(*Ctx, []types.T, types.Row) iter.Seq2[types.Row, error] {
	return func(_ *Ctx, ts []types.T, args types.Row) iter.Seq2[types.Row, error] {
		from, to, step := args[0].Int(), args[1].Int(), int64(1)
		if len(args) == 3 {
			step = args[2].Int()
		}
		if step == 0 {
			return failure(zeroStep())
		}
		_, hi := intBounds(ts[0].Kind)
		return func(yield func(types.Row, error) bool) {
			row := make(types.Row, 1)
			for v, ok := from, true; ok && v <= hi && v >= -hi-1 && before(v, to, step, open); v, ok = addInts(v, step) {
				row[0] = types.NewInt(v)
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// before tells whether a value has not passed the end of a series.
func before(v, to, step int64, open bool) bool {
	return v == to && !open || step > 0 && v < to || step < 0 && v > to
}

func numericSeries(open bool) func(*Ctx, []types.T, types.Row) iter.Seq2[types.Row, error] {
	return func(_ *Ctx, _ []types.T, args types.Row) iter.Seq2[types.Row, error] {
		from, to, step := args[0].Num(), args[1].Num(), types.NumFromInt(1)
		if len(args) == 3 {
			step = args[2].Num()
		}
		for i, what := range []string{"start", "stop", "step size"} {
			n := [...]types.Num{from, to, step}[i]
			if n.NaN() {
				return failure(errs.InvalidArgument.New("problem", what+" value cannot be NaN"))
			}
			if n.Inf() {
				return failure(errs.InvalidArgument.New("problem", what+" value cannot be infinity"))
			}
		}
		if step.Zero() {
			return failure(zeroStep())
		}
		return func(yield func(types.Row, error) bool) {
			row := make(types.Row, 1)
			for v := from; ; v = v.Add(step) {
				c := v.Cmp(to) * step.Sign()
				if c > 0 || c == 0 && open {
					return
				}
				row[0] = types.NewNumeric(v)
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// zonedSeries is timeSeries in the zone of the last argument.
func zonedSeries(open bool) func(*Ctx, []types.T, types.Row) iter.Seq2[types.Row, error] {
	series := timeSeries(open)
	return func(ctx *Ctx, ts []types.T, args types.Row) iter.Seq2[types.Row, error] {
		loc, err := types.ParseZone(args[3].Bytes())
		if err != nil {
			return failure(err)
		}
		zoned := *ctx
		zoned.Loc = loc
		return series(&zoned, ts, args)
	}
}

func timeSeries(open bool) func(*Ctx, []types.T, types.Row) iter.Seq2[types.Row, error] {
	return func(ctx *Ctx, ts []types.T, args types.Row) iter.Seq2[types.Row, error] {
		step := args[2].Interval()
		sign := step.Cmp(types.Iv{})
		if sign == 0 {
			return failure(zeroStep())
		}
		return func(yield func(types.Row, error) bool) {
			row := make(types.Row, 1)
			for v, to := args[0].Int(), args[1].Int(); before(v, to, int64(sign), open); {
				row[0] = types.NewInt(v)
				if !yield(row, nil) {
					return
				}
				next, err := ctx.addToTimestamp(ts[0].Kind, v, step)
				if err != nil {
					yield(nil, err)
					return
				}
				v = next
			}
		}
	}
}
