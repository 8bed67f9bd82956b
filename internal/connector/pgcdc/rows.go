package pgcdc

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/types"
)

// assembler turns messages into transactions over the captured tables.
type assembler struct {
	captures []connector.Capture // of the transaction under way
	next     func() []connector.Capture
	from     uint64 // what committed before it was read by an earlier connection
	sources  map[uint32][]source
	relation map[uint32]relationMessage
	txn      *connector.Transaction // under way
	passed   bool                   // it is one of those before from
	count    uint64                 // its changes so far
	meter    mem.Meter              // of those that were not given yet
	bytes    int64                  // what they take
	memory   *mem.Budget            // what events take that were given
	part     int64                  // bytes of a part
	altered  []uint64               // captures, since the last event
	xids     xidWidener
}

// Bounds of what is held of a transaction. A larger one is given in parts, several times the size of which may be in memory
// while one is applied.
const (
	partMax   = 16 << 20
	partLeast = 64 << 10
	partShare = 32 // of the account, when it has a limit
	meterStep = 64 << 10
)

// partOf is the size of a part.
func partOf(memory *mem.Budget) int64 {
	if limit := memory.Limit(); limit > 0 {
		return min(max(limit/partShare, partLeast), partMax)
	}
	return partMax
}

// source maps the columns of a relation's messages to those of a capture.
type source struct {
	capture *connector.Capture
	cells   []int // by column of the capture: its place in the message, -1 where the upstream has dropped it
	other   error // why changes of rows do not tell their keys; nil: they do
}

func newAssembler(next func() []connector.Capture, from connector.Position, xid uint64, memory *mem.Budget) *assembler {
	return &assembler{next: next, from: uint64(from), part: partOf(memory), memory: memory, meter: mem.NewMeter(memory), sources: map[uint32][]source{}, relation: map[uint32]relationMessage{}, xids: xidWidener{xid}}
}

// add takes a message; it returns an event once a transaction is whole, with the position behind its commit, or once a part
// of it is large enough, without a position.
func (a *assembler) add(m any) (*connector.Event, error) {
	if a.txn == nil {
		switch m.(type) {
		case rowMessage, truncateMessage, commitMessage:
			return nil, errs.StreamCorrupt.New("what", "a change outside of a transaction")
		}
	}
	switch m := m.(type) {
	case relationMessage:
		a.relation[m.id] = m
		a.resolve(m)
	case beginMessage:
		a.begin(m)
	case commitMessage:
		if a.passed {
			a.txn = nil
			return nil, nil
		}
		ev := a.take()
		a.txn, ev.Position = nil, connector.Position(m.end)
		return ev, nil
	case rowMessage:
		a.count++
		if a.row(m); a.bytes >= a.part {
			ev := a.take()
			ev.Txn.More = true
			return ev, nil
		}
	case truncateMessage:
		a.count++
		a.truncate(m)
	}
	return nil, nil
}

// begin opens a transaction; all of it is seen with one list of captures.
func (a *assembler) begin(m beginMessage) {
	a.txn, a.passed, a.count = &connector.Transaction{XID: a.xids.widen(m.xid)}, m.final < a.from, 0
	same := func(x, y connector.Capture) bool { return x.ID == y.ID && x.Shape == y.Shape }
	if now := a.next(); !slices.EqualFunc(now, a.captures, same) {
		a.captures = now
		clear(a.sources)
		for _, id := range slices.Sorted(maps.Keys(a.relation)) {
			a.resolve(a.relation[id])
		}
	}
}

// take gives what has gathered of the transaction.
func (a *assembler) take() *connector.Event {
	ev := &connector.Event{Txn: a.txn, Altered: a.altered, Bytes: a.bytes}
	a.txn, a.altered, a.bytes = &connector.Transaction{XID: a.txn.XID}, nil, 0
	a.memory.Force(ev.Bytes)
	a.meter.Close()
	return ev
}

// resolve finds the captures of a relation.
func (a *assembler) resolve(m relationMessage) {
	delete(a.sources, m.id)
	for i := range a.captures {
		s := source{capture: &a.captures[i]}
		if s.capture.Number != uint64(m.id) {
			continue
		}
		s.other = otherIdentity(s.capture, m)
		for _, c := range s.capture.Columns {
			s.cells = append(s.cells, slices.Index(m.columns, c.Name))
		}
		a.sources[m.id] = append(a.sources[m.id], s)
		if s.capture.Shape != m.shape {
			a.altered = append(a.altered, s.capture.ID)
		}
	}
}

// otherIdentity is the error of changes that name rows by other columns than those of the key, or do not say when a key has
// changed.
func otherIdentity(c *connector.Capture, m relationMessage) error {
	inKey := func(name string) bool {
		return slices.ContainsFunc(c.Key, func(k int) bool { return c.Columns[k].Name == name })
	}
	if m.identity == identityFull || len(m.key) == len(c.Key) && !slices.ContainsFunc(m.key, func(name string) bool { return !inKey(name) }) {
		return nil
	}
	return errs.UpstreamIdentity.New("table", c.Table, "identity", "("+strings.Join(m.key, ", ")+")")
}

var ops = map[byte]connector.Op{'I': connector.Insert, 'U': connector.Update, 'D': connector.Delete}

func (a *assembler) row(m rowMessage) {
	if a.passed {
		return
	}
	defer a.note()
	for _, s := range a.sources[m.relation] {
		a.txn.Changes = append(a.txn.Changes, s.change(m, a.count))
		a.bytes += changeBytes + m.bytes()
	}
}

// note counts what has gathered.
func (a *assembler) note() {
	if a.bytes-a.meter.Held() >= meterStep {
		a.meter.Note(a.bytes)
	}
}

// change is what a message says of a captured row.
func (s source) change(m rowMessage, at uint64) connector.Change {
	c := connector.Change{Table: s.capture.ID, Op: ops[m.op], Whole: m.oldKind == 'O', At: at}
	if c.Op != connector.Insert {
		c.Err = s.other
	}
	if m.old != nil && c.Err == nil {
		c.Old, _, c.Err = s.values(m.old)
	}
	if m.new != nil && c.Err == nil {
		c.New, c.Unchanged, c.Err = s.values(m.new)
	}
	if c.Err != nil {
		return connector.Change{Table: c.Table, At: c.At, Err: c.Err}
	}
	return c
}

func (a *assembler) truncate(m truncateMessage) {
	if a.passed {
		return
	}
	for _, id := range m.relations {
		for _, s := range a.sources[id] {
			a.txn.Changes = append(a.txn.Changes, connector.Change{Table: s.capture.ID, Op: connector.Truncate, At: a.count})
		}
	}
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
