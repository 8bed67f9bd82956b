package expr

import (
	"cmp"
	"math"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// comparison is one of the six operators, as a set of outcomes.
type comparison struct {
	name       string
	lt, eq, gt bool
	doc        string
}

var comparisons = []comparison{
	{"=", false, true, false, "equal"}, {"<>", true, false, true, "not equal"},
	{"<", true, false, false, "less"}, {"<=", true, true, false, "less or equal"},
	{">", false, false, true, "greater"}, {">=", false, true, true, "greater or equal"},
}

// holds tells whether the outcome of a comparison (negative, 0, positive) is one of the operator's.
func (c comparison) holds(order int) bool {
	return order < 0 && c.lt || order == 0 && c.eq || order > 0 && c.gt
}

func addComparison(b *builder) {
	ints := []types.T{types.Int2, types.Int4, types.Int8}
	floats := []types.T{types.Float4, types.Float8}
	same := []types.T{
		types.Bool, types.Numeric, types.Int256, types.Text, types.Bpchar, types.Bytea, types.Interval, types.UUID, types.JSONB,
		types.Date, types.Time, types.Timestamp, types.Timestamptz, types.Oid, types.Name, {Kind: types.KindChar}, AnyArray,
	}
	for _, c := range comparisons {
		both := func(l, r types.T, e Eval) { b.op(c.name, in(l, r).out(types.Bool), impl{eval: e}, c.doc) }
		for _, l := range ints {
			for _, r := range ints {
				both(l, r, compareInts(c))
			}
		}
		for _, l := range floats {
			for _, r := range floats {
				both(l, r, compareFloats(c))
			}
		}
		for _, t := range same {
			both(t, t, compareSame(c))
		}
		both(AnyStruct, AnyStruct, compareRows(c))
		addMixedTimes(c, both)
	}
	distinct := in(AnyElement, AnyElement).out(types.Bool)
	b.syntax("is distinct from", distinct, impl{eval: distinctFrom(true)}, "whether they differ, NULL being a value").nulls()
	b.syntax("is not distinct from", distinct, impl{eval: distinctFrom(false)}, "whether they are equal, NULL being a value").nulls()
	extreme := in(AnyCompatible).many().outArg(0)
	b.fn("greatest", extreme, extremeOf(1), "the largest of the arguments that are not NULL").nulls()
	b.fn("least", extreme, extremeOf(-1), "the smallest of the arguments that are not NULL").nulls()
	b.fn("nullif", in(AnyCompatible, AnyCompatible).outArg(0), impl{eval: nullIf}, "NULL when both are equal, else the first").nulls()
}

// compareSame compares values of one type.
func compareSame(c comparison) Eval {
	ints, floats, other := compareInts(c), compareFloats(c), compareBytes(c)
	return func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		switch args[0].Type.Phys() {
		case types.PhysInt:
			return ints(ctx, args, sel, out)
		case types.PhysFloat:
			return floats(ctx, args, sel, out)
		case types.PhysBool:
			a, b := args[0].Bools, args[1].Bools
			for i := range rows(sel, out.Len()) {
				out.Bools[i] = c.holds(int(bit(a[i])) - int(bit(b[i])))
			}
			return nil
		}
		return other(ctx, args, sel, out)
	}
}

func bit(v bool) int64 {
	if v {
		return 1
	}
	return 0
}

// compareInts has a loop for each operator: this is where filters spend their time.
func compareInts(c comparison) Eval {
	loop := orderedLoop[int64](c)
	return func(_ *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		loop(args[0].Ints, args[1].Ints, sel, out.Bools)
		return nil
	}
}

// orderedLoop compares with Go's operators.
func orderedLoop[E cmp.Ordered](c comparison) func(a, b []E, sel []int32, out []bool) {
	return func(a, b []E, sel []int32, out []bool) {
		if sel != nil {
			for _, i := range sel {
				out[i] = c.holds(cmp.Compare(a[i], b[i]))
			}
			return
		}
		a, b = a[:len(out)], b[:len(out)]
		switch c.name {
		case "=":
			for i := range out {
				out[i] = a[i] == b[i]
			}
		case "<>":
			for i := range out {
				out[i] = a[i] != b[i]
			}
		case "<":
			for i := range out {
				out[i] = a[i] < b[i]
			}
		case "<=":
			for i := range out {
				out[i] = a[i] <= b[i]
			}
		case ">":
			for i := range out {
				out[i] = a[i] > b[i]
			}
		default:
			for i := range out {
				out[i] = a[i] >= b[i]
			}
		}
	}
}

// compareFloats follows PostgreSQL: NaN equals NaN and is above all.
func compareFloats(c comparison) Eval {
	return func(_ *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, b := args[0].Floats, args[1].Floats
		for i := range rows(sel, out.Len()) {
			out.Bools[i] = c.holds(types.CompareFloat(a[i], b[i]))
		}
		return nil
	}
}

// bytewise tells the types whose strings compare as they are.
func bytewise(t types.T) bool {
	switch t.Kind {
	case types.KindText, types.KindVarchar, types.KindBytea, types.KindUUID, types.KindName, types.KindChar:
		return true
	}
	return false
}

func compareBytes(c comparison) Eval {
	plain := orderedLoop[string](c)
	return func(_ *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, b, t := args[0].Strs, args[1].Strs, args[0].Type
		if bytewise(t) {
			plain(a, b, sel, out.Bools)
			return nil
		}
		for i := range rows(sel, out.Len()) {
			out.Bools[i] = c.holds(types.CompareBytes(t, a[i], b[i]))
		}
		return nil
	}
}

// compareRows compares ROW values field by field: NULL where a NULL leaves the outcome open.
func compareRows(c comparison) Eval {
	return fn(func(_ *Ctx, r row) (types.Datum, error) {
		a, b := types.DecodeStruct(r.typ(0), r.str(0)), types.DecodeStruct(r.typ(1), r.str(1))
		if len(a) != len(b) {
			return types.Null, rowSizeError()
		}
		equality := c.lt == c.gt // = and <> go on after a NULL, the others stop there
		open := false
		for i := range a {
			if a[i].IsNull() || b[i].IsNull() {
				if !equality {
					return types.Null, nil
				}
				open = true
				continue
			}
			if o := compareFields(r.typ(0).Fields[i].Type, r.typ(1).Fields[i].Type, a[i], b[i]); o != 0 {
				return types.NewBool(c.holds(o)), nil
			}
		}
		if open {
			return types.Null, nil
		}
		return types.NewBool(c.eq), nil
	}).eval
}

// compareFields compares fields of two rows, numbers of unlike types by value.
func compareFields(l, r types.T, a, b types.Datum) int {
	if l.Phys() != r.Phys() || l.Kind != r.Kind && (l.Kind == types.KindNumeric || r.Kind == types.KindNumeric) {
		return numberOf(l, a).Cmp(numberOf(r, b))
	}
	return types.Compare(l, a, b)
}

func numberOf(t types.T, d types.Datum) types.Num {
	switch t.Phys() {
	case types.PhysInt:
		return types.NumFromInt(d.Int())
	case types.PhysFloat:
		return types.NumFromFloat(d.Float(), 64)
	}
	return d.Num()
}

// addMixedTimes compares dates and timestamps with each other.
func addMixedTimes(c comparison, add func(l, r types.T, e Eval)) {
	kinds := []types.T{types.Date, types.Timestamp, types.Timestamptz}
	for _, l := range kinds {
		for _, r := range kinds {
			if l.Kind != r.Kind {
				add(l, r, func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
					instant := l.Kind == types.KindTimestamptz || r.Kind == types.KindTimestamptz
					for i := range rows(sel, out.Len()) {
						a, b := ctx.timeline(l.Kind, args[0].Ints[i], instant), ctx.timeline(r.Kind, args[1].Ints[i], instant)
						out.Bools[i] = c.holds(cmp.Compare(a, b))
					}
					return nil
				})
			}
		}
	}
}

// timeline places a date or timestamp on the line of timestamps, of instants when asked.
func (ctx *Ctx) timeline(k types.Kind, v int64, instant bool) int64 {
	if k == types.KindDate {
		ts, err := dateToTimestamp(v)
		if err != nil {
			return math.MaxInt64 - 1 // beyond all timestamps but infinity
		}
		v = ts
	}
	if instant && k != types.KindTimestamptz {
		return types.FromLocal(v, ctx.zone())
	}
	return v
}

// distinctFrom compares with NULL as a value.
func distinctFrom(distinct bool) Eval {
	return func(_ *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, b := args[0], args[1]
		for i := range rows(sel, out.Len()) {
			x, y := a.Datum(i), b.Datum(i)
			out.Bools[i] = (types.CompareNull(a.Type, x, y) != 0) == distinct
		}
		return nil
	}
}

// extremeOf picks the largest or smallest argument.
func extremeOf(sign int) impl {
	return fn(func(_ *Ctx, r row) (types.Datum, error) {
		best := types.Null
		for k := range r.n() {
			d := r.datum(k)
			if !d.IsNull() && (best.IsNull() || types.Compare(r.ret, d, best)*sign > 0) {
				best = d
			}
		}
		return best, nil
	}).total()
}

func nullIf(_ *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
	for i := range rows(sel, out.Len()) {
		a, b := args[0].Datum(i), args[1].Datum(i)
		if !a.IsNull() && !b.IsNull() && types.Equal(args[0].Type, a, b) {
			a = types.Null
		}
		out.Set(i, a)
	}
	return nil
}
