package types

import (
	"iter"
	"slices"
	"strings"
)

// JSON is a jsonb value in canonical text, the content of a jsonb datum: as PostgreSQL prints it, with keys ordered by
// length, then bytes, each once. Parts of a value share its memory.
type JSON string

// JSONKind is the kind of a JSON value, in PostgreSQL's order.
type JSONKind uint8

const (
	JSONNull JSONKind = iota
	JSONString
	JSONNumber
	JSONBool
	JSONArray
	JSONObject
)

// String returns the name that jsonb_typeof gives.
func (k JSONKind) String() string {
	return [...]string{"null", "string", "number", "boolean", "array", "object"}[k]
}

// JSON returns the value of a jsonb datum.
func (d Datum) JSON() JSON { return JSON(d.str) }

// NewJSON returns the datum of a canonical value.
func NewJSON(j JSON) Datum { return NewBytes(string(j)) }

// Kind tells what the value is.
func (j JSON) Kind() JSONKind {
	if len(j) == 0 {
		return JSONNull
	}
	switch j[0] {
	case 'n':
		return JSONNull
	case '"':
		return JSONString
	case 't', 'f':
		return JSONBool
	case '[':
		return JSONArray
	case '{':
		return JSONObject
	}
	return JSONNumber
}

// Bool, Num and Text read a scalar. Text is what ->> gives: a string without quotes, the canonical text of all others.
func (j JSON) Bool() bool { return j == "true" }

// Num reads a number.
func (j JSON) Num() Num {
	n, _ := parseNum(string(j))
	return n
}

// Text reads a string; other values give their canonical text.
func (j JSON) Text() string {
	if j.Kind() != JSONString {
		return string(j)
	}
	return unquoteJSON(string(j))
}

// Elements iterates over an array.
func (j JSON) Elements() iter.Seq[JSON] {
	return func(yield func(JSON) bool) {
		if j.Kind() != JSONArray {
			return
		}
		for s := j.content(); len(s) > 0; {
			n := valueLen(s)
			if !yield(JSON(s[:n])) {
				return
			}
			s = strings.TrimPrefix(s[n:], ", ")
		}
	}
}

// Fields iterates over an object in key order.
func (j JSON) Fields() iter.Seq2[string, JSON] {
	return func(yield func(string, JSON) bool) {
		if j.Kind() != JSONObject {
			return
		}
		for s := j.content(); len(s) > 0; {
			n := valueLen(s)
			key := unquoteJSON(s[:n])
			s = strings.TrimPrefix(s[n:], ": ")
			n = valueLen(s)
			if !yield(key, JSON(s[:n])) {
				return
			}
			s = strings.TrimPrefix(s[n:], ", ")
		}
	}
}

// content is the text between the brackets.
func (j JSON) content() string {
	if len(j) < 2 {
		return ""
	}
	return string(j[1 : len(j)-1])
}

// Len is the number of elements or fields.
func (j JSON) Len() int {
	n := 0
	for range j.Elements() {
		n++
	}
	for range j.Fields() {
		n++
	}
	return n
}

// Get returns the value of a key of an object.
func (j JSON) Get(key string) (JSON, bool) {
	for k, v := range j.Fields() {
		if k == key {
			return v, true
		}
	}
	return "", false
}

// Index returns an element of an array; negative positions count from the end.
func (j JSON) Index(i int) (JSON, bool) {
	if i < 0 {
		i += j.Len()
	}
	for v := range j.Elements() {
		if i == 0 {
			return v, true
		}
		i--
	}
	return "", false
}

// Path follows keys and positions, as #> does.
func (j JSON) Path(steps []string) (JSON, bool) {
	ok := true
	for _, step := range steps {
		switch j.Kind() {
		case JSONObject:
			j, ok = j.Get(step)
		case JSONArray:
			i, isInt := parsePosition(step)
			if !isInt {
				return "", false
			}
			j, ok = j.Index(i)
		default:
			return "", false
		}
		if !ok {
			return "", false
		}
	}
	return j, true
}

// parsePosition reads a step of a path as an array position.
func parsePosition(s string) (int, bool) {
	v, problem := parseInt(s, 32)
	return int(v), problem == numberOK
}

// valueLen is the length of the value at the start of canonical text, at least 1: who walks over damaged bytes gets on.
func valueLen(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i += stringLen(s[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',', ':':
			if depth == 0 {
				return max(i, 1)
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(s)
}

// stringLen is the length of the quoted string at the start of s.
func stringLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// JSONField is a key and its value.
type JSONField struct {
	Key   string
	Value JSON
}

// JSONObjectOf returns the object of the fields; of equal keys the last one wins. It reorders fields.
func JSONObjectOf(fields []JSONField) JSON {
	slices.SortStableFunc(fields, func(a, b JSONField) int { return compareKeys(a.Key, b.Key) })
	dst := []byte{'{'}
	for i, f := range fields {
		if i+1 < len(fields) && fields[i+1].Key == f.Key {
			continue
		}
		if len(dst) > 1 {
			dst = append(dst, ", "...)
		}
		dst = append(appendJSONString(dst, f.Key), ": "...)
		dst = append(dst, f.Value...)
	}
	return JSON(append(dst, '}'))
}

// compareKeys is the order of keys in an object.
func compareKeys(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// JSONArrayOf returns the array of the values.
func JSONArrayOf(values []JSON) JSON {
	dst := []byte{'['}
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, v...)
	}
	return JSON(append(dst, ']'))
}

// JSONStringOf returns the string s.
func JSONStringOf(s string) JSON { return JSON(appendJSONString(nil, s)) }

// JSONNumberOf returns the number n, which is finite.
func JSONNumberOf(n Num) JSON { return JSON(n.Append(nil)) }

// JSONBoolOf returns true or false.
func JSONBoolOf(v bool) JSON {
	if v {
		return "true"
	}
	return "false"
}

const hexDigits = "0123456789abcdef"

// appendJSONString adds a string with quotes, escaped as PostgreSQL does.
func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			dst = append(dst, c)
		} else if e := strings.IndexByte("\"\\\b\f\n\r\t", c); e >= 0 {
			dst = append(dst, '\\', "\"\\bfnrt"[e])
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(dst, '"')
}

// unquoteJSON is the inverse of appendJSONString.
func unquoteJSON(s string) string {
	if len(s) < 2 {
		return ""
	}
	s = s[1 : len(s)-1]
	if !strings.Contains(s, `\`) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		if e := strings.IndexByte("\"\\bfnrt", s[i]); e >= 0 {
			out = append(out, "\"\\\b\f\n\r\t"[e])
		} else if i+4 < len(s) {
			out = append(out, HexValue(s[i+3])<<4|HexValue(s[i+4]))
			i += 4
		}
	}
	return string(out)
}

// HexValue is the value of a hexadecimal digit, 255 of what is none.
func HexValue(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}
