// Package vnode spreads rows over the hash partitions (vnodes) of a distribution key, and vnodes over actors.
package vnode

import (
	"fmt"
	"strconv"
	"strings"
)

// ID is the number of a vnode.
type ID uint16

// Bounds of the number of vnodes of a job; it is fixed at its creation.
const (
	CountDefault = 64
	CountMax     = 32768
)

// Of returns the vnode of a hash.
func Of(hash uint64, count int) ID {
	return ID(hash >> 32 * uint64(count) >> 32)
}

// Set is a set of vnodes.
type Set struct{ bits []uint64 }

// NewSet returns the set of the given vnodes.
func NewSet(ids ...ID) Set {
	var s Set
	for _, v := range ids {
		s.Add(v)
	}
	return s
}

// Add puts a vnode into the set.
func (s *Set) Add(v ID) {
	for int(v)/64 >= len(s.bits) {
		s.bits = append(s.bits, 0)
	}
	s.bits[v/64] |= 1 << (v % 64)
}

// Contains reports whether the vnode is in the set.
func (s Set) Contains(v ID) bool {
	return int(v)/64 < len(s.bits) && s.bits[v/64]&(1<<(v%64)) != 0
}

// IDs returns the members in ascending order.
func (s Set) IDs() []ID {
	var out []ID
	for i := range len(s.bits) * 64 {
		if s.Contains(ID(i)) {
			out = append(out, ID(i))
		}
	}
	return out
}

// Overlaps reports whether the sets share a vnode.
func (s Set) Overlaps(o Set) bool {
	for i := range min(len(s.bits), len(o.bits)) {
		if s.bits[i]&o.bits[i] != 0 {
			return true
		}
	}
	return false
}

// String prints ranges: 0-3,7.
func (s Set) String() string {
	var b strings.Builder
	ids := s.IDs()
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 {
			j++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(ids[i])))
		if j > i {
			fmt.Fprintf(&b, "-%d", ids[j])
		}
		i = j + 1
	}
	return b.String()
}

// Assign spreads count vnodes over actors in contiguous, balanced sets.
func Assign(count, actors int) []Set {
	out := make([]Set, actors)
	for v := range count {
		out[v*actors/count].Add(ID(v))
	}
	return out
}
