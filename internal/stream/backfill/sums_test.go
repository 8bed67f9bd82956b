package backfill

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-db/tidemark/internal/vnode"
)

// TestSums: the stored form of sums gives them back, they own the records that they were made of and disown others, and nothing
// that is cut off is taken for sums of other records.
func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inputs, vnodes := rapid.IntRange(1, 3).Draw(t, "inputs"), rapid.IntRange(1, 8).Draw(t, "vnodes")
		var reports []Status
		for i := range inputs {
			s := Status{Input: i}
			for v := range vnodes {
				s.Ranges = append(s.Ranges, RangeStatus{vnode.ID(v), Record{Phase: Scanning, Rows: rapid.Uint64().Draw(t, "rows")}})
			}
			reports = append(reports, s)
		}
		stored := SumsOf(reports).Encode()
		sums := DecodeSums(stored)
		for _, s := range reports {
			for _, r := range s.Ranges {
				if sums.disown(s.Input, r.Vnode, &r.Record) {
					t.Fatalf("input %d, vnode %d is not owned", s.Input, r.Vnode)
				}
				r.Rows++
				if !sums.disown(s.Input, r.Vnode, &r.Record) {
					t.Fatalf("input %d, vnode %d owns another record", s.Input, r.Vnode)
				}
			}
		}
		if cut := DecodeSums(stored[:len(stored)-1]); cut != nil {
			t.Fatalf("of what is cut off there are sums: %v", cut)
		}
	})
}
