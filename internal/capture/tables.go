package capture

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// refresh takes over the captured tables of the catalog when it has changed.
func (s *source) refresh(ctx context.Context, r connector.Reader) error {
	snap, now := s.c.o.Catalog(), s.c.o.Now()
	if snap == s.seen && (s.retryAt.IsZero() || now.Before(s.retryAt)) {
		return nil
	}
	s.seen, s.retryAt = snap, time.Time{}
	fresh, err := s.load(ctx)
	if err != nil {
		return err
	}
	r.Capture(s.captures())
	return s.begin(ctx, r, fresh)
}

// load finds the captured tables of the catalog; fresh are those that were not captured on this connection before.
func (s *source) load(ctx context.Context) (fresh []*table, err error) {
	tables := map[id.Relation]*table{}
	for _, rel := range s.seen.Relations() {
		if !s.c.IsCaptured(rel) || s.c.sourceOf(rel) != s.rel.ID {
			continue
		}
		t := s.tables[rel.ID]
		if t == nil {
			if t, err = s.open(ctx, rel); err != nil {
				if !tableFault(err) {
					return nil, err
				}
				if err := s.giveUp(rel, err); err != nil {
					return nil, err
				}
				continue
			}
			fresh = append(fresh, t)
		}
		t.rel, t.dml = rel, s.c.o.Table(rel)
		t.pace.setRate(rel.With[RateOption])
		tables[rel.ID] = t
	}
	s.tables = tables
	s.forget(s.seen)
	return fresh, nil
}

// captures lists the tables for a reader.
func (s *source) captures() (list []connector.Capture) {
	for _, r := range slices.Sorted(maps.Keys(s.tables)) {
		list = append(list, s.tables[r].capture)
	}
	return list
}

// begin lets the histories of tables that are captured from now on wait for what may have been read without them: the
// transactions that the log has given have numbers below the one that begins now, so that a read after all of those have
// ended has seen what they did.
func (s *source) begin(ctx context.Context, r connector.Reader, fresh []*table) (err error) {
	for _, t := range fresh {
		if t.settled() {
			continue
		}
		if t.pace.floor, err = r.Now(ctx); err != nil {
			return err
		}
	}
	return s.stored(s.rec)
}

// open prepares a captured table.
func (s *source) open(ctx context.Context, rel *catalog.Relation) (*table, error) {
	up, err := s.c.system(s.rel).Describe(ctx, s.options(), rel.With[TableOption])
	if err != nil {
		return nil, err
	}
	if up.Unpublished != "" {
		return nil, s.unpublished(up.Unpublished)
	}
	if err := s.follow(ctx, rel, up); err != nil {
		return nil, err
	}
	t := &table{rel: rel, ordered: up.Ordered, rows: up.Rows}
	t.capture = connector.Capture{ID: uint64(rel.ID), Number: up.Number, Table: up.Name, Shape: up.Shape}
	for _, c := range rel.Columns {
		at := slices.IndexFunc(up.Columns, func(u connector.Column) bool { return u.Name == c.Name })
		t.capture.Columns = append(t.capture.Columns, connector.Column{Name: c.Name, Type: c.Type, Gone: at < 0, Bytewise: at >= 0 && up.Columns[at].Bytewise})
	}
	for _, k := range up.Key {
		i := slices.IndexFunc(rel.Columns, func(c catalog.Column) bool { return c.Name == up.Columns[k].Name })
		if i < 0 || !slices.Contains(rel.Key, i) || len(up.Key) != len(rel.Key) {
			return nil, errs.CapturedKey.New("declared", keyNames(rel), "upstream", upstreamKey(up), "table", up.Name)
		}
		t.capture.Key = append(t.capture.Key, i)
		t.ordered = t.ordered && widens(rel.Columns[i].Type, up.Columns[k].Type) // a number that is kept as text is sorted as text
	}
	t.pace.rows, t.pace.bytes = chunkRowsFirst, int(within(s.memory, chunkBytes, pieceShare))
	rec := s.rec.Tables[rel.ID]
	if rec == nil {
		rec = &meta.CapturedTable{}
	}
	left := rec.Entry != 0 && up.Entry != 0 && rec.Entry != up.Entry
	if rec.Number != up.Number || left { // it is new, was given up, changes were left out, or another table has taken the name
		rec = again(rec, up.Number)
		rec.Done = rel.With[SnapshotOption] == "false"
		s.rec.Tables[rel.ID] = rec
	}
	if rec.Entry == 0 { // of a version that did not note it
		rec.Entry = up.Entry
	}
	return t, t.setRecord(s.readAgain(t, rec))
}

// tableFault reports whether an error is of one table: its source and the others can go on.
func tableFault(err error) bool {
	return slices.ContainsFunc([]*errs.Entry{errs.UpstreamTable, errs.UpstreamNoKey, errs.UpstreamIdentity, errs.CapturedKey, errs.CapturedValue,
		errs.PublicationLacks, errs.RowTooLarge}, func(e *errs.Entry) bool { return errs.Of(err, e) })
}

// giveUp leaves out a table that can not be captured as it is now, and shows why. Its rows stay as they are, because its
// changes are not followed any more: when it can be captured again its history is read anew.
func (s *source) giveUp(rel *catalog.Relation, cause error) error {
	s.c.o.Logger.Warn("table not captured", "source", s.rel.Name, "table", rel.Name, "code", errs.Code(cause), "error", cause)
	delete(s.tables, rel.ID)
	next := s.rec.Clone()
	rec := next.Tables[rel.ID]
	if rec == nil {
		rec = &meta.CapturedTable{}
	}
	rec = again(rec, 0)
	next.Tables[rel.ID] = rec
	if err := s.keep(next); err != nil {
		return err
	}
	s.retryAt = s.c.o.Now().Add(backoffMax)
	s.show(func(b *board) { b.tables[rel.ID] = TableStatus{Err: cause, Readable: rec.Whole} })
	return nil
}

// forget leaves out what is known of tables that are gone.
func (s *source) forget(snap *catalog.Snapshot) {
	gone := func(r id.Relation) bool { _, ok := snap.Relation(r); return !ok }
	rec := s.rec.Clone()
	for r := range s.rec.Tables {
		if gone(r) {
			delete(rec.Tables, r)
		}
	}
	s.rec = rec
	s.board.Lock()
	defer s.board.Unlock()
	for r := range s.board.tables {
		if gone(r) {
			delete(s.board.tables, r)
		}
	}
}

// upstreamKey and keyNames list the keys of a table upstream and here, for messages.
func upstreamKey(up *connector.Table) string {
	var names []string
	for _, k := range up.Key {
		names = append(names, up.Columns[k].Name)
	}
	return strings.Join(names, ", ")
}

func keyNames(rel *catalog.Relation) string {
	var names []string
	for _, k := range rel.Key {
		names = append(names, rel.Columns[k].Name)
	}
	return strings.Join(names, ", ")
}
