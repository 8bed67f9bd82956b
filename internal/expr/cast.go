package expr

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// A cast is a call of one of two functions: "cast" as written in SQL, which cuts text to varchar(n), and "cast_assign"
// as for storing into a column, which refuses text that is too long. What they do follows from the argument's type and
// the call's type.
func addCasts(b *builder) {
	declared := in(Any).outArg(0) // Registry.Cast sets the call's type
	cast := b.syntax("cast", declared, impl{eval: castEval(true), fails: true}, "the value as another type")
	assign := b.syntax("cast_assign", declared, impl{eval: castEval(false), fails: true}, "the value as a column's type")
	try := b.syntax("try_cast", declared, impl{eval: tryCast}, "the value as another type, NULL where that fails")
	for _, f := range []*Func{cast, assign, try} {
		f.Kind = KindCast
	}
}

// CanCast reports whether a value of one type becomes one of the other in the context.
func (r *Registry) CanCast(from, to types.T, context CastContext) bool {
	return castContext(from, to) >= context
}

// Cast returns e as type to. A literal without a type is read at once, so that its error has a place in the statement.
// A parameter without a type takes the type.
func (r *Registry) Cast(e Expr, to types.T, context CastContext) (Expr, error) {
	from := e.Type()
	if from.Equal(to) {
		return e, nil
	}
	if !r.CanCast(from, to, context) {
		return nil, errs.CannotCast.New("from", typeName(from), "to", typeName(to))
	}
	f := r.cast
	if context == CastAssignment {
		f = r.assign
	}
	if from.Kind != types.KindUnknown {
		return &Call{Fn: f, Args: []Expr{e}, T: to}, nil
	}
	switch e := e.(type) {
	case *Const:
		return castLiteral(f, e, to)
	case *Param:
		return &Param{N: e.N, T: to}, nil
	}
	return &Call{Fn: f, Args: []Expr{e}, T: to}, nil
}

// TryCast is TRY_CAST(e AS to): NULL where the cast fails.
func (r *Registry) TryCast(e Expr, to types.T) (Expr, error) {
	if !r.CanCast(e.Type(), to, CastExplicit) {
		return nil, errs.CannotCast.New("from", typeName(e.Type()), "to", typeName(to))
	}
	return &Call{Fn: r.syntax["try_cast"], Args: []Expr{e}, T: to}, nil
}

// castLiteral reads a literal where its value does not depend on the session; else the cast is kept for Fold.
func castLiteral(f *Func, e *Const, to types.T) (Expr, error) {
	if e.Value.IsNull() {
		return Null(to), nil
	}
	call := &Call{Fn: f, Args: []Expr{e}, T: to}
	if call.volatility() > Immutable {
		return call, unreadable(e, to)
	}
	d, err := EvalConst(&Ctx{}, call)
	if err != nil {
		return nil, err
	}
	return &Const{Value: d, T: to}, nil
}

// unreadable is the error of a time that no session could read, whatever its DateStyle.
func unreadable(e *Const, to types.T) error {
	leaf := to
	for leaf.Kind == types.KindArray {
		leaf = *leaf.Elem
	}
	switch leaf.Kind {
	case types.KindDate, types.KindTime, types.KindTimestamp, types.KindTimestamptz:
	default:
		return nil
	}
	_, err := types.Parse(to, e.Value.Bytes(), types.Ctx{})
	for _, other := range []types.Ctx{{DayBeforeMonth: true}, {YearBeforeMonth: true}} {
		if err == nil {
			break
		}
		if _, failed := types.Parse(to, e.Value.Bytes(), other); failed == nil {
			return nil
		}
	}
	return err
}

// convert turns one value that is not NULL into another type.
type convert func(ctx *Ctx, d types.Datum) (types.Datum, error)

// castEval converts, then fits to length, precision or scale.
func castEval(explicit bool) Eval {
	return func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		from, to := args[0].Type, out.Type
		conv := conversion(from, to, explicit)
		fit := modified(to)
		if conv == nil && !fit {
			nulls := out.Nulls
			*out = *args[0]
			out.Type, out.Nulls = to, nulls
			return nil
		}
		if !fit && isInt(from) && isInt(to) {
			return resizeInts(ctx, to.Kind, args[0].Ints, sel, out)
		}
		return perRow(ctx, sel, out, func(i int) error {
			d, err := args[0].Datum(i), error(nil)
			if conv != nil {
				d, err = conv(ctx, d)
			}
			if err == nil && fit && !d.IsNull() {
				d, err = types.Fit(to, d, explicit)
			}
			if err == nil {
				out.Set(i, d)
			}
			return err
		})
	}
}

// tryCast converts with NULL in place of a failure.
func tryCast(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
	quiet := *ctx
	quiet.OnError = func(int, error) {}
	return castEval(true)(&quiet, args, sel, out)
}

func modified(t types.T) bool {
	if t.Kind == types.KindArray {
		return modified(*t.Elem)
	}
	return t.Width != 0 || t.Scale != 0
}

// conversion chooses how to convert, modifiers aside; nil means that the values stay as they are.
func conversion(from, to types.T, explicit bool) convert {
	if from.SameKind(to) {
		return nil
	}
	if stringLike(from) && stringLike(to) {
		return textToText(from, to)
	}
	if c := numberConversion(from, to); c != nil {
		return c
	}
	if c := timeConversion(from.Kind, to.Kind); c != nil {
		return c
	}
	switch {
	case isReg(from) && isReg(to), isReg(from) && isInt(to):
		return nil
	case from.Kind == types.KindArray && to.Kind == types.KindArray:
		return arrayConversion(*from.Elem, *to.Elem, explicit)
	case from.Kind == types.KindStruct && to.Kind == types.KindStruct:
		return structConversion(from, to, explicit)
	case from.Kind == types.KindMap && to.Kind == types.KindMap:
		return mapConversion(from, to, explicit)
	case from.Kind == types.KindJSONB && !stringLike(to):
		return jsonConversion(to)
	case from.Kind == types.KindBool && stringLike(to):
		return boolToText
	case stringLike(from), from.Kind == types.KindUnknown:
		return textTo(to)
	}
	return toText(from)
}

func stringLike(t types.T) bool { return categoryOf(t) == catString || t.Kind == types.KindChar }

func isReg(t types.T) bool {
	switch t.Kind {
	case types.KindOid, types.KindRegclass, types.KindRegtype, types.KindRegproc, types.KindRegnamespace:
		return true
	}
	return false
}

// castVolatility: text forms of dates and times depend on the zone, and 'now' on the moment; reg types on the catalog.
func castVolatility(from, to types.T) Volatility {
	switch {
	case isReg(to) && !isReg(from) && categoryOf(from) != catNumber, isReg(from) && from.Kind != types.KindOid && stringLike(to):
		return Stable
	case from.Kind == types.KindArray:
		if to.Kind == types.KindArray {
			return castVolatility(*from.Elem, *to.Elem)
		}
		return castVolatility(*from.Elem, to)
	case to.Kind == types.KindArray:
		return castVolatility(from, *to.Elem)
	case from.Kind == types.KindStruct || to.Kind == types.KindStruct, from.Kind == types.KindMap || to.Kind == types.KindMap:
		return Stable
	case from.Kind == to.Kind:
		return Immutable
	case from.Kind == types.KindTimestamptz || to.Kind == types.KindTimestamptz:
		return Stable
	case from.Kind == types.KindUnknown || stringLike(from):
		if categoryOf(to) == catDatetime {
			return Stable
		}
	}
	return Immutable
}

// castFails tells the casts that never fail.
func castFails(from, to types.T) bool {
	if modified(to) {
		return to.Kind != types.KindVarchar && to.Kind != types.KindBpchar
	}
	switch {
	case from.SameKind(to), stringLike(to), to.Kind == types.KindNumeric && isInt(from), to.Kind == types.KindFloat8 && isInt(from):
		return false
	case isInt(from) && isInt(to):
		return intBits(from.Kind) > intBits(to.Kind)
	}
	return true
}
