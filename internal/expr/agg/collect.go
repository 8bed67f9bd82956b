package agg

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// eachInput runs f for every input in order, as often as it occurs; row holds the arguments only.
func eachInput(argN int, next func() (types.Row, int64, bool), f func(row types.Row) error) error {
	for row, n, ok := next(); ok; row, n, ok = next() {
		for range n {
			if err := f(row[len(row)-argN:]); err != nil {
				return err
			}
		}
	}
	return nil
}

func addCollections(r *Registry) {
	array := func(args []types.T) types.T { return types.ArrayOf(firstArg(args)) }
	r.add(&Func{Name: "array_agg", Args: []types.T{expr.AnyElement}, Ret: array, NullsIn: true, Ordered: &Ordered{Finish: arrayAgg},
		Doc: "array of the values, in the order of ORDER BY, else of the values"})
	for _, t := range []types.T{types.Text, types.Bytea} {
		r.add(&Func{Name: "string_agg", Args: []types.T{t, t}, Ret: fixed(t), NullsIn: true, Ordered: &Ordered{Finish: stringAgg},
			Doc: "the values that are not NULL, joined by the second argument"})
	}
	for _, name := range []string{"jsonb_agg", "json_agg"} {
		r.add(&Func{Name: name, Args: []types.T{expr.Any}, Ret: fixed(types.JSONB), NullsIn: true, Ordered: &Ordered{Finish: jsonAgg},
			Doc: "JSON array of the values"})
	}
	for _, name := range []string{"jsonb_object_agg", "json_object_agg"} {
		r.add(&Func{Name: name, Args: []types.T{expr.Any, expr.Any}, Ret: fixed(types.JSONB), NullsIn: true, Ordered: &Ordered{Finish: jsonObjectAgg},
			Doc: "JSON object of keys and values; of equal keys the last one in order wins"})
	}
}

func arrayAgg(_ *expr.Ctx, args []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
	var out []types.Datum
	err := eachInput(1, next, func(row types.Row) error { out = append(out, row[0]); return nil })
	if out == nil || err != nil {
		return types.Null, err
	}
	return types.NewArray(args[0], out), nil
}

func stringAgg(_ *expr.Ctx, _ []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
	var out strings.Builder
	found := false
	err := eachInput(2, next, func(row types.Row) error {
		if row[0].IsNull() {
			return nil
		}
		if found {
			out.WriteString(row[1].Bytes())
		}
		found = true
		out.WriteString(row[0].Bytes())
		return nil
	})
	if !found || err != nil {
		return types.Null, err
	}
	return types.NewBytes(out.String()), nil
}

func jsonAgg(ctx *expr.Ctx, args []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
	var out []types.JSON
	err := eachInput(1, next, func(row types.Row) error {
		j, err := expr.ToJSON(ctx, args[0], row[0])
		out = append(out, j)
		return err
	})
	if out == nil || err != nil {
		return types.Null, err
	}
	return types.NewJSON(types.JSONArrayOf(out)), nil
}

func jsonObjectAgg(ctx *expr.Ctx, args []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
	var out []types.JSONField
	err := eachInput(2, next, func(row types.Row) error {
		if row[0].IsNull() {
			return errs.NullNotAllowed.New("problem", "field name must not be null")
		}
		key, err := expr.JSONKey(ctx, args[0], row[0])
		if err != nil {
			return err
		}
		j, err := expr.ToJSON(ctx, args[1], row[1])
		out = append(out, types.JSONField{Key: key, Value: j})
		return err
	})
	if out == nil || err != nil {
		return types.Null, err
	}
	return types.NewJSON(types.JSONObjectOf(out)), nil
}
