package capture_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/pebblekv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/pgtest"
	"github.com/tidemark-db/tidemark/internal/types"
)

// testUnplaced takes from the record of a table where in the log a range of it stands, and rows out of the store: those of the
// range and behind it come back, because they are read again; the others stay as they are.
func testUnplaced(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE acc (id int PRIMARY KEY, v int); INSERT INTO acc SELECT g, 0 FROM generate_series(1, 1000) g")
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("CREATE TABLE acc (*) FROM up TABLE 'public.acc'")
	w.same("SELECT * FROM acc")
	w.close()
	w.pg.Exec("UPDATE acc SET v = 1 WHERE id % 2 = 0; DELETE FROM acc WHERE id IN (400, 600); INSERT INTO acc VALUES (2000, 2)")
	key := func(id int64) []byte { return keyenc.AppendKey(nil, types.Int4, types.NewInt(id), keyenc.Order{}) }
	w.plant(func(s *pebblekv.Store) (writes []kv.Write) {
		captures, err := meta.LoadCaptures(s.Meta())
		if err != nil || len(captures) != 1 {
			t.Fatal(captures, err)
		}
		for source, rec := range captures {
			for _, table := range rec.Tables {
				table.Windows = append(table.Windows, meta.CaptureWindow{Low: key(500), High: key(700)})
			}
			writes = append(writes, meta.PutCapture(source, rec))
		}
		v := s.View()
		defer v.Close()
		gone := [][]byte{key(101), key(501), key(701)}
		it := v.Scan([]byte{kv.SpaceTable}, []byte{kv.SpaceTable + 1})
		for it.Next() {
			if _, _, k, _ := kv.TableOf(it.Key()); slices.ContainsFunc(gone, func(g []byte) bool { return bytes.Equal(g, k) }) {
				writes = append(writes, kv.Write{Key: bytes.Clone(it.Key())})
			}
		}
		if err := it.Close(); err != nil || len(writes) != 1+len(gone) {
			t.Fatal(len(writes), err)
		}
		return writes
	})
	w.open()
	w.follows("SELECT * FROM acc", "SELECT * FROM acc WHERE id <> 101")
}

// plant changes keys of the closed store.
func (w *world) plant(change func(*pebblekv.Store) []kv.Write) {
	w.t.Helper()
	s, err := pebblekv.Open(pebblekv.Options{Dir: w.dir})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := s.Apply(change(s)); err != nil {
		w.t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		w.t.Fatal(err)
	}
}
