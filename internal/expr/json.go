package expr

import (
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// found turns a part of a document into a result, NULL where there is none.
func found(j types.JSON, ok bool) types.Datum {
	if !ok {
		return types.Null
	}
	return types.NewJSON(j)
}

// foundText is found as text; a JSON null is NULL too.
func foundText(j types.JSON, ok bool) types.Datum {
	if !ok || j.Kind() == types.JSONNull {
		return types.Null
	}
	return types.NewBytes(j.Text())
}

// element is a[i], and nothing for an object. To PostgreSQL a scalar is an array of itself here.
func element(j types.JSON, i int64) (types.JSON, bool) {
	switch j.Kind() {
	case types.JSONArray:
		return j.Index(int(i))
	case types.JSONObject:
		return "", false
	}
	return j, i == 0 || i == -1
}

func field(j types.JSON, key string) (types.JSON, bool) {
	if j.Kind() != types.JSONObject {
		return "", false
	}
	return j.Get(key)
}

// steps are a path's keys; a NULL among them leads nowhere.
func steps(values []types.Datum) ([]string, bool) {
	out := make([]string, len(values))
	for i, v := range values {
		if v.IsNull() {
			return nil, false
		}
		out[i] = v.Bytes()
	}
	return out, true
}

func path(j types.JSON, values []types.Datum) (types.JSON, bool) {
	keys, ok := steps(values)
	if !ok {
		return "", false
	}
	return j.Path(keys)
}

func addJSON(b *builder) {
	addJSONAccess(b)
	addJSONTests(b)
	addJSONPath(b)
	j, text := types.JSONB, types.Text
	for _, prefix := range []string{"jsonb", "json"} {
		b.fn(prefix+"_typeof", in(j).out(text), f1(func(v types.JSON) string { return v.Kind().String() }), "object, array, string, number, boolean or null")
		b.fn(prefix+"_array_length", in(j).out(types.Int4), f1e(arrayLength), "number of elements")
	}
	b.fn("jsonb_pretty", in(j).out(text), f1(func(v types.JSON) string { return string(pretty(nil, v, 0)) }), "the document with line breaks and indentation")
	b.fn("is_json", in(text).out(types.Bool), f1(func(s string) bool { _, err := types.ParseJSON(s); return err == nil }), "whether the text is JSON (IS JSON)")
	b.fn("is_json", in(text, text).out(types.Bool), f2(func(s, kind string) bool {
		v, err := types.ParseJSON(s)
		if err != nil {
			return false
		}
		switch k := v.Kind(); strings.ToLower(kind) {
		case "array":
			return k == types.JSONArray
		case "object":
			return k == types.JSONObject
		case "scalar":
			return k != types.JSONArray && k != types.JSONObject
		}
		return true
	}), "whether the text is JSON of a kind: value, array, object or scalar")
}

func addJSONAccess(b *builder) {
	j, text, i4 := types.JSONB, types.Text, types.Int4
	texts := types.ArrayOf(text)
	b.op("->", in(j, text).out(j), f2(func(v types.JSON, k string) types.Datum { return found(field(v, k)) }), "field of an object")
	b.op("->", in(j, i4).out(j), f2(func(v types.JSON, i int64) types.Datum { return found(element(v, i)) }), "element of an array, from 0; negative counts from the end")
	b.op("->>", in(j, text).out(text), f2(func(v types.JSON, k string) types.Datum { return foundText(field(v, k)) }), "field of an object as text")
	b.op("->>", in(j, i4).out(text), f2(func(v types.JSON, i int64) types.Datum { return foundText(element(v, i)) }), "element of an array as text")
	b.fn("jsonb_array_element", in(j, i4).out(j), f2(func(v types.JSON, i int64) types.Datum { return found(element(v, i)) }), "element of an array, from 0")
	b.fn("jsonb_array_element_text", in(j, i4).out(text), f2(func(v types.JSON, i int64) types.Datum { return foundText(element(v, i)) }), "element of an array as text")
	b.fn("jsonb_object_field", in(j, text).out(j), f2(func(v types.JSON, k string) types.Datum { return found(field(v, k)) }), "field of an object")
	b.fn("jsonb_object_field_text", in(j, text).out(text), f2(func(v types.JSON, k string) types.Datum { return foundText(field(v, k)) }), "field of an object as text")
	at := func(result func(types.JSON, bool) types.Datum, list func(row) []types.Datum) impl {
		return fn(func(_ *Ctx, r row) (types.Datum, error) { return result(path(r.json(0), list(r))), nil }).total()
	}
	array := func(r row) []types.Datum { return r.list(1) }
	rest := func(r row) []types.Datum {
		var out []types.Datum
		for k := 1; k < r.n(); k++ {
			out = append(out, r.datum(k))
		}
		return out
	}
	b.op("#>", in(j, texts).out(j), at(found, array), "part at a path")
	b.op("#>>", in(j, texts).out(text), at(foundText, array), "part at a path as text")
	for _, prefix := range []string{"jsonb", "json"} {
		b.fn(prefix+"_extract_path", in(j, text).many().out(j), at(found, rest), "part at a path")
		b.fn(prefix+"_extract_path_text", in(j, text).many().out(text), at(foundText, rest), "part at a path as text")
	}
}

func arrayLength(v types.JSON) (int64, error) {
	switch v.Kind() {
	case types.JSONArray:
		return int64(v.Len()), nil
	case types.JSONObject:
		return 0, errs.JSONType.New("problem", "cannot get array length of a non-array")
	}
	return 0, errs.JSONType.New("problem", "cannot get array length of a scalar")
}

func addJSONTests(b *builder) {
	j, text := types.JSONB, types.Text
	texts := types.ArrayOf(text)
	b.op("@>", in(j, j).out(types.Bool), f2(func(a, c types.JSON) bool { return jsonContains(a, c, true) }), "whether the first document contains the second")
	b.op("<@", in(j, j).out(types.Bool), f2(func(a, c types.JSON) bool { return jsonContains(c, a, true) }), "whether the second document contains the first")
	b.op("?", in(j, text).out(types.Bool), f2(hasKey), "whether the text is a key, or an element of the array")
	keys := func(all bool) impl {
		return fn(func(_ *Ctx, r row) (types.Datum, error) {
			for _, k := range r.list(1) {
				if !k.IsNull() && hasKey(r.json(0), k.Bytes()) != all {
					return types.NewBool(!all), nil
				}
			}
			return types.NewBool(all), nil
		}).total()
	}
	b.op("?|", in(j, texts).out(types.Bool), keys(false), "whether any of the texts is a key or element")
	b.op("?&", in(j, texts).out(types.Bool), keys(true), "whether all of the texts are keys or elements")
	b.fn("jsonb_contains", in(j, j).out(types.Bool), f2(func(a, c types.JSON) bool { return jsonContains(a, c, true) }), "whether the first document contains the second")
	b.fn("jsonb_exists", in(j, text).out(types.Bool), f2(hasKey), "whether the text is a key, or an element of the array")
}

func hasKey(v types.JSON, key string) bool {
	switch v.Kind() {
	case types.JSONObject:
		_, ok := v.Get(key)
		return ok
	case types.JSONArray:
		for e := range v.Elements() {
			if e.Kind() == types.JSONString && e.Text() == key {
				return true
			}
		}
	case types.JSONString:
		return v.Text() == key
	}
	return false
}

// jsonContains: an object contains one with some of its fields, an array one with some of its elements; at the top an
// array contains a scalar that is its element.
func jsonContains(a, b types.JSON, top bool) bool {
	switch {
	case a.Kind() == types.JSONObject && b.Kind() == types.JSONObject:
		for k, v := range b.Fields() {
			w, ok := a.Get(k)
			if !ok || !jsonContains(w, v, false) {
				return false
			}
		}
		return true
	case a.Kind() == types.JSONArray && b.Kind() == types.JSONArray:
		for v := range b.Elements() {
			if !anyContains(a, v) {
				return false
			}
		}
		return true
	case a.Kind() == types.JSONArray && top && b.Kind() != types.JSONObject:
		return anyContains(a, b)
	case a.Kind() == types.JSONNumber && b.Kind() == types.JSONNumber:
		return a.Num().Cmp(b.Num()) == 0
	}
	return a == b
}

func anyContains(a, v types.JSON) bool {
	for e := range a.Elements() {
		if e.Kind() == v.Kind() && jsonContains(e, v, false) {
			return true
		}
	}
	return false
}

// pretty indents by four blanks a level.
func pretty(dst []byte, v types.JSON, level int) []byte {
	indent := func(n int) {
		dst = append(dst, '\n')
		dst = append(dst, strings.Repeat("    ", n)...)
	}
	first := true
	next := func() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		indent(level + 1)
	}
	switch v.Kind() {
	case types.JSONArray:
		dst = append(dst, '[')
		for e := range v.Elements() {
			next()
			dst = pretty(dst, e, level+1)
		}
		indent(level)
		return append(dst, ']')
	case types.JSONObject:
		dst = append(dst, '{')
		for k, e := range v.Fields() {
			next()
			dst = append(append(dst, types.JSONStringOf(k)...), ": "...)
			dst = pretty(dst, e, level+1)
		}
		indent(level)
		return append(dst, '}')
	}
	return append(dst, v...)
}

// position reads a path's step as a position in an array.
func jsonPosition(step string) (int, error) {
	i, err := strconv.ParseInt(strings.TrimSpace(step), 10, 32)
	return int(i), err
}
