package expr

import "github.com/tidemark-db/tidemark/internal/types"

func addAge(b *builder) {
	iv := types.Interval
	for _, t := range []types.T{types.Timestamp, types.Timestamptz} {
		k := t.Kind
		b.fn("age", in(t, t).out(iv), c2(func(ctx *Ctx, a, c int64) (types.Iv, error) {
			return age(ctx.localOf(k, a), ctx.localOf(k, c))
		}), "time between in years, months and days").zoned(k)
		b.fn("age", in(t).out(iv), c1(func(ctx *Ctx, a int64) (types.Iv, error) {
			return age(ctx.today()*microsDay, ctx.localOf(k, a))
		}), "time up to midnight of the current date").momentary()
	}
}

// localOf is the civil time of a timestamp.
func (ctx *Ctx) localOf(k types.Kind, ts int64) int64 {
	if k == types.KindTimestamptz {
		return types.ToLocal(ts, ctx.zone())
	}
	return ts
}

// age subtracts field by field and borrows: days of the earlier month, as PostgreSQL does.
func age(a, b int64) (types.Iv, error) {
	if infinite(a) || infinite(b) {
		return types.Iv{}, timestampRange()
	}
	sign := int64(1)
	if a < b {
		a, b, sign = b, a, -1
	}
	ad, at := types.SplitTimestamp(a)
	bd, bt := types.SplitTimestamp(b)
	ay, am, aday := types.CivilDate(ad)
	by, bm, bday := types.CivilDate(bd)
	micros, days, months := at-bt, aday-bday, (ay-by)*12+am-bm
	if micros < 0 {
		micros += microsDay
		days--
	}
	if days < 0 {
		days += monthDays(by, bm)
		months--
	}
	return types.Iv{Months: int32(sign * int64(months)), Days: int32(sign * int64(days)), Micros: sign * micros}, nil
}
