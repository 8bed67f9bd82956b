package expr

import (
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addJSONEdit(b *builder) {
	j, text, i4 := types.JSONB, types.Text, types.Int4
	texts := types.ArrayOf(text)
	b.op("||", in(j, j).out(j), f2(jsonConcat), "both joined; of equal keys the second one's value stays")
	b.fn("jsonb_concat", in(j, j).out(j), f2(jsonConcat), "both joined")
	b.op("-", in(j, text).out(j), f2e(func(v types.JSON, k string) (types.JSON, error) { return without(v, k) }), "without a key, or without such elements")
	b.op("-", in(j, texts).out(j), fn(func(_ *Ctx, r row) (types.Datum, error) {
		var keys []string
		for _, k := range r.list(1) {
			if !k.IsNull() {
				keys = append(keys, k.Bytes())
			}
		}
		v, err := without(r.json(0), keys...)
		return types.NewJSON(v), err
	}), "without some keys or elements")
	b.op("-", in(j, i4).out(j), f2e(withoutIndex), "without the element at a position")
	b.op("#-", in(j, texts).out(j), fn(func(_ *Ctx, r row) (types.Datum, error) {
		keys, ok := steps(r.list(1))
		if !ok {
			return types.Null, nullPath(r.list(1))
		}
		v, err := edit(r.json(0), keys, removal{})
		return types.NewJSON(v), err
	}), "without the part at a path")
	b.fn("jsonb_delete_path", in(j, texts).out(j), b.r.ops["#-"].funcs[0].impl(), "without the part at a path")
	set := func(r row, create, insert, after bool) (types.Datum, error) {
		keys, ok := steps(r.list(1))
		if !ok {
			return types.Null, nullPath(r.list(1))
		}
		v, err := edit(r.json(0), keys, replacement{value: r.json(2), create: create, insert: insert, after: after})
		return types.NewJSON(v), err
	}
	b.fn("jsonb_set", in(j, texts, j).out(j), fn(func(_ *Ctx, r row) (types.Datum, error) { return set(r, true, false, false) }), "with the part at a path replaced, or added")
	b.fn("jsonb_set", in(j, texts, j, types.Bool).out(j), fn(func(_ *Ctx, r row) (types.Datum, error) { return set(r, r.bool(3), false, false) }), "with the part at a path replaced, or added when asked")
	b.fn("jsonb_insert", in(j, texts, j).out(j), fn(func(_ *Ctx, r row) (types.Datum, error) { return set(r, true, true, false) }), "with a value inserted before the element at a path")
	b.fn("jsonb_insert", in(j, texts, j, types.Bool).out(j), fn(func(_ *Ctx, r row) (types.Datum, error) { return set(r, true, true, r.bool(3)) }), "with a value inserted before or after the element at a path")
	for _, prefix := range []string{"jsonb", "json"} {
		b.fn(prefix+"_strip_nulls", in(j).out(j), f1(stripNulls), "without fields that are null, at all levels")
	}
	b.fn("jsonb_populate_record", in(AnyStruct, j).outArg(0), fn(func(ctx *Ctx, r row) (types.Datum, error) {
		if r.null(1) {
			return r.datum(0), nil
		}
		return populate(ctx, r.typ(0), r.datum(0), r.json(1))
	}), "a struct of the first argument's type with the document's fields").nulls().stable()
}

func nullPath(values []types.Datum) error {
	for i, v := range values {
		if v.IsNull() {
			return errs.NullNotAllowed.New("problem", fmt.Sprintf("path element at position %d is null", i+1))
		}
	}
	return nil
}

func fieldsOf(v types.JSON) []types.JSONField {
	var out []types.JSONField
	for k, e := range v.Fields() {
		out = append(out, types.JSONField{Key: k, Value: e})
	}
	return out
}

// jsonConcat joins objects by key and everything else as arrays.
func jsonConcat(a, b types.JSON) types.JSON {
	if a.Kind() == types.JSONObject && b.Kind() == types.JSONObject {
		return types.JSONObjectOf(append(fieldsOf(a), fieldsOf(b)...))
	}
	return types.JSONArrayOf(append(asElements(a), asElements(b)...))
}

func asElements(v types.JSON) []types.JSON {
	if v.Kind() != types.JSONArray {
		return []types.JSON{v}
	}
	return slices.Collect(v.Elements())
}

func without(v types.JSON, keys ...string) (types.JSON, error) {
	switch v.Kind() {
	case types.JSONObject:
		return types.JSONObjectOf(slices.DeleteFunc(fieldsOf(v), func(f types.JSONField) bool { return slices.Contains(keys, f.Key) })), nil
	case types.JSONArray:
		return types.JSONArrayOf(slices.DeleteFunc(asElements(v), func(e types.JSON) bool {
			return e.Kind() == types.JSONString && slices.Contains(keys, e.Text())
		})), nil
	}
	return "", errs.JSONType.New("problem", "cannot delete from scalar")
}

func withoutIndex(v types.JSON, i int64) (types.JSON, error) {
	switch v.Kind() {
	case types.JSONObject:
		return "", errs.JSONType.New("problem", "cannot delete from object using integer index")
	case types.JSONArray:
		es := asElements(v)
		if i < 0 {
			i += int64(len(es))
		}
		if i < 0 || i >= int64(len(es)) {
			return v, nil
		}
		return types.JSONArrayOf(slices.Delete(es, int(i), int(i)+1)), nil
	}
	return "", errs.JSONType.New("problem", "cannot delete from scalar")
}

// change is what edit does at the end of a path.
type change interface {
	// inObject and inArray return the members with the change; found tells whether the key or position exists.
	inObject(fields []types.JSONField, key string, at int) ([]types.JSONField, error)
	inArray(es []types.JSON, at int) []types.JSON
	verb() string
}

type removal struct{}

func (removal) verb() string { return "delete path" }

func (removal) inObject(fields []types.JSONField, _ string, at int) ([]types.JSONField, error) {
	if at < 0 {
		return fields, nil
	}
	return slices.Delete(fields, at, at+1), nil
}

func (removal) inArray(es []types.JSON, at int) []types.JSON {
	if at < 0 || at >= len(es) {
		return es
	}
	return slices.Delete(es, at, at+1)
}

// replacement sets or inserts a value.
type replacement struct {
	value                 types.JSON
	create, insert, after bool
}

func (c replacement) verb() string { return "set path" }

func (c replacement) inObject(fields []types.JSONField, key string, at int) ([]types.JSONField, error) {
	switch {
	case at >= 0 && c.insert:
		return nil, errs.InvalidArgument.New("problem", "cannot replace existing key")
	case at >= 0:
		fields[at].Value = c.value
	case c.create:
		fields = append(fields, types.JSONField{Key: key, Value: c.value})
	}
	return fields, nil
}

// inArray gets a position that may lie outside: before the start -1, after the end the length.
func (c replacement) inArray(es []types.JSON, at int) []types.JSON {
	switch {
	case at >= 0 && at < len(es) && !c.insert:
		es[at] = c.value
	case at >= 0 && at < len(es) && c.after:
		es = slices.Insert(es, at+1, c.value)
	case at >= 0 && at < len(es):
		es = slices.Insert(es, at, c.value)
	case !c.create:
	case at < 0:
		es = slices.Insert(es, 0, c.value)
	default:
		es = append(es, c.value)
	}
	return es
}

// edit applies a change at the end of a path; a path that leads nowhere changes nothing.
func edit(v types.JSON, keys []string, c change) (types.JSON, error) {
	if v.Kind() != types.JSONObject && v.Kind() != types.JSONArray {
		if c.verb() == "set path" {
			return "", errs.JSONType.New("problem", "cannot set path in scalar")
		}
		return "", errs.JSONType.New("problem", "cannot delete path in scalar")
	}
	return editAt(v, keys, c, 1)
}

func editAt(v types.JSON, keys []string, c change, depth int) (types.JSON, error) {
	if len(keys) == 0 {
		return v, nil
	}
	switch v.Kind() {
	case types.JSONObject:
		return editObject(v, keys, c, depth)
	case types.JSONArray:
		return editArray(v, keys, c, depth)
	}
	return v, nil
}

func editObject(v types.JSON, keys []string, c change, depth int) (types.JSON, error) {
	fields := fieldsOf(v)
	at := slices.IndexFunc(fields, func(f types.JSONField) bool { return f.Key == keys[0] })
	var err error
	if len(keys) == 1 {
		fields, err = c.inObject(fields, keys[0], at)
	} else if at >= 0 {
		fields[at].Value, err = editAt(fields[at].Value, keys[1:], c, depth+1)
	}
	return types.JSONObjectOf(fields), err
}

func editArray(v types.JSON, keys []string, c change, depth int) (types.JSON, error) {
	at, err := jsonPosition(keys[0])
	if err != nil {
		return "", errs.InvalidText.New("type", "integer", "value", keys[0]).WithDetail("path element at position %d is not an integer", depth)
	}
	es := asElements(v)
	if at < 0 {
		at = max(at+len(es), -1)
	}
	if len(keys) == 1 {
		es = c.inArray(es, at)
	} else if at >= 0 && at < len(es) {
		es[at], err = editAt(es[at], keys[1:], c, depth+1)
	}
	return types.JSONArrayOf(es), err
}

func stripNulls(v types.JSON) types.JSON {
	switch v.Kind() {
	case types.JSONArray:
		es := asElements(v)
		for i := range es {
			es[i] = stripNulls(es[i])
		}
		return types.JSONArrayOf(es)
	case types.JSONObject:
		fields := slices.DeleteFunc(fieldsOf(v), func(f types.JSONField) bool { return f.Value.Kind() == types.JSONNull })
		for i := range fields {
			fields[i].Value = stripNulls(fields[i].Value)
		}
		return types.JSONObjectOf(fields)
	}
	return v
}

// populate reads an object's fields into a struct; those that the object does not have come from base.
func populate(ctx *Ctx, t types.T, base types.Datum, v types.JSON) (types.Datum, error) {
	if v.Kind() != types.JSONObject {
		return types.Null, errs.JSONType.New("problem", "cannot call jsonb_populate_record on a non-object")
	}
	values := make([]types.Datum, len(t.Fields))
	if !base.IsNull() {
		values = types.DecodeStruct(t, base.Bytes())
	}
	for i, f := range t.Fields {
		e, ok := v.Get(f.Name)
		if !ok {
			continue
		}
		d, err := fromJSON(ctx, f.Type, e)
		if err != nil {
			return types.Null, err
		}
		values[i] = d
	}
	return types.NewStruct(t, values), nil
}

// fromJSON reads a value of any type.
func fromJSON(ctx *Ctx, t types.T, v types.JSON) (types.Datum, error) {
	switch {
	case v.Kind() == types.JSONNull:
		return types.Null, nil
	case t.Kind == types.KindJSONB:
		return types.NewJSON(v), nil
	case t.Kind == types.KindArray && v.Kind() == types.JSONArray:
		var out []types.Datum
		for e := range v.Elements() {
			d, err := fromJSON(ctx, *t.Elem, e)
			if err != nil {
				return types.Null, err
			}
			out = append(out, d)
		}
		return types.NewArray(*t.Elem, out), nil
	case t.Kind == types.KindStruct && v.Kind() == types.JSONObject:
		return populate(ctx, t, types.Null, v)
	}
	return types.Parse(t, v.Text(), ctx.Ctx)
}
