package types

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// MapOf returns RisingWave's map type. A map is held as an array of entries, structs of key and value, in the order of the
// keys, so that equal maps are equal datums and whatever works on arrays of structs works on maps.
func MapOf(key, value T) T {
	entry := StructOf(Field{"key", key}, Field{"value", value})
	return T{Kind: KindMap, Elem: &entry}
}

// MapKey is the type of a map's keys.
func (t T) MapKey() T { return t.Elem.Fields[0].Type }

// MapValue is the type of a map's values.
func (t T) MapValue() T { return t.Elem.Fields[1].Type }

// ValidMapKey reports whether values of the type may be keys: those whose equality is that of their text.
func ValidMapKey(t T) bool {
	switch t.Kind {
	case KindText, KindVarchar, KindInt2, KindInt4, KindInt8:
		return true
	}
	return false
}

// NewMap returns the map of keys to values. Keys are unique and not NULL.
func NewMap(t T, keys, values []Datum) (Datum, error) {
	if len(keys) != len(values) {
		return Null, errs.MapEntries.New("problem", "map keys and values have different length")
	}
	order := make([]int, len(keys))
	for i, k := range keys {
		if order[i] = i; k.IsNull() {
			return Null, errs.MapEntries.New("problem", "map keys must not be NULL")
		}
	}
	slices.SortFunc(order, func(i, j int) int { return Compare(t.MapKey(), keys[i], keys[j]) })
	entries := make([]Datum, len(keys))
	for at, i := range order {
		if at > 0 && Equal(t.MapKey(), keys[i], keys[order[at-1]]) {
			return Null, errs.MapEntries.New("problem", "map keys must be unique")
		}
		entries[at] = NewStruct(*t.Elem, []Datum{keys[i], values[i]})
	}
	return NewArray(*t.Elem, entries), nil
}

// DecodeMap returns the keys of a map in order and their values.
func DecodeMap(t T, s string) (keys, values []Datum) {
	for entry := range elements(*t.Elem, s) {
		kv := DecodeStruct(*t.Elem, entry.str)
		keys, values = append(keys, kv[0]), append(values, kv[1])
	}
	return keys, values
}

// appendMap adds {key:value,key:NULL}. Text that could be taken for something else is quoted as in an array.
func appendMap(dst []byte, t T, s string, c Ctx) []byte {
	keys, values := DecodeMap(t, s)
	dst = append(dst, '{')
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendMapPart(dst, t.MapKey(), k, c, ":"), ':')
		dst = appendMapPart(dst, t.MapValue(), values[i], c, "")
	}
	return append(dst, '}')
}

func appendMapPart(dst []byte, t T, d Datum, c Ctx, also string) []byte {
	if d.IsNull() {
		return append(dst, "NULL"...)
	}
	start := len(dst)
	dst = Append(dst, t, d, c)
	text := string(dst[start:])
	plain := text != "" && text == strings.Trim(text, spaces) && !strings.EqualFold(text, "null") && !strings.ContainsAny(text, "{},\"\\"+also)
	if plain || t.Kind == KindMap || t.Kind == KindArray {
		return dst
	}
	return quoteTail(dst, start, '\\')
}

// parseMap reads what appendMap writes.
func parseMap(t T, s string, c Ctx) (Datum, error) {
	in := strings.Trim(s, spaces)
	malformed := errs.MapEntries.New("problem", "malformed map literal: \""+s+"\"")
	if len(in) < 2 || in[0] != '{' || in[len(in)-1] != '}' {
		return Null, malformed
	}
	var keys, values []Datum
	for in = strings.Trim(in[1:len(in)-1], spaces); in != ""; {
		key, rest, ok := cutMapPart(in, ':')
		if !ok {
			return Null, malformed
		}
		value, rest, _ := cutMapPart(rest, ',')
		k, err := parseMapPart(t.MapKey(), key, c)
		if err != nil {
			return Null, err
		}
		v, err := parseMapPart(t.MapValue(), value, c)
		if err != nil {
			return Null, err
		}
		keys, values, in = append(keys, k), append(values, v), rest
	}
	return NewMap(t, keys, values)
}

// cutMapPart cuts at a sign outside of quotes and braces.
func cutMapPart(s string, sign byte) (part, rest string, found bool) {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == sign && depth == 0:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func parseMapPart(t T, s string, c Ctx) (Datum, error) {
	s = strings.Trim(s, spaces)
	if strings.EqualFold(s, "null") {
		return Null, nil
	}
	if t.Kind == KindMap || t.Kind == KindArray {
		return Parse(t, s, c)
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			out = append(out, s[i])
		case s[i] != '"':
			out = append(out, s[i])
		}
	}
	return Parse(t, string(out), c)
}
