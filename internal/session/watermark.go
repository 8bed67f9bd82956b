package session

import (
	"slices"
	"sync"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/types"
)

// watermarks are how far the watermarks of tables have come. One moves with the transaction that brings later times: it is
// logged with its rows and known to the engine before they are fed, so that the barrier after them has it.
type watermarks struct {
	// order is held while a transaction that moves one is given to the sequencer, so that they are logged in the order in
	// which they move and none that is stored goes back. The sequencer's lock may be taken under it, and mu under both.
	order sync.Mutex
	mu    struct {
		sync.Mutex
		at   map[id.Relation]int64 // what is on its way to the log counts
		late map[id.Relation]int64 // rows that were left out since the start
	}
}

// openWatermarks reads them; those of tables that are gone are forgotten.
func (d *Database) openWatermarks() error {
	at, err := meta.LoadWatermarks(d.store.Meta())
	if err != nil {
		return err
	}
	var gone []kv.Write
	for rel, to := range at {
		if _, ok := d.engine.Catalog().Relation(rel); !ok {
			gone = append(gone, meta.DropWatermark(rel))
			continue
		}
		d.engine.Advance(rel, to)
	}
	d.marks.mu.at, d.marks.mu.late = at, map[id.Relation]int64{}
	if len(gone) == 0 {
		return nil
	}
	return d.store.Apply(gone)
}

// of is how far a watermark has come.
func (m *watermarks) of(rel id.Relation) (int64, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.mu.at[rel]
	return at, ok
}

// look is how far a watermark has come, and how many rows came too late for it.
func (m *watermarks) look(rel id.Relation) (at, late int64, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok = m.mu.at[rel]
	return at, m.mu.late[rel], ok
}

// mark answers tm_watermark() in queries.
func (d *Database) mark(rel int64) (int64, bool) { return d.marks.of(id.Relation(rel)) }

// moved is a watermark that a transaction moves.
type moved struct {
	rel id.Relation
	to  int64
}

// commitWrites makes the changes of a transaction durable, feeds them, and moves the watermarks that they move.
func (s *Session) commitWrites(t *dml.Txn) (at epoch.Epoch, err error) {
	defer s.d.engine.Attend()()
	to, err := s.brings(t)
	if err != nil {
		s.d.seq.Rollback(t)
		return 0, err
	}
	if len(to) == 0 {
		return s.d.seq.Commit(t)
	}
	done := make(chan struct{})
	s.d.marks.submit(s.d, t, to, func(e epoch.Epoch, failure error) {
		at, err = e, failure
		close(done)
	})
	<-done
	return at, err
}

// submit gives a transaction to the sequencer, with the watermarks that it moves.
func (m *watermarks) submit(d *Database, t *dml.Txn, to []moved, ack func(epoch.Epoch, error)) {
	m.order.Lock()
	defer m.order.Unlock()
	to = m.move(to)
	for _, w := range to {
		t.Beside(meta.PutWatermark(w.rel, w.to))
	}
	t.Before(func() {
		for _, w := range to {
			d.engine.Advance(w.rel, w.to)
		}
	})
	d.seq.Submit(t, ack)
}

// move moves watermarks and returns those that were not as far yet.
func (m *watermarks) move(to []moved) []moved {
	m.mu.Lock()
	defer m.mu.Unlock()
	to = slices.DeleteFunc(to, func(w moved) bool {
		at, ok := m.mu.at[w.rel]
		return ok && at >= w.to
	})
	for _, w := range to {
		m.mu.at[w.rel] = w.to
	}
	return to
}

// brings finds how far the rows of a transaction move the watermarks of its tables.
func (s *Session) brings(t *dml.Txn) ([]moved, error) {
	ms, err := s.markers(t)
	if err != nil || len(ms) == 0 {
		return nil, err
	}
	ctx := s.exprCtx()
	ctx.OnError = func(int, error) {} // a row whose time has no watermark moves none
	for f, err := range t.Fed() {
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			if m.rel.Job != f.Job {
				continue
			}
			if err := m.take(ctx, f.Rows); err != nil {
				return nil, err
			}
		}
	}
	var out []moved
	for _, m := range ms {
		if m.moves {
			out = append(out, moved{m.rel.ID, m.to})
		}
	}
	return out, nil
}

// marker finds how far rows move the watermark of one table.
type marker struct {
	rel   *catalog.Relation
	of    expr.Expr
	to    int64
	moves bool
}

// markers are those of the tables that a transaction changes, none where nothing has a watermark.
func (s *Session) markers(t *dml.Txn) (out []*marker, err error) {
	for _, table := range t.Tables() {
		if table.Rel.Watermark == nil {
			continue
		}
		m := &marker{rel: table.Rel}
		if m.of, err = s.binder(nil).Watermark(table.Rel); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// take looks at rows that come. Those that go, and times without an end, move nothing.
func (m *marker) take(ctx *expr.Ctx, rows *chunk.Chunk) error {
	v, err := m.of.Eval(ctx, rows, nil)
	if err != nil {
		return err
	}
	for i := range rows.Rows() {
		if rows.Op(i) == chunk.Delete || v.IsNull(i) || types.Endless(v.Type, v.Ints[i]) {
			continue
		}
		if !m.moves || v.Ints[i] > m.to {
			m.to, m.moves = v.Ints[i], true
		}
	}
	return nil
}
