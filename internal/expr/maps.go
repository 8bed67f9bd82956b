package expr

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// addMaps adds RisingWave's functions of maps. The binder gives keys and values the types of the map's.
func addMaps(b *builder) {
	b.fn("map_from_key_values", in(Any, Any).outOf(func(args []types.T) types.T { return types.MapOf(elemOf(args[0]), elemOf(args[1])) }),
		fn(func(_ *Ctx, r row) (types.Datum, error) { return types.NewMap(r.ret, r.list(0), r.list(1)) }), "map of an array of keys and one of values")
	b.fn("map_from_entries", in(AnyArray).outOf(func(args []types.T) types.T {
		if entry := elemOf(args[0]); len(entry.Fields) == 2 {
			return types.MapOf(entry.Fields[0].Type, entry.Fields[1].Type)
		}
		return types.MapOf(types.Text, types.Text)
	}), fn(func(_ *Ctx, r row) (types.Datum, error) {
		var keys, values []types.Datum
		for _, entry := range r.list(0) {
			if entry.IsNull() {
				return types.Null, errs.MapEntries.New("problem", "map entries must not be NULL")
			}
			kv := types.DecodeStruct(r.elem(0), entry.Bytes())
			keys, values = append(keys, kv[0]), append(values, kv[1])
		}
		return types.NewMap(r.ret, keys, values)
	}), "map of an array of structs of key and value")
	addMapParts(b)
	addMapChanges(b)
}

func elemOf(t types.T) types.T {
	if t.Kind == types.KindArray {
		return *t.Elem
	}
	return types.Text
}

// entryOf is the type of a map's entries; where a signature is only described there is no map.
func entryOf(t types.T) types.T {
	if t.Kind == types.KindMap {
		return *t.Elem
	}
	return *types.MapOf(types.Text, types.Text).Elem
}

func addMapParts(b *builder) {
	entries := func(args []types.T) types.T { return types.ArrayOf(entryOf(args[0])) }
	part := func(i int) func([]types.T) types.T {
		return func(args []types.T) types.T { return types.ArrayOf(entryOf(args[0]).Fields[i].Type) }
	}
	b.fn("map_length", in(AnyMap).out(types.Int4), fn(func(_ *Ctx, r row) (types.Datum, error) {
		return types.NewInt(int64(types.ArrayLen(*r.typ(0).Elem, r.str(0)))), nil
	}).total(), "number of entries")
	b.fn("map_entries", in(AnyMap).outOf(entries), fn(func(_ *Ctx, r row) (types.Datum, error) { return r.datum(0), nil }).total(), "the entries as structs, in the order of the keys")
	b.fn("map_keys", in(AnyMap).outOf(part(0)), fn(func(_ *Ctx, r row) (types.Datum, error) {
		keys, _ := types.DecodeMap(r.typ(0), r.str(0))
		return types.NewArray(r.typ(0).MapKey(), keys), nil
	}).total(), "the keys in order")
	b.fn("map_values", in(AnyMap).outOf(part(1)), fn(func(_ *Ctx, r row) (types.Datum, error) {
		_, values := types.DecodeMap(r.typ(0), r.str(0))
		return types.NewArray(r.typ(0).MapValue(), values), nil
	}).total(), "the values in the order of their keys")
	b.fn("map_access", in(AnyMap, Any).outOf(func(args []types.T) types.T { return entryOf(args[0]).Fields[1].Type }), fn(func(_ *Ctx, r row) (types.Datum, error) {
		_, values := types.DecodeMap(r.typ(0), r.str(0))
		if i := r.keyAt(r.datum(1)); i >= 0 {
			return values[i], nil
		}
		return types.Null, nil
	}).total(), "value of a key, NULL without one")
	b.fn("map_contains", in(AnyMap, Any).out(types.Bool), fn(func(_ *Ctx, r row) (types.Datum, error) {
		return types.NewBool(r.keyAt(r.datum(1)) >= 0), nil
	}).total(), "whether there is such a key")
}

// keyAt is the position of a key in the map that is argument 0, -1 without one.
func (r row) keyAt(key types.Datum) int {
	keys, _ := types.DecodeMap(r.typ(0), r.str(0))
	for i, k := range keys {
		if types.Equal(r.typ(0).MapKey(), k, key) {
			return i
		}
	}
	return -1
}

func addMapChanges(b *builder) {
	b.fn("map_cat", in(AnyMap, AnyMap).outArg(0), fn(func(_ *Ctx, r row) (types.Datum, error) {
		switch {
		case r.null(0):
			return r.datum(1), nil
		case r.null(1):
			return r.datum(0), nil
		}
		keys, values := types.DecodeMap(r.typ(1), r.str(1))
		return r.with(keys, values)
	}), "both joined; of equal keys the second one's value stays").nulls()
	b.fn("map_insert", in(AnyMap, Any, Any).outArg(0), fn(func(_ *Ctx, r row) (types.Datum, error) {
		if r.null(0) || r.null(1) {
			return types.Null, nil
		}
		return r.with([]types.Datum{r.datum(1)}, []types.Datum{r.datum(2)})
	}), "with a value for a key").nulls()
	b.fn("map_delete", in(AnyMap, Any).outArg(0), fn(func(_ *Ctx, r row) (types.Datum, error) {
		i := r.keyAt(r.datum(1))
		if i < 0 {
			return r.datum(0), nil
		}
		keys, values := types.DecodeMap(r.typ(0), r.str(0))
		return types.NewMap(r.ret, append(keys[:i], keys[i+1:]...), append(values[:i], values[i+1:]...))
	}), "without a key")
	b.fn("map_filter", in(AnyMap, types.ArrayOf(types.Bool)).outArg(0), fn(mapFilter), "the entries for which a lambda expression |key, value| holds, NULL when there are none")
	b.fn("jsonb_populate_map", in(AnyMap, types.JSONB).outArg(0), fn(populateMap), "the map with the entries of a JSON object").nulls()
}

// with is the map that is argument 0 with other values for some keys.
func (r row) with(keys, values []types.Datum) (types.Datum, error) {
	t := r.ret
	allKeys, allValues := keys, values
	if !r.null(0) {
		old, oldValues := types.DecodeMap(t, r.str(0))
		for i, k := range old {
			if !holds(t.MapKey(), keys, k) {
				allKeys, allValues = append(allKeys, k), append(allValues, oldValues[i])
			}
		}
	}
	return types.NewMap(t, allKeys, allValues)
}

// mapFilter keeps the entries whose flag is true; the flags are in the order of the keys.
func mapFilter(_ *Ctx, r row) (types.Datum, error) {
	var keep []types.Datum
	flags := r.list(1)
	for i, entry := range types.DecodeArray(*r.ret.Elem, r.str(0)) {
		if f := flags[i]; !f.IsNull() && f.Bool() {
			keep = append(keep, entry)
		}
	}
	if keep == nil {
		return types.Null, nil
	}
	return types.NewArray(*r.ret.Elem, keep), nil
}

func populateMap(ctx *Ctx, r row) (types.Datum, error) {
	if r.null(1) {
		return r.datum(0), nil
	}
	object := types.JSON(r.str(1))
	switch k := r.ret.MapKey().Kind; {
	case k != types.KindText && k != types.KindVarchar:
		return types.Null, errs.MapEntries.New("problem", "cannot convert jsonb to a map with non-string keys")
	case object.Kind() != types.JSONObject:
		return types.Null, errs.MapEntries.New("problem", "cannot convert a jsonb "+object.Kind().String()+" to a map")
	}
	var keys, values []types.Datum
	for name, v := range object.Fields() {
		d, err := fromJSON(ctx, r.ret.MapValue(), v)
		if err != nil {
			return types.Null, err
		}
		keys, values = append(keys, types.NewBytes(name)), append(values, d)
	}
	return r.with(keys, values)
}

// mapConversion converts keys and values; keys may take another order.
func mapConversion(from, to types.T, explicit bool) convert {
	parts := [2]convert{conversion(from.MapKey(), to.MapKey(), explicit), conversion(from.MapValue(), to.MapValue(), explicit)}
	return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
		keys, values := types.DecodeMap(from, d.Bytes())
		for i, list := range [][]types.Datum{keys, values} {
			for k, v := range list {
				if parts[i] == nil || v.IsNull() {
					continue
				}
				c, err := parts[i](ctx, v)
				if err != nil {
					return types.Null, err
				}
				list[k] = c
			}
		}
		return types.NewMap(to, keys, values)
	}
}

// mapToJSON is an object with the text of the keys.
func mapToJSON(ctx *Ctx, t types.T, d types.Datum) (types.JSON, error) {
	var out []types.JSONField
	keys, values := types.DecodeMap(t, d.Bytes())
	for i, k := range keys {
		j, err := ToJSON(ctx, t.MapValue(), values[i])
		if err != nil {
			return "", err
		}
		out = append(out, types.JSONField{Key: types.Format(t.MapKey(), k, ctx.Ctx), Value: j})
	}
	return types.JSONObjectOf(out), nil
}
