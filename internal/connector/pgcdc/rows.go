package pgcdc

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// assembler turns messages into transactions over the captured tables.
type assembler struct {
	captures []connector.Capture // of the transaction under way
	next     func() []connector.Capture
	sources  map[uint32]source
	relation map[uint32]relationMessage
	txn      *connector.Transaction
	xids     xidWidener
}

// source maps the columns of a relation's messages to those of a capture.
type source struct {
	capture *connector.Capture
	cells   []int // by column of the capture: its place in the message, -1 where the upstream has dropped it
}

func newAssembler(next func() []connector.Capture, xid uint64) *assembler {
	return &assembler{next: next, sources: map[uint32]source{}, relation: map[uint32]relationMessage{}, xids: xidWidener{xid}}
}

// add takes a message; it returns a transaction with the position behind its commit once it is whole.
func (a *assembler) add(m any) (*connector.Transaction, connector.Position, error) {
	if a.txn == nil {
		switch m.(type) {
		case rowMessage, truncateMessage, commitMessage:
			return nil, 0, errs.StreamCorrupt.New("what", "a change outside of a transaction")
		}
	}
	switch m := m.(type) {
	case relationMessage:
		a.relation[m.id] = m
		a.resolve(m)
	case beginMessage:
		a.begin(m)
	case commitMessage:
		t := a.txn
		a.txn = nil
		return t, connector.Position(m.end), nil
	case rowMessage:
		return nil, 0, a.row(m)
	case truncateMessage:
		for _, id := range m.relations {
			if s, ok := a.sources[id]; ok {
				a.txn.Changes = append(a.txn.Changes, connector.Change{Table: s.capture.ID, Op: connector.Truncate})
			}
		}
	}
	return nil, 0, nil
}

// begin opens a transaction; all of it is seen with one list of captures.
func (a *assembler) begin(m beginMessage) {
	a.txn = &connector.Transaction{XID: a.xids.widen(m.xid)}
	if now := a.next(); !slices.EqualFunc(now, a.captures, func(x, y connector.Capture) bool { return x.ID == y.ID }) {
		a.captures = now
		clear(a.sources)
		for _, r := range a.relation {
			a.resolve(r)
		}
	}
}

// resolve finds the capture of a relation.
func (a *assembler) resolve(m relationMessage) {
	delete(a.sources, m.id)
	i := slices.IndexFunc(a.captures, func(c connector.Capture) bool { return c.Number == uint64(m.id) })
	if i < 0 {
		return
	}
	s := source{capture: &a.captures[i]}
	for _, c := range s.capture.Columns {
		s.cells = append(s.cells, slices.Index(m.columns, c.Name))
	}
	a.sources[m.id] = s
}

var ops = map[byte]connector.Op{'I': connector.Insert, 'U': connector.Update, 'D': connector.Delete}

func (a *assembler) row(m rowMessage) error {
	s, ok := a.sources[m.relation]
	if !ok {
		return nil
	}
	c := connector.Change{Table: s.capture.ID, Op: ops[m.op], Whole: m.oldKind == 'O'}
	var err error
	if m.old != nil {
		if c.Old, _, err = s.values(m.old); err != nil {
			return err
		}
	}
	if m.new != nil {
		if c.New, c.Unchanged, err = s.values(m.new); err != nil {
			return err
		}
	}
	a.txn.Changes = append(a.txn.Changes, c)
	return nil
}

// values makes a row of a message's cells; unchanged are the columns that were left out.
func (s source) values(cells []cell) (row types.Row, unchanged []int, err error) {
	row = make(types.Row, len(s.cells))
	for i, at := range s.cells {
		if at < 0 || at >= len(cells) {
			continue
		}
		switch cells[at].kind {
		case 'u':
			unchanged = append(unchanged, i)
		case 't':
			if row[i], err = value(s.capture, i, cells[at].text); err != nil {
				return nil, nil, err
			}
		}
	}
	return row, unchanged, nil
}

// value reads the text of a column.
func value(c *connector.Capture, i int, text string) (types.Datum, error) {
	d, err := types.Parse(c.Columns[i].Type, text, types.Ctx{})
	if err != nil {
		return d, errs.CapturedValue.New("column", c.Columns[i].Name, "table", c.Table, "type", types.SQLName(c.Columns[i].Type), "detail", err.Error()).Wrap(err)
	}
	return d, nil
}

// xidWidener turns the 32 bits that travel into numbers that do not wrap: the one nearest to the last.
type xidWidener struct{ last uint64 }

func (w *xidWidener) widen(x uint32) uint64 {
	w.last += uint64(int64(int32(x - uint32(w.last))))
	return w.last
}
