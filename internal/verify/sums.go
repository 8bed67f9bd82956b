package verify

import (
	"math/bits"

	"github.com/zeebo/xxh3"
)

// buckets are so many that one wrong row is looked for among few, and so few that their sums are small.
const buckets = 1 << 16

// seed keys the hashes.
const seed = 0x7469646d61726b

// collectBytes bounds the rows that the second pass keeps, unless one bucket has more.
const collectBytes = 32 << 20

// sums is the first pass: by bucket, the sum of the view's hashes less that of the answer's. It is zero where both are the
// same multiset, and by accident once in 2^128.
type sums struct {
	seed    uint64
	buckets [buckets]sum
	stored  int64
}

type sum struct {
	hi, lo uint64
	bytes  uint64 // of all entries, of both sides
}

func bucket(h xxh3.Uint128) int { return int(h.Hi % buckets) }

func (s *sums) add(entry []byte, n int64) {
	h := xxh3.Hash128Seed(entry, s.seed)
	b := &s.buckets[bucket(h)]
	b.addTimes(h, n)
	b.bytes += uint64(len(entry))
	s.stored += max(n, 0)
}

// addTimes adds n times the hash, modulo 2^128.
func (s *sum) addTimes(h xxh3.Uint128, n int64) {
	hi, lo := bits.Mul64(h.Lo, uint64(n))
	hi += h.Hi * uint64(n)
	if n < 0 {
		hi -= h.Lo // uint64(n) is n + 2^64
	}
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi, _ = bits.Add64(s.hi, hi, carry)
}

// suspects are buckets that differ, as many as have no more bytes than room, at least one; all is false when there are
// others.
func (s *sums) suspects(room uint64) (of map[int]bool, all bool) {
	of, all = map[int]bool{}, true
	var bytes uint64
	for i := range s.buckets {
		b := &s.buckets[i]
		if b.hi == 0 && b.lo == 0 {
			continue
		}
		if bytes += b.bytes; bytes > room && len(of) > 0 {
			return of, false
		}
		of[i] = true
	}
	return of, all
}
