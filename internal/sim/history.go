package sim

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/types"
)

// history is all that clients have done to the tables, in order: what every answer is computed from.
type history struct{ statements []*statement }

// statement is a transaction that was submitted.
type statement struct {
	seq    uint64
	writes []write
	at     epoch.Epoch // that its rows belong to; 0: not fed
	acked  bool
}

// write is what a statement leaves of one stored key; nil: nothing.
type write struct {
	table id.Table
	key   string
	row   types.Row
}

// writesOf spells changes out.
func writesOf(changes []dml.Change) []write {
	var out []write
	for _, c := range changes {
		t := c.Table.Rel.Table
		if c.Old != nil {
			out = append(out, write{table: t, key: string(c.Table.Key(c.Old))})
		}
		if c.New != nil {
			out = append(out, write{t, string(c.Table.Key(c.New)), c.New})
		}
	}
	return out
}

// last is the sequence number of the last statement.
func (h *history) last() uint64 {
	if len(h.statements) == 0 {
		return 0
	}
	return h.statements[len(h.statements)-1].seq
}

// add records a statement that is on its way.
func (h *history) add(changes []dml.Change) *statement {
	s := &statement{seq: h.last() + 1, writes: writesOf(changes)}
	h.statements = append(h.statements, s)
	return s
}

// removeLast takes the last statement back.
func (h *history) removeLast() { h.statements = h.statements[:len(h.statements)-1] }

// fed: the rows of a statement belong to an epoch.
func (h *history) fed(seq uint64, e epoch.Epoch) {
	i, ok := slices.BinarySearchFunc(h.statements, seq, func(s *statement, seq uint64) int { return cmp.Compare(s.seq, seq) })
	if ok {
		h.statements[i].at = e
	}
}

// recover forgets what a crash has taken: the statements above durable that the log does not have. One of them that was
// acknowledged is an error.
func (h *history) recover(durable uint64, logged map[uint64]bool) error {
	var lost error
	h.statements = slices.DeleteFunc(h.statements, func(s *statement) bool {
		if s.seq <= durable {
			s.acked = true // nobody was told, but nobody waits any more
			return false
		}
		s.at = 0
		if !logged[s.seq] && s.acked && lost == nil {
			lost = fmt.Errorf("statement %d was acknowledged and is lost", s.seq)
		}
		s.acked = true
		return !logged[s.seq]
	})
	return lost
}

// pending is the first statement that is not acknowledged.
func (h *history) pending() *statement {
	for _, s := range h.statements {
		if !s.acked {
			return s
		}
	}
	return nil
}

// rows are the contents of a table by stored key.
type rows map[string]types.Row

// table returns what a table holds: at an epoch, or with everything submitted when every is set.
func (h *history) table(rel *catalog.Relation, at epoch.Epoch, every bool) rows {
	out := rows{}
	for _, s := range h.statements {
		if every || s.at != 0 && s.at <= at {
			out.apply(rel.Table, s.writes)
		}
	}
	return out
}

// apply makes the writes to one table.
func (r rows) apply(t id.Table, writes []write) {
	for _, w := range writes {
		switch {
		case w.table != t:
		case w.row == nil:
			delete(r, w.key)
		default:
			r[w.key] = w.row
		}
	}
}
