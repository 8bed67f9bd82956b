package generate

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/types"
)

const events = 20 * roundOf

var bidType = types.StructOf(kinds[2].members...)

// The events of one kind are those of all kinds, numbered through.
func TestKindsAreEventsOfAll(t *testing.T) {
	all := made(t, Nexmark, map[string]string{}, field("event_type", types.Int8), field("bid", bidType))
	bids := made(t, Nexmark, map[string]string{"nexmark.table.type": "Bid"}, kinds[2].members...)
	n := int64(0)
	for e := range int64(events) {
		row := all.Row(e, noon)
		if row[0].Int() != 2 {
			if !row[1].IsNull() {
				t.Fatalf("event %d is no bid and has one", e)
			}
			continue
		}
		if want := types.NewStruct(bidType, bids.Row(n, noon)); row[1] != want {
			t.Fatalf("bid %d differs from that of event %d", n, e)
		}
		n++
	}
	if n != events/roundOf*bidsOf {
		t.Errorf("%d bids", n)
	}
}

// What an event speaks of has appeared before, and times do not go back.
func TestEventsReferToEarlierOnes(t *testing.T) {
	x := &nexmark{gap: gapDefault}
	people, auctions, last := map[int64]bool{}, map[int64]bool{}, int64(0)
	at := map[int]int{0: 6, 1: 5, 2: 5} // where the kinds have their time
	for n := range int64(events) {
		e := x.event(n)
		switch e.kind {
		case 0:
			people[e.values[0].Int()] = true
		case 1:
			auctions[e.values[0].Int()] = true
			if !people[e.values[7].Int()] || e.values[6].Int() <= e.values[5].Int() {
				t.Fatalf("event %d: an auction of an unknown seller, or that ends before it begins", n)
			}
		case 2:
			if !auctions[e.values[0].Int()] || !people[e.values[1].Int()] {
				t.Fatalf("event %d: a bid of nobody or for nothing", n)
			}
		}
		if now := e.values[at[e.kind]].Int(); now < last {
			t.Fatalf("event %d is before the last one", n)
		} else {
			last = now
		}
	}
	if len(people) != events/roundOf || len(auctions) != events/roundOf*auctionsOf {
		t.Errorf("%d people, %d auctions", len(people), len(auctions))
	}
}
