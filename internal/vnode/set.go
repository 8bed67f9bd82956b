package vnode

import (
	"errors"
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// Len is the number of members.
func (s Set) Len() int {
	n := 0
	for _, w := range s.bits {
		n += bits.OnesCount64(w)
	}
	return n
}

// Each iterates over the members in ascending order.
func (s Set) Each() iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for i, w := range s.bits {
			for ; w != 0; w &= w - 1 {
				if !yield(ID(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// Union returns the set of the members of both.
func (s Set) Union(o Set) Set {
	out := Set{bits: make([]uint64, max(len(s.bits), len(o.bits)))}
	copy(out.bits, s.bits)
	for i, w := range o.bits {
		out.bits[i] |= w
	}
	return out
}

// Equal reports whether both sets have the same members.
func (s Set) Equal(o Set) bool {
	for i := range max(len(s.bits), len(o.bits)) {
		if s.word(i) != o.word(i) {
			return false
		}
	}
	return true
}

func (s Set) word(i int) uint64 {
	if i < len(s.bits) {
		return s.bits[i]
	}
	return 0
}

var errSet = errors.New("not a set of vnodes: write ranges such as 0-3,7")

// ParseSet reads what String prints.
func ParseSet(text string) (Set, error) {
	var s Set
	if text == "" {
		return s, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		low, high, ranged := strings.Cut(part, "-")
		if !ranged {
			high = low
		}
		from, err1 := strconv.ParseUint(low, 10, 16)
		to, err2 := strconv.ParseUint(high, 10, 16)
		if err1 != nil || err2 != nil || from > to || to >= CountMax {
			return Set{}, errSet
		}
		for v := from; v <= to; v++ {
			s.Add(ID(v))
		}
	}
	return s, nil
}
