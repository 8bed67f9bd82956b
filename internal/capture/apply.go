package capture

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
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
	read    []readRows
	meter   *mem.Meter
	bytes   int64 // of keys and of the rows that were there
}

// readRows are rows of a history whose keys have none.
type readRows struct {
	table *table
	rows  *held
}

// keyRows are the rows of one key. A transaction may put a second one beside the first before it takes the first away:
// uniqueness may be checked at its end.
type keyRows struct {
	table *table
	old   types.Row
	rows  []types.Row
}

func newApplier(tables map[id.Relation]*table, r kv.Reader, meter *mem.Meter) *applier {
	return &applier{tables: tables, reader: r, meter: meter, rows: map[string]*keyRows{}, holes: map[*table]map[string]bool{}}
}

// at finds the rows of a row's key; row may have values for the key alone.
func (a *applier) at(t *table, row types.Row) (*keyRows, error) {
	key := t.dml.Key(row)
	k := a.rows[string(key)]
	if k == nil {
		old, there, err := t.dml.Find(a.reader, row)
		if err != nil {
			return nil, err
		}
		if k = a.none(t, key); there {
			a.found(k, old)
		}
	}
	a.touched = append(a.touched, k)
	return k, nil
}

// none notes a stored key that has no row so far.
func (a *applier) none(t *table, key []byte) *keyRows {
	k := &keyRows{table: t}
	a.rows[string(key)] = k
	a.order = append(a.order, k)
	a.count(keyRowsBytes + 2*len(key))
	return k
}

// found notes the row that a key has.
func (a *applier) found(k *keyRows, row types.Row) {
	k.old, k.rows = row, []types.Row{row}
	a.count(rowBytes(row))
}

// What a key takes beside its bytes, and a value beside its text.
const (
	keyRowsBytes = 256
	datumBytes   = 32
)

func rowBytes(row types.Row) int {
	n := datumBytes * len(row)
	for _, d := range row {
		n += len(d.Bytes())
	}
	return n
}

// meterStep is how much may not be counted yet.
const meterStep = 64 << 10

func (a *applier) count(bytes int) {
	if a.bytes += int64(bytes); a.bytes-a.meter.Held() >= meterStep {
		a.meter.Note(a.bytes)
	}
}

// tableFailure is an error of one table: the source and its other tables can go on without it.
type tableFailure struct {
	rel   *catalog.Relation
	cause error
}

func (f *tableFailure) Error() string { return f.cause.Error() }
func (f *tableFailure) Unwrap() error { return f.cause }

// transaction applies the changes of a transaction that come after the first done ones.
func (a *applier) transaction(t *connector.Transaction, done uint64) error {
	for i := range t.Changes {
		c := &t.Changes[i]
		tab := a.tables[id.Relation(c.Table)]
		if tab == nil || c.At <= done {
			continue // dropped here since it was read, or applied before
		}
		if c.Err != nil {
			return &tableFailure{tab.rel, c.Err}
		}
		if err := a.change(tab, c, t.XID); err != nil {
			return err
		}
	}
	if t.More {
		return nil
	}
	for _, k := range a.touched {
		if n := len(k.rows); n > 1 {
			k.rows = k.rows[n-1:]
		}
	}
	a.touched = a.touched[:0]
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
		return a.truncate(t, c.At, xid)
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
		if err := k.table.fault(w.Put(c)); err != nil {
			return err
		}
	}
	for _, r := range a.read {
		for key, row := range r.rows.all() {
			if err := r.table.fault(w.PutStored(r.rows.dml, key, row)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fault is an error of writing a row, as one of the table if it is.
func (t *table) fault(err error) error {
	if errs.Of(err, errs.RowTooLarge) {
		return &tableFailure{t.rel, err}
	}
	return err
}

// addAll adds rows whose keys have none, without looking.
func (a *applier) addAll(t *table, rows *held) { a.read = append(a.read, readRows{t, rows}) }

// putAll puts rows that were read.
func (a *applier) putAll(t *table, rows *held) error {
	for row, err := range rows.values() {
		if err == nil {
			err = a.put(t, row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
