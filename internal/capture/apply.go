package capture

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/types"
)

// applier turns transactions of the upstream into exact changes of tables: it looks up what a row was and follows it
// through all changes of a batch. It is used once.
type applier struct {
	tables  map[id.Relation]*table
	reader  kv.Reader
	rows    map[string]*keyRows
	order   []*keyRows
	touched []*keyRows                 // by the transaction under way
	holes   map[*table]map[string]bool // keys found to lack a value
}

// keyRows are the rows of one key. A transaction may put a second one beside the first before it takes the first away:
// uniqueness may be checked at its end.
type keyRows struct {
	table *table
	old   types.Row
	rows  []types.Row
}

func newApplier(tables map[id.Relation]*table, r kv.Reader) *applier {
	return &applier{tables: tables, reader: r, rows: map[string]*keyRows{}, holes: map[*table]map[string]bool{}}
}

// at finds the rows of a row's key; row may have values for the key alone.
func (a *applier) at(t *table, row types.Row) (*keyRows, error) {
	key := string(t.dml.Key(row))
	k := a.rows[key]
	if k == nil {
		old, there, err := t.dml.Find(a.reader, row)
		if err != nil {
			return nil, err
		}
		k = &keyRows{table: t}
		if there {
			k.old, k.rows = old, []types.Row{old}
		}
		a.rows[key] = k
		a.order = append(a.order, k)
	}
	a.touched = append(a.touched, k)
	return k, nil
}

// transaction applies a transaction.
func (a *applier) transaction(t *connector.Transaction) error {
	a.touched = a.touched[:0]
	for i := range t.Changes {
		c := &t.Changes[i]
		tab := a.tables[id.Relation(c.Table)]
		if tab == nil {
			continue // dropped here since it was read
		}
		if err := a.change(tab, c, t.XID); err != nil {
			return err
		}
	}
	for _, k := range a.touched {
		if n := len(k.rows); n > 1 {
			k.rows = k.rows[n-1:]
		}
	}
	return nil
}

func (a *applier) change(t *table, c *connector.Change, xid uint64) error {
	switch c.Op {
	case connector.Insert:
		return a.insert(t, c, nil, xid)
	case connector.Delete:
		_, err := a.remove(t, c, xid)
		return err
	case connector.Update:
		if c.Old == nil {
			c.Old = c.New // the key stays
		}
		prev, err := a.remove(t, c, xid)
		if err != nil {
			return err
		}
		return a.insert(t, c, prev, xid)
	case connector.Truncate:
		return a.truncate(t, xid)
	}
	return nil
}

// takes is table.takes with the holes of this batch.
func (a *applier) takes(t *table, key []byte, xid uint64) bool {
	return !a.holes[t][string(key)] && t.takes(key, xid)
}

// remove takes away the row that a change starts from, if its key takes the change, and returns it. Of several rows with
// the key it is the one that equals the whole old row, else the oldest.
func (a *applier) remove(t *table, c *connector.Change, xid uint64) (types.Row, error) {
	if !a.takes(t, t.key(c.Old), xid) {
		return nil, nil
	}
	k, err := a.at(t, c.Old)
	if err != nil || len(k.rows) == 0 {
		return nil, err
	}
	i := 0
	if c.Whole {
		i = max(0, slices.IndexFunc(k.rows, func(r types.Row) bool { return slices.Equal(r, c.Old) }))
	}
	prev := k.rows[i]
	k.rows = slices.Delete(slices.Clone(k.rows), i, i+1)
	return prev, nil
}

// insert adds the row that a change ends with, if its key takes the change. Values that the log left out are those of the
// row before; without it the key becomes a hole.
func (a *applier) insert(t *table, c *connector.Change, prev types.Row, xid uint64) error {
	key := t.key(c.New)
	if !a.takes(t, key, xid) {
		return nil
	}
	k, err := a.at(t, c.New)
	if err != nil {
		return err
	}
	if len(c.Unchanged) > 0 {
		if c.Whole {
			prev = c.Old
		}
		if prev == nil {
			k.rows = nil
			a.hole(t, key)
			return nil
		}
		for _, i := range c.Unchanged {
			c.New[i] = prev[i]
		}
	}
	k.rows = append(k.rows, c.New)
	return nil
}

// hole leaves a key to a read of its own.
func (a *applier) hole(t *table, key []byte) {
	if a.holes[t] == nil {
		a.holes[t] = map[string]bool{}
	}
	a.holes[t][string(key)] = true
}

// truncate takes away all rows whose keys take the change.
func (a *applier) truncate(t *table, xid uint64) error {
	return a.each(t, func(k *keyRows, row types.Row) {
		if a.takes(t, t.key(row), xid) {
			k.rows = nil
		}
	})
}

// put makes a row that was read the row of its key.
func (a *applier) put(t *table, row types.Row) error {
	k, err := a.at(t, row)
	if err == nil {
		k.rows = []types.Row{row}
	}
	return err
}

// clear takes away the row of a key, which has values for the key alone.
func (a *applier) clear(t *table, row types.Row) error {
	k, err := a.at(t, row)
	if err == nil {
		k.rows = nil
	}
	return err
}

// clearAll takes away all rows of a table.
func (a *applier) clearAll(t *table) error {
	return a.each(t, func(k *keyRows, _ types.Row) { k.rows = nil })
}

// each visits all keys of a table that have a row, stored or new.
func (a *applier) each(t *table, fn func(*keyRows, types.Row)) error {
	start, end := kv.AppendTable(nil, t.rel.Table, 0), kv.AppendTable(nil, t.rel.Table+1, 0)
	it := a.reader.Scan(start, end)
	var stored []types.Row
	for it.Next() {
		row, err := keyenc.DecodeGrown(t.dml.Format.Types, it.Value(), t.dml.Format.Growth)
		if err != nil {
			it.Close()
			return err
		}
		stored = append(stored, row)
	}
	if err := it.Close(); err != nil {
		return err
	}
	for _, row := range stored {
		if _, err := a.at(t, row); err != nil {
			return err
		}
	}
	for _, k := range a.order {
		if k.table == t && len(k.rows) > 0 {
			fn(k, k.rows[len(k.rows)-1])
		}
	}
	return nil
}

// write gives the net effect of all that was applied to a statement.
func (a *applier) write(w *dml.Writer) error {
	for _, k := range a.order {
		c := dml.Change{Table: k.table.dml, Old: k.old}
		if n := len(k.rows); n > 0 {
			c.New = k.rows[n-1]
		}
		if c.Old == nil && c.New == nil || slices.Equal(c.Old, c.New) && c.Old != nil && c.New != nil {
			continue
		}
		if err := w.Put(c); err != nil {
			return err
		}
	}
	return nil
}

// putAll puts rows that were read.
func (a *applier) putAll(t *table, rows []types.Row) error {
	for _, row := range rows {
		if err := a.put(t, row); err != nil {
			return err
		}
	}
	return nil
}
