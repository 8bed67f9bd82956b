package sim

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/types"
)

// history is all that clients have done to the tables, in order: what every answer is computed from.
type history struct {
	statements []*statement
	now        map[id.Table]*latest
}

// latest is what a table holds after the first n statements.
type latest struct {
	n int
	rows
}

func newHistory() *history { return &history{now: map[id.Table]*latest{}} }

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
func (h *history) removeLast() {
	h.statements = h.statements[:len(h.statements)-1]
	clear(h.now)
}

// fed: the rows of a statement belong to an epoch, and never to one before that of an earlier statement.
func (h *history) fed(seq uint64, e epoch.Epoch) error {
	i, ok := slices.BinarySearchFunc(h.statements, seq, func(s *statement, seq uint64) int { return cmp.Compare(s.seq, seq) })
	if !ok {
		return nil
	}
	if i > 0 && (h.statements[i-1].at == 0 || h.statements[i-1].at > e) {
		return fmt.Errorf("statement %d is of epoch %d, and the one before it of %d", seq, e, h.statements[i-1].at)
	}
	h.statements[i].at = e
	return nil
}

// recover forgets what a crash has taken: the statements above durable that the log does not have. One of them that was
// acknowledged is an error.
func (h *history) recover(durable uint64, logged map[uint64]bool) error {
	var lost error
	clear(h.now)
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

// table returns what a table holds with everything that was submitted. It is the history's.
func (h *history) table(t id.Table) rows {
	now := h.now[t]
	if now == nil {
		now = &latest{rows: rows{}}
		h.now[t] = now
	}
	for ; now.n < len(h.statements); now.n++ {
		now.apply(t, h.statements[now.n].writes)
	}
	return now.rows
}

// before returns the statements whose rows belong to epochs up to one.
func (h *history) before(at epoch.Epoch) []*statement {
	n, _ := slices.BinarySearchFunc(h.statements, at, func(s *statement, at epoch.Epoch) int {
		if s.at != 0 && s.at <= at {
			return -1
		}
		return 1
	})
	return h.statements[:n]
}

// touching returns the statements up to the last one that writes to a table.
func touching(t id.Table, all []*statement) []*statement {
	for n := len(all); n > 0; n-- {
		if slices.ContainsFunc(all[n-1].writes, func(w write) bool { return w.table == t }) {
			return all[:n]
		}
	}
	return nil
}

// rows are the contents of a table by stored key.
type rows map[string]types.Row

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
