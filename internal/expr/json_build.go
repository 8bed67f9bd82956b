package expr

import (
	"math"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// ToJSON is to_jsonb: numbers and booleans stay, arrays and structs become arrays and objects, all else becomes a string.
func ToJSON(ctx *Ctx, t types.T, d types.Datum) (types.JSON, error) {
	if d.IsNull() {
		return "null", nil
	}
	switch t.Kind {
	case types.KindBool:
		return types.JSONBoolOf(d.Bool()), nil
	case types.KindInt2, types.KindInt4, types.KindInt8:
		return types.JSONNumberOf(types.NumFromInt(d.Int())), nil
	case types.KindNumeric, types.KindInt256:
		if d.Num().Finite() {
			return types.JSONNumberOf(d.Num()), nil
		}
	case types.KindFloat4, types.KindFloat8:
		if f := d.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			n, err := types.ParseNum(types.Format(t, d, ctx.Ctx))
			return types.JSONNumberOf(n), err
		}
	case types.KindJSONB:
		return d.JSON(), nil
	case types.KindArray:
		return arrayToJSON(ctx, *t.Elem, d)
	case types.KindStruct:
		return structToJSON(ctx, t, d)
	case types.KindMap:
		return mapToJSON(ctx, t, d)
	case types.KindDate, types.KindTimestamp, types.KindTimestamptz:
		return types.JSONStringOf(isoTime(ctx, t, d)), nil
	case types.KindBytea:
		return types.JSONStringOf(types.Format(t, d, types.Ctx{})), nil
	}
	return types.JSONStringOf(types.Format(t, d, ctx.Ctx)), nil
}

func arrayToJSON(ctx *Ctx, elem types.T, d types.Datum) (types.JSON, error) {
	var out []types.JSON
	for _, v := range types.DecodeArray(elem, d.Bytes()) {
		j, err := ToJSON(ctx, elem, v)
		if err != nil {
			return "", err
		}
		out = append(out, j)
	}
	return types.JSONArrayOf(out), nil
}

// structToJSON names fields without a name f1, f2 and so on.
func structToJSON(ctx *Ctx, t types.T, d types.Datum) (types.JSON, error) {
	var out []types.JSONField
	for i, v := range types.DecodeStruct(t, d.Bytes()) {
		j, err := ToJSON(ctx, t.Fields[i].Type, v)
		if err != nil {
			return "", err
		}
		name := t.Fields[i].Name
		if name == "" {
			name = fieldName(i)
		}
		out = append(out, types.JSONField{Key: name, Value: j})
	}
	return types.JSONObjectOf(out), nil
}

// isoTime is ISO 8601 with a T, and minutes in the offset.
func isoTime(ctx *Ctx, t types.T, d types.Datum) string {
	s := types.Format(t, d, ctx.Ctx)
	if t.Kind == types.KindDate || infinite(d.Int()) {
		return s
	}
	s = strings.Replace(s, " ", "T", 1)
	if t.Kind != types.KindTimestamptz {
		return s
	}
	rest, bc := strings.CutSuffix(s, " BC")
	if i := strings.LastIndexAny(rest, "+-"); i >= 0 && len(rest)-i == 3 {
		rest += ":00"
	}
	if bc {
		rest += " BC"
	}
	return rest
}

func addJSONBuild(b *builder) {
	j := types.JSONB
	to := fn(func(ctx *Ctx, r row) (types.Datum, error) {
		v, err := ToJSON(ctx, r.typ(0), r.datum(0))
		return types.NewJSON(v), err
	})
	array := fn(func(ctx *Ctx, r row) (types.Datum, error) {
		out := make([]types.JSON, r.n())
		for k := range out {
			v, err := ToJSON(ctx, r.typ(k), r.datum(k))
			if err != nil {
				return types.Null, err
			}
			out[k] = v
		}
		return types.NewJSON(types.JSONArrayOf(out)), nil
	})
	empty := func(v types.JSON) impl { return nullary(func(*Ctx) types.Datum { return types.NewJSON(v) }) }
	for _, prefix := range []string{"jsonb", "json"} {
		b.fn("to_"+prefix, in(Any).out(j), to, "the value as JSON").stable()
		b.fn(prefix+"_build_array", in().out(j), empty("[]"), "the empty JSON array")
		b.fn(prefix+"_build_array", in(Any).many().out(j), array, "JSON array of the arguments").nulls().stable()
		b.fn(prefix+"_build_object", in().out(j), empty("{}"), "the empty JSON object")
		b.fn(prefix+"_build_object", in(Any).many().out(j), fn(jsonBuildObject), "JSON object of keys and values in turn").nulls().stable()
	}
	b.fn("row_to_json", in(AnyStruct).out(j), to, "the row as a JSON object").stable()
	b.fn("array_to_json", in(AnyArray).out(j), to, "the array as a JSON array").stable()
	texts := types.ArrayOf(types.Text)
	b.fn("jsonb_object", in(texts).out(j), fn(jsonObject), "JSON object of keys and values in turn")
	b.fn("jsonb_object", in(texts, texts).out(j), fn(jsonObjectPairs), "JSON object of an array of keys and one of values")
}

func jsonBuildObject(ctx *Ctx, r row) (types.Datum, error) {
	if r.n()%2 != 0 {
		return types.Null, errs.InvalidArgument.New("problem", "argument list must have even number of elements")
	}
	var out []types.JSONField
	for k := 0; k < r.n(); k += 2 {
		if r.null(k) {
			return types.Null, errs.NullNotAllowed.New("problem", "argument "+types.NumFromInt(int64(k+1)).String()+": key must not be null")
		}
		key, err := JSONKey(ctx, r.typ(k), r.datum(k))
		if err != nil {
			return types.Null, err
		}
		v, err := ToJSON(ctx, r.typ(k+1), r.datum(k+1))
		if err != nil {
			return types.Null, err
		}
		out = append(out, types.JSONField{Key: key, Value: v})
	}
	return types.NewJSON(types.JSONObjectOf(out)), nil
}

// JSONKey is a scalar as the key of an object.
func JSONKey(ctx *Ctx, t types.T, d types.Datum) (string, error) {
	if t.Kind == types.KindArray || t.Kind == types.KindStruct || t.Kind == types.KindJSONB {
		return "", errs.InvalidArgument.New("problem", "key value must be scalar, not array, composite, or json")
	}
	if t.Kind == types.KindBool {
		return string(types.JSONBoolOf(d.Bool())), nil
	}
	return types.Format(t, d, ctx.Ctx), nil
}

func jsonObject(_ *Ctx, r row) (types.Datum, error) {
	values := r.list(0)
	if len(values)%2 != 0 {
		return types.Null, errs.ArraySubscript.New("problem", "array must have even number of elements")
	}
	var keys, vals []types.Datum
	for k := 0; k < len(values); k += 2 {
		keys, vals = append(keys, values[k]), append(vals, values[k+1])
	}
	return objectOf(keys, vals)
}

func jsonObjectPairs(_ *Ctx, r row) (types.Datum, error) {
	keys, vals := r.list(0), r.list(1)
	if len(keys) != len(vals) {
		return types.Null, errs.ArraySubscript.New("problem", "mismatched array dimensions")
	}
	return objectOf(keys, vals)
}

func objectOf(keys, vals []types.Datum) (types.Datum, error) {
	var out []types.JSONField
	for k := range keys {
		if keys[k].IsNull() {
			return types.Null, errs.NullNotAllowed.New("problem", "null value not allowed for object key")
		}
		v := types.JSON("null")
		if !vals[k].IsNull() {
			v = types.JSONStringOf(vals[k].Bytes())
		}
		out = append(out, types.JSONField{Key: keys[k].Bytes(), Value: v})
	}
	return types.NewJSON(types.JSONObjectOf(out)), nil
}
