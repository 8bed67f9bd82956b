package sim

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/types"
)

// statementsMax bounds the statements of a transaction.
const statementsMax = 3

// data says what rows a run has. Few keys and values make rows meet; many keys make scans long.
type data struct {
	keys, values int
	changes      int // rows of a statement
}

var datas = []data{{keys: 8, values: 4, changes: 3}, {keys: 12, values: 5, changes: 4}, {keys: 40, values: 12, changes: 15},
	{keys: 100, values: 30, changes: 40}}

// statement submits a transaction of one or more statements. Its acknowledgement comes with the log's write.
func (s *scheduler) statement() bool {
	if !s.serving() {
		return false
	}
	t := dml.Begin(nil)
	var made []dml.Change
	for range 1 + s.rand.IntN(statementsMax) {
		err := s.seq.Exec(context.Background(), t, func(w *dml.Writer) error {
			changes, err := s.changes(w.Reader, made)
			made = append(made, changes...)
			for _, c := range changes {
				err = errors.Join(err, w.Put(c))
			}
			return err
		})
		if !s.must("statement", err) {
			return true
		}
	}
	if t.Empty() {
		s.seq.Rollback(t)
		return true
	}
	st := s.history.add(made)
	life := s.disk
	s.note("statement", "%d with %d changes", st.seq, len(made))
	defer func() {
		if st.acked { // at once: it changes nothing in the end, and has no place in the log
			s.history.removeLast()
		}
	}()
	s.seq.Submit(t, func(e epoch.Epoch, err error) {
		if life.image != nil {
			return // nobody hears it
		}
		if s.must("acknowledge", err) {
			st.acked = true
			s.note("ack", "%d in epoch %d", st.seq, e)
		}
	})
	return true
}

// changes makes the changes of one statement. It looks at each row first and must find what the transaction and all
// statements before it have left.
func (s *scheduler) changes(r kv.Reader, before []dml.Change) ([]dml.Change, error) {
	rels := relations(s.engine.Catalog())[:len(tables)]
	t, _ := s.table(rels[s.rand.IntN(len(rels))].Table)
	now := maps.Clone(s.history.table(t.Rel.Table))
	now.apply(t.Rel.Table, writesOf(before))
	var out []dml.Change
	first, n := s.rand.IntN(s.data.keys), 1+s.rand.IntN(s.data.changes)
	for i := range n {
		row := s.row((first + i) % s.data.keys)
		old, ok, err := t.Find(r, row)
		if err != nil {
			return nil, err
		}
		want, expected := now[string(t.Key(row))]
		if ok != expected || ok && showRow(t.Format.Types, old) != showRow(t.Format.Types, want) {
			return nil, fmt.Errorf("a statement reads row %v of %s, %v; it should be %v, %v", old, t.Rel.Name, ok, want, expected)
		}
		switch {
		case !ok:
			out = append(out, dml.Change{Table: t, New: row})
		case s.rand.IntN(2) == 0:
			out = append(out, dml.Change{Table: t, Old: old})
		default:
			out = append(out, dml.Change{Table: t, Old: old, New: row})
		}
	}
	return out, nil
}

// row makes a row with a key.
func (s *scheduler) row(key int) types.Row {
	y := types.NewInt(int64(s.rand.IntN(s.data.values)))
	if s.rand.IntN(8) == 0 {
		y = types.Null
	}
	return types.Row{types.NewInt(int64(key)), y}
}
