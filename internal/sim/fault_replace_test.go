package sim

import (
	"bytes"
	"regexp"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// replaced are the faults of readers that go from a view to the one that has taken its place.
var replaced = []planted{
	{"rows of a view that was replaced are not taken back", swapFault(func(v *swapView, swap kv.View, old bool, start, end []byte) kv.Iterator {
		if old {
			return v.View.Scan(start, start)
		}
		return v.View.Scan(start, end)
	})},
	{"a difference is that of the swap, not of the epoch that is replayed to", swapFault(func(v *swapView, swap kv.View, old bool, start, end []byte) kv.Iterator {
		return swap.Scan(start, end)
	})},
	{"a crash forgets what readers owe", fault{store: func(s kv.Store) kv.Store { return forgetful{s} }}},
}

// swapFault reads otherwise what differences read: the old table, and then the one in its place. swap shows both as they
// were when they changed places.
func swapFault(scan func(v *swapView, swap kv.View, old bool, start, end []byte) kv.Iterator) fault {
	return fault{store: func(s kv.Store) kv.Store { return &swaps{Store: s, scan: scan, at: map[id.Table]kv.View{}} }}
}

// swaps knows the tables that are dropped. Nobody reads one but for a difference.
type swaps struct {
	kv.Store
	scan func(v *swapView, swap kv.View, old bool, start, end []byte) kv.Iterator
	at   map[id.Table]kv.View // the epoch at which each was dropped
}

func (s *swaps) Apply(writes []kv.Write) error {
	err := s.Store.Apply(writes)
	for _, w := range writes {
		if t, ok := droppedTable(w); ok && s.at[t] == nil {
			s.at[t] = s.Store.View()
		}
	}
	return err
}

// droppedTable is the table that a write to the control state says is dropped.
func droppedTable(w kv.Write) (t id.Table, ok bool) {
	number, ok := bytes.CutPrefix(w.Key, append([]byte{kv.SpaceMeta}, "dropped/"...))
	for _, c := range number {
		t = 10*t + id.Table(c-'0')
	}
	return t, ok && w.New != nil
}

func (s *swaps) View() kv.View { return &swapView{View: s.Store.View(), swaps: s} }

// swapView is a view of such a store.
type swapView struct {
	kv.View
	swaps *swaps
	swap  kv.View // of the old table, if that was scanned last
}

func (v *swapView) Scan(start, end []byte) kv.Iterator {
	t, _, _, ok := kv.TableOf(start)
	swap, old := v.swaps.at[t]
	if old = old && ok; !old {
		swap = v.swap
	}
	if v.swap = nil; swap == nil {
		return v.View.Scan(start, end)
	}
	if old {
		v.swap = swap
	}
	return v.swaps.scan(v, swap, old, start, end)
}

// forgetful stores jobs without what they owe.
type forgetful struct{ kv.Store }

var owed = regexp.MustCompile(`"At":[0-9]+`)

func (s forgetful) Apply(writes []kv.Write) error {
	for i, w := range writes {
		if bytes.HasPrefix(w.Key, append([]byte{kv.SpaceMeta}, "job/"...)) {
			writes[i].New = owed.ReplaceAll(w.New, []byte(`"At":0`))
		}
	}
	return s.Store.Apply(writes)
}
