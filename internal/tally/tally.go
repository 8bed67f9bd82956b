// Package tally keeps what a relation's rows are, as a multiset, in a number: the sum of the hashes of all rows, by vnode,
// with how many there are. A change of a row is an addition, so the sum is kept at the cost of a hash a row, whoever owns the
// vnode; what is stored can be added up anew at any time and compared.
//
//	c := tally.NewCounter(key, vnodes)
//	c.Add(3, row, +1)
//	table.Merge(c.Take())
package tally

import (
	"math/bits"

	"github.com/zeebo/xxh3"

	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Sum is a multiset of rows: two that differ have one sum by accident once in 2^128.
type Sum struct {
	Hi, Lo uint64
	Rows   int64 // copies counted
}

// Hash is of a row. The key is the store's, so that nobody can make up rows whose sums are those of others.
func Hash(row []byte, key uint64) xxh3.Uint128 { return xxh3.Hash128Seed(row, key) }

// AddTimes adds n copies of a row with the hash, modulo 2^128.
func (s *Sum) AddTimes(h xxh3.Uint128, n int64) {
	hi, lo := bits.Mul64(h.Lo, uint64(n))
	hi += h.Hi * uint64(n)
	if n < 0 {
		hi -= h.Lo // uint64(n) is n + 2^64
	}
	s.Merge(Sum{hi, lo, n})
}

// Merge adds another multiset.
func (s *Sum) Merge(o Sum) {
	var carry uint64
	s.Lo, carry = bits.Add64(s.Lo, o.Lo, 0)
	s.Hi, _ = bits.Add64(s.Hi, o.Hi, carry)
	s.Rows += o.Rows
}

// Less is the multiset without another.
func (s Sum) Less(o Sum) Sum {
	lo, borrow := bits.Sub64(s.Lo, o.Lo, 0)
	hi, _ := bits.Sub64(s.Hi, o.Hi, borrow)
	return Sum{hi, lo, s.Rows - o.Rows}
}

// Delta is what has happened to the rows of a vnode.
type Delta struct {
	Vnode vnode.ID
	Sum
}

// Counter adds up the changes of an epoch. One goroutine uses it.
type Counter struct {
	key     uint64
	sums    []Sum
	touched []vnode.ID // in the order of their first change
	known   []bool     // those of touched
}

// NewCounter returns a counter of changes in vnodes.
func NewCounter(key uint64, vnodes int) *Counter {
	return &Counter{key: key, sums: make([]Sum, vnodes), known: make([]bool, vnodes)}
}

// Add counts n copies of a row, negative ones for rows that go.
func (c *Counter) Add(v vnode.ID, row []byte, n int64) {
	if !c.known[v] {
		c.known[v], c.touched = true, append(c.touched, v)
	}
	c.sums[v].AddTimes(Hash(row, c.key), n)
}

// Take returns what was counted since the last time, and forgets it.
func (c *Counter) Take() []Delta {
	if len(c.touched) == 0 {
		return nil
	}
	out := make([]Delta, 0, len(c.touched))
	for _, v := range c.touched {
		if c.sums[v] != (Sum{}) {
			out = append(out, Delta{v, c.sums[v]})
		}
		c.sums[v], c.known[v] = Sum{}, false
	}
	c.touched = c.touched[:0]
	return out
}
