package verify

import (
	"github.com/zeebo/xxh3"

	"github.com/tidemark-db/tidemark/internal/tally"
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
	tally.Sum
	bytes uint64 // of all entries, of both sides
}

func bucket(h xxh3.Uint128) int { return int(h.Hi % buckets) }

func (s *sums) add(entry []byte, n int64) {
	h := tally.Hash(entry, s.seed)
	b := &s.buckets[bucket(h)]
	b.AddTimes(h, n)
	b.bytes += uint64(len(entry))
	s.stored += max(n, 0)
}

// suspects are buckets that differ, as many as have no more bytes than room, at least one; all is false when there are
// others.
func (s *sums) suspects(room uint64) (of map[int]bool, all bool) {
	of, all = map[int]bool{}, true
	var bytes uint64
	for i := range s.buckets {
		b := &s.buckets[i]
		if b.Hi == 0 && b.Lo == 0 {
			continue
		}
		if bytes += b.bytes; bytes > room && len(of) > 0 {
			return of, false
		}
		of[i] = true
	}
	return of, all
}
