package expr

import (
	"iter"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// addJSONSets adds the functions over the members of JSON documents.
func (r *Registry) addJSONSets() {
	j, text := types.JSONB, types.Text
	for _, prefix := range []string{"jsonb", "json"} {
		r.jsonSet(prefix+"_array_elements", j, types.JSONArray, func(v types.JSON) iter.Seq[types.Row] {
			return elementRows(v, func(e types.JSON) types.Datum { return types.NewJSON(e) })
		}, "the elements of a JSON array")
		r.jsonSet(prefix+"_array_elements_text", text, types.JSONArray, func(v types.JSON) iter.Seq[types.Row] {
			return elementRows(v, func(e types.JSON) types.Datum { return foundText(e, true) })
		}, "the elements of a JSON array as text")
		r.jsonSet(prefix+"_object_keys", text, types.JSONObject, func(v types.JSON) iter.Seq[types.Row] {
			return fieldRows(v, func(k string, _ types.JSON) types.Row { return types.Row{types.NewBytes(k)} })
		}, "the keys of a JSON object")
		r.jsonEach(prefix+"_each", j, func(e types.JSON) types.Datum { return types.NewJSON(e) }, "keys and values of a JSON object")
		r.jsonEach(prefix+"_each_text", text, func(e types.JSON) types.Datum { return foundText(e, true) }, "keys and values of a JSON object as text")
	}
	r.addJSONPathSet()
	r.setOf("jsonb_populate_recordset", in(AnyStruct, j).outArg(0), func(args []types.T) []types.Field { return args[0].Fields },
		func(ctx *Ctx, ts []types.T, args types.Row) iter.Seq2[types.Row, error] {
			return func(yield func(types.Row, error) bool) {
				if args[1].IsNull() {
					return
				}
				for e := range args[1].JSON().Elements() {
					d, err := populate(ctx, ts[0], args[0], e)
					if err != nil {
						yield(nil, err)
						return
					}
					if !yield(types.DecodeStruct(ts[0], d.Bytes()), nil) {
						return
					}
				}
			}
		}, "structs of the first argument's type, one for each element of a JSON array").Strict = false
}

func elementRows(v types.JSON, f func(types.JSON) types.Datum) iter.Seq[types.Row] {
	return func(yield func(types.Row) bool) {
		for e := range v.Elements() {
			if !yield(types.Row{f(e)}) {
				return
			}
		}
	}
}

func fieldRows(v types.JSON, f func(string, types.JSON) types.Row) iter.Seq[types.Row] {
	return func(yield func(types.Row) bool) {
		for k, e := range v.Fields() {
			if !yield(f(k, e)) {
				return
			}
		}
	}
}

// jsonSet adds a function over the members of a document of one kind.
func (r *Registry) jsonSet(name string, ret types.T, kind types.JSONKind, f func(types.JSON) iter.Seq[types.Row], doc string) {
	s := r.set(name, in(types.JSONB).out(ret), membersOf(name, kind, f), doc)
	if kind == types.JSONArray {
		s.Fields = func([]types.T) []types.Field { return []types.Field{{Name: "value", Type: ret}} }
	}
}

func (r *Registry) jsonEach(name string, ret types.T, f func(types.JSON) types.Datum, doc string) {
	fields := func([]types.T) []types.Field {
		return []types.Field{{Name: "key", Type: types.Text}, {Name: "value", Type: ret}}
	}
	r.setOf(name, in(types.JSONB).out(ret), fields, membersOf(name, types.JSONObject, func(v types.JSON) iter.Seq[types.Row] {
		return fieldRows(v, func(k string, e types.JSON) types.Row { return types.Row{types.NewBytes(k), f(e)} })
	}), doc)
}

func membersOf(name string, kind types.JSONKind, f func(types.JSON) iter.Seq[types.Row]) func(*Ctx, []types.T, types.Row) iter.Seq2[types.Row, error] {
	return func(_ *Ctx, _ []types.T, args types.Row) iter.Seq2[types.Row, error] {
		v := args[0].JSON()
		if v.Kind() != kind {
			return failure(notMembers(name, v, kind))
		}
		return func(yield func(types.Row, error) bool) {
			for row := range f(v) {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

func notMembers(name string, v types.JSON, kind types.JSONKind) error {
	what := map[types.JSONKind]string{types.JSONArray: "an array", types.JSONObject: "an object"}[v.Kind()]
	switch {
	case kind == types.JSONArray && what != "":
		return errs.JSONType.New("problem", "cannot extract elements from "+what)
	case kind == types.JSONArray:
		return errs.JSONType.New("problem", "cannot extract elements from a scalar")
	case what == "":
		what = "a scalar"
	}
	if name == "jsonb_object_keys" || name == "json_object_keys" {
		return errs.JSONType.New("problem", "cannot call "+name+" on "+what)
	}
	return errs.JSONType.New("problem", "cannot call "+name+" on a non-object")
}
