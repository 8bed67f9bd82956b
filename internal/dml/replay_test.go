package dml

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/types"
)

// fedWorld is an engine that counts what is fed.
type fedWorld struct {
	kv.Store
	rows    int
	durable epoch.Epoch
	failing int // Log fails from this call on; 0: never
	logs    int
}

func (w *fedWorld) Durable() epoch.Epoch { return w.durable }

func (w *fedWorld) Log(writes []kv.Write) error {
	if w.logs++; w.failing > 0 && w.logs >= w.failing {
		return fmt.Errorf("the disk is gone")
	}
	return w.Apply(writes)
}

func (w *fedWorld) Feed(_ uint64, rows iter.Seq2[Fed, error]) (epoch.Epoch, error) {
	for f, err := range rows {
		if err != nil {
			return 0, err
		}
		w.rows += f.Rows.Rows()
	}
	return 5, nil
}

// stored lists the keys of the log by kind.
func (w *fedWorld) stored() (entries, parts int) {
	it := w.Meta().Scan([]byte{kv.SpaceMeta}, nil)
	defer it.Close()
	for it.Next() {
		switch key := string(it.Key()[1:]); {
		case strings.HasPrefix(key, "dml/"):
			entries++
		case strings.HasPrefix(key, "dmlpart/"):
			parts++
		}
	}
	return entries, parts
}

func wideTable() *Table {
	return NewTable(&catalog.Relation{Name: "t", Kind: catalog.KindTable, Table: 1, Job: 1, Vnodes: 4, Key: []int{0}, DistKey: []int{0},
		Columns: []catalog.Column{{Name: "a", Type: types.Int8}, {Name: "b", Type: types.Text}}})
}

// insert commits a transaction of so many rows of 1 kB.
func insert(t *testing.T, s *Sequencer, table *Table, rows int) (err error) {
	t.Helper()
	txn := Begin(nil)
	value := types.NewBytes(strings.Repeat("x", 1000))
	if err := s.Exec(t.Context(), txn, func(w *Writer) error {
		for i := range rows {
			if err := w.Put(Change{Table: table, New: types.Row{types.NewInt(int64(i)), value}}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s.Submit(txn, func(_ epoch.Epoch, failure error) { err = failure })
	s.Write()
	return err
}

// A large transaction is logged in parts, is fed again as a whole, and its parts go when they are not needed.
func TestLargeTransactionsAreLoggedInParts(t *testing.T) {
	const rows = 10_000
	w := &fedWorld{Store: memkv.Open()}
	defer w.Close()
	table := wideTable()
	tables := func(id.Table) (*Table, bool) { return table, true }
	s := NewStepped(w, 0, Options{})
	if err := insert(t, s, table, rows); err != nil {
		t.Fatal(err)
	}
	if entries, parts := w.stored(); w.rows != rows || entries != 1 || parts != 3 {
		t.Fatalf("%d rows fed, %d entries, %d parts; want %d, 1, 3", w.rows, entries, parts, rows)
	}

	w.rows = 0 // crash
	seq, _, err := Replay(w, w.Meta(), 0, tables, nil)
	if err != nil || seq != 1 || w.rows != rows {
		t.Fatalf("entry %d, %d rows fed again, %v; want 1, %d", seq, w.rows, err, rows)
	}

	w.durable = 5 // the engine deletes the entry with its commit
	if err := w.Apply([]kv.Write{{Key: LogKey(1)}}); err != nil {
		t.Fatal(err)
	}
	if err := insert(t, s, table, 1); err != nil {
		t.Fatal(err)
	}
	if _, parts := w.stored(); parts != 0 {
		t.Errorf("%d parts of an entry that is durable", parts)
	}
}

// Entries that are fed apart wait for those of other tables before them, and for nothing else.
func TestEntriesOfOtherTablesAreFedApart(t *testing.T) {
	w := &fedWorld{Store: memkv.Open()}
	defer w.Close()
	looked, looking := wideTable(), wideTable()
	looking.Rel.Table = 2
	s := NewStepped(w, 0, Options{})
	for _, table := range []*Table{looked, looked, looking, looking, looked} {
		if err := insert(t, s, table, 1); err != nil {
			t.Fatal(err)
		}
	}
	w.rows = 0
	var waited []int
	seq, _, err := Replay(w, w.Meta(), 0, func(of id.Table) (*Table, bool) { return map[id.Table]*Table{1: looked, 2: looking}[of], true },
		func(epoch.Epoch) error { waited = append(waited, w.rows); return nil })
	if err != nil || seq != 5 || !slices.Equal(waited, []int{2, 4}) {
		t.Errorf("entry %d, %v; waited after %v rows, want after 2 and 4", seq, err, waited)
	}
}

// A crash before the last part leaves parts that nobody was told of.
func TestPartsOfNothingAreSwept(t *testing.T) {
	w := &fedWorld{Store: memkv.Open(), failing: 3}
	defer w.Close()
	table := wideTable()
	if err := insert(t, NewStepped(w, 0, Options{}), table, 10_000); err == nil {
		t.Fatal("the log fails")
	}
	w.failing = 0
	if entries, parts := w.stored(); entries != 0 || parts != 2 {
		t.Fatalf("%d entries and %d parts after the crash, want 0 and 2", entries, parts)
	}
	seq, _, err := Replay(w, w.Meta(), 0, func(id.Table) (*Table, bool) { return table, true }, nil)
	if _, parts := w.stored(); err != nil || seq != 0 || w.rows != 0 || parts != 0 {
		t.Errorf("entry %d, %d rows, %d parts, %v: want nothing", seq, w.rows, parts, err)
	}
}

// A transaction too large for the shared tree is read like a small one, and the newest write of a key wins in both.
func TestLargeTransactionsAreReadBeforeTheyAreVisible(t *testing.T) {
	w := &fedWorld{Store: memkv.Open()}
	defer w.Close()
	table := wideTable()
	s := NewStepped(w, 0, Options{})
	if err := insert(t, s, table, largeFrom+10); err != nil {
		t.Fatal(err)
	}
	txn := Begin(nil)
	key := types.Row{types.NewInt(7), types.NewBytes("")}
	if err := s.Exec(t.Context(), txn, func(w *Writer) error {
		old, ok, err := table.Find(w.Reader, key)
		if err != nil || !ok {
			return fmt.Errorf("row 7: %v %v", ok, err)
		}
		return w.Put(Change{Table: table, Old: old})
	}); err != nil {
		t.Fatal(err)
	}
	s.Submit(txn, func(epoch.Epoch, error) {})
	s.Write()
	count := func() (n int) {
		_ = s.Exec(t.Context(), Begin(nil), func(w *Writer) error {
			it := w.Reader.Scan(kv.AppendTable(nil, 1, 0), kv.AppendTable(nil, 2, 0))
			for it.Next() {
				n++
			}
			if _, ok, _ := table.Find(w.Reader, key); ok {
				t.Error("row 7 is deleted")
			}
			return it.Close()
		})
		return n
	}
	if n := count(); n != largeFrom+9 {
		t.Errorf("%d rows are read, want %d", n, largeFrom+9)
	}
	w.Publish(5, nil)
	if n := count(); n != 0 {
		t.Errorf("%d rows are read over an epoch that holds them, want the epoch's 0", n)
	}
}

// What a large transaction takes until it is visible is free for readers, too: nobody may write for long.
func TestReadersFreeLargeTransactions(t *testing.T) {
	w := &fedWorld{Store: memkv.Open()}
	defer w.Close()
	memory := mem.New("writes", 0)
	s := NewStepped(w, 0, Options{Memory: memory})
	if err := insert(t, s, wideTable(), largeFrom); err != nil {
		t.Fatal(err)
	}
	if s.Wrote([]id.Table{1}); memory.Used() == 0 {
		t.Error("what is not visible is in no account")
	}
	w.Publish(5, nil)
	if s.Wrote([]id.Table{1}); memory.Used() != 0 {
		t.Errorf("%d bytes are held for what is visible", memory.Used())
	}
}

// A row above the limit is refused.
func TestRowsAboveTheLimitAreRefused(t *testing.T) {
	w := &fedWorld{Store: memkv.Open()}
	defer w.Close()
	table := wideTable()
	s := NewStepped(w, 0, Options{RowSizeMax: func() int64 { return 1 << 10 }})
	for _, c := range []struct {
		size int
		fits bool
	}{{1000, true}, {1100, false}} {
		err := s.Exec(t.Context(), Begin(nil), func(w *Writer) error {
			return w.Put(Change{Table: table, New: types.Row{types.NewInt(int64(c.size)), types.NewBytes(strings.Repeat("x", c.size))}})
		})
		if (err == nil) != c.fits {
			t.Errorf("a value of %d bytes: %v", c.size, err)
		}
	}
}
