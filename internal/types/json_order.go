package types

import (
	"encoding/binary"
	"iter"
	"strings"
)

// compareJSON is PostgreSQL's order: object > array > boolean > number > string > null; containers by their number of
// members, then member by member. At the top an empty array is below everything, as PostgreSQL has it by accident.
func compareJSON(a, b JSON, top bool) int {
	if ra, rb := jsonRank(a, top), jsonRank(b, top); ra != rb {
		return int(ra) - int(rb)
	}
	switch a.Kind() {
	case JSONString:
		return strings.Compare(a.Text(), b.Text())
	case JSONNumber:
		return a.Num().Cmp(b.Num())
	case JSONBool:
		return boolRank(a) - boolRank(b)
	case JSONArray, JSONObject:
		return compareContainers(a, b)
	}
	return 0
}

func boolRank(j JSON) int {
	if j.Bool() {
		return 1
	}
	return 0
}

// jsonRank places the kinds; it is the first byte of the ordered encoding.
func jsonRank(j JSON, top bool) byte {
	const emptyTop, first = 1, 2
	if top && j == "[]" {
		return emptyTop
	}
	return first + byte(j.Kind())
}

func compareContainers(a, b JSON) int {
	if n, m := a.Len(), b.Len(); n != m {
		return n - m
	}
	next, stop := iter.Pull2(b.members())
	defer stop()
	for ka, va := range a.members() {
		kb, vb, _ := next()
		if c := strings.Compare(ka, kb); c != 0 {
			return c
		}
		if c := compareJSON(va, vb, false); c != 0 {
			return c
		}
	}
	return 0
}

// members iterates over fields, or over elements with empty keys.
func (j JSON) members() iter.Seq2[string, JSON] {
	if j.Kind() == JSONObject {
		return j.Fields()
	}
	return func(yield func(string, JSON) bool) {
		for v := range j.Elements() {
			if !yield("", v) {
				return
			}
		}
	}
}

// appendOrderedJSON adds the ordered encoding: the rank, then by kind a string, a number, a byte, or the number of
// members and each member.
func appendOrderedJSON(dst []byte, j JSON, top bool) []byte {
	dst = append(dst, jsonRank(j, top))
	if top && j == "[]" {
		return dst
	}
	switch j.Kind() {
	case JSONString:
		return appendEscaped(dst, j.Text())
	case JSONNumber:
		return appendOrderedNum(dst, j.Num())
	case JSONBool:
		return append(dst, byte(boolRank(j)))
	case JSONArray, JSONObject:
		dst = binary.BigEndian.AppendUint32(dst, uint32(j.Len()))
		for k, v := range j.members() {
			if j.Kind() == JSONObject {
				dst = appendEscaped(dst, k)
			}
			dst = appendOrderedJSON(dst, v, false)
		}
	}
	return dst
}
