package kv

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// order is that of keys; writes of one key are in order of arrival, which is the order of the arena.
func (r *Run) order(x, y ref) int {
	if c := bytes.Compare(r.key(x), r.key(y)); c != 0 {
		return c
	}
	return cmp.Compare(x.off, y.off)
}

// ascending reports whether the keys are sorted and distinct already.
func (r *Run) ascending() bool {
	for i := 1; i < len(r.refs); i++ {
		if bytes.Compare(r.key(r.refs[i-1]), r.key(r.refs[i])) >= 0 {
			return false
		}
	}
	return true
}

// headed is the position of a ref with eight bytes of its key as a number of the same order. What is missing counts as
// zeros, so that equal heads say nothing.
type headed struct {
	head uint64
	at   int32
}

// placeLen is how many bytes of a key say where it belongs: space, table and vnode, and the first byte that follows, which
// is nearly always the same.
const placeLen = TablePrefixLen + 1

// heads splits a key into its place and what comes next.
func heads(key []byte) (place, head uint64) {
	var b [placeLen + 8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[placeLen:])
}

// sort orders the writes by key, folds those of one key, and puts their bytes one after the other, so that whoever walks
// over the run reads memory in order. Writes are dealt out by place first: there are few places, and what is left to
// compare stands beside each other.
func (r *Run) sort(between func()) {
	places, of := r.places()
	ends := make([]int32, len(places)) // of each place's part
	for _, p := range of {
		ends[p]++
	}
	rank := ranked(places)
	sum := int32(0)
	for _, p := range rank {
		n := ends[p]
		ends[p] = sum
		sum += n
	}
	sorted := make([]headed, len(r.refs))
	for i, p := range of {
		_, head := heads(r.key(r.refs[i]))
		sorted[ends[p]] = headed{head, int32(i)}
		ends[p]++
	}
	from, piece := int32(0), int32(0)
	for _, p := range rank {
		slices.SortFunc(sorted[from:ends[p]], r.compare)
		if from = ends[p]; from-piece >= PieceWrites {
			piece = from
			between()
		}
	}
	r.rewrite(sorted, between)
}

func (r *Run) compare(x, y headed) int {
	if x.head != y.head {
		return cmp.Compare(x.head, y.head)
	}
	return r.order(r.refs[x.at], r.refs[y.at])
}

// places returns the distinct places in the order of their first write, and the number of each write's place.
func (r *Run) places() (places []uint64, of []int32) {
	of = make([]int32, len(r.refs))
	numbers := map[uint64]int32{}
	var last uint64
	var number int32 = -1
	for i, x := range r.refs {
		place, _ := heads(r.key(x))
		if number < 0 || place != last {
			known := false
			if number, known = numbers[place]; !known {
				number = int32(len(places))
				numbers[place] = number
				places = append(places, place)
			}
			last = place
		}
		of[i] = number
	}
	return places, of
}

// ranked returns the positions of the places in their order.
func ranked(places []uint64) []int32 {
	rank := make([]int32, len(places))
	for i := range rank {
		rank[i] = int32(i)
	}
	slices.SortFunc(rank, func(x, y int32) int { return cmp.Compare(places[x], places[y]) })
	return rank
}

// rewrite makes the run anew in the order of sorted.
func (r *Run) rewrite(sorted []headed, between func()) {
	out := RunBuilder{arena: make([]byte, 0, len(r.arena)), refs: make([]ref, 0, len(r.refs))}
	for i := 0; i < len(sorted); {
		first := r.refs[sorted[i].at]
		w := Write{Key: r.key(first), Old: r.olds(first), New: r.news(first)}
		for i++; i < len(sorted) && bytes.Equal(w.Key, r.key(r.refs[sorted[i].at])); i++ {
			w.New = r.news(r.refs[sorted[i].at])
			if r.twice == nil {
				r.twice = bytes.Clone(w.Key)
			}
		}
		if out.Add(w); out.Len()%PieceWrites == 0 {
			between()
		}
	}
	r.arena, r.refs = out.arena, out.refs
}
