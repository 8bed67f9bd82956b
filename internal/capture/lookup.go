package capture

import (
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/types"
)

// lookUpMin is how many changes a batch must have for its rows to be looked up together.
const lookUpMin = 16

// lookUp finds what is there of all keys that a batch changes, in the order of the store: one pass costs a fraction of as many
// look-ups. Changes find their rows by at, then.
func (a *applier) lookUp(batch []connector.Event) error {
	changes := 0
	for _, ev := range batch {
		if ev.Txn != nil {
			changes += len(ev.Txn.Changes)
		}
	}
	if changes < lookUpMin {
		return nil
	}
	s := search{a: a}
	for _, ev := range batch {
		if ev.Txn != nil {
			s.transaction(ev.Txn)
		}
	}
	return s.run()
}

// search gathers keys to look up.
type search struct {
	a    *applier
	keys [][]byte
	rows []*keyRows
}

func (s *search) transaction(t *connector.Transaction) {
	for i := range t.Changes {
		c := &t.Changes[i]
		tab := s.a.tables[id.Relation(c.Table)]
		if tab == nil || c.Err != nil {
			continue
		}
		for _, row := range []types.Row{c.Old, c.New} {
			if row != nil && (tab.settled() || tab.takes(tab.key(row), t.XID)) {
				s.add(tab, row)
			}
		}
	}
}

func (s *search) add(t *table, row types.Row) {
	key := t.dml.Key(row)
	if s.a.rows[string(key)] != nil {
		return
	}
	s.keys, s.rows = append(s.keys, key), append(s.rows, s.a.none(t, key))
}

// run fills in the rows that are there.
func (s *search) run() error {
	return kv.GetAll(s.a.reader, s.keys, func(i int, value []byte) error {
		k := s.rows[i]
		row, err := k.table.dml.Decode(value)
		s.a.found(k, row)
		return err
	})
}
