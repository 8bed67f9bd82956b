package session

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/types"
)

// lateness leaves out the rows of a statement that are older than their table's watermark was when it began.
type lateness struct {
	col  int
	mark int64
	rows int64 // left out
}

// lateness is nil for a table whose rows are never late.
func (d *Database) lateness(rel *catalog.Relation) *lateness {
	if rel.Watermark == nil {
		return nil
	}
	mark, ok := d.marks.of(rel.ID)
	if !ok {
		return nil
	}
	return &lateness{col: rel.Watermark.Col, mark: mark}
}

// leavesOut reports whether a row is late. One without a time is not: it closes no window and belongs to none.
func (l *lateness) leavesOut(row types.Row) bool {
	if l == nil || row[l.col].IsNull() || row[l.col].Int() >= l.mark {
		return false
	}
	l.rows++
	return true
}

// tellLate counts the rows that a statement has left out, and tells its client.
func (s *Session) tellLate(rel *catalog.Relation, l *lateness) {
	if l == nil || l.rows == 0 {
		return
	}
	m := &s.d.marks
	m.mu.Lock()
	m.mu.late[rel.ID] += l.rows
	m.mu.Unlock()
	s.notice("NOTICE", "%d rows are older than the watermark of \"%s\" and were left out", l.rows, rel.Name)
}
