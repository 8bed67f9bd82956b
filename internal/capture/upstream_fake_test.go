package capture

import (
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/types"
)

// fakeUpstream is a database as change data capture sees one: transactions that lock the keys they write, or the table, get their number
// when they begin, and are in the log before others see them, as one is that waits for a standby.
type fakeUpstream struct {
	rnd       *rand.Rand
	full      bool // the log has whole old rows
	next      uint64
	open      []*fakeTxn // begun
	waiting   []*fakeTxn // in the log, not seen by others yet
	log       []*fakeTxn // by position, which is ten times the place
	locked    map[int64]bool
	emptied   *fakeTxn // has emptied the table, and keeps all others from it until it ends
	captured  bool
	told      map[int64]bool // keys of which the reader was given changes
	delivered int            // entries of the log that the reader was given
	parts     int            // changes of the next entry that it was given
	events    chan connector.Event
	confirmed connector.Position
}

// fakeTxn is a transaction; rows are (key, number, text), and the log leaves the text out where it stays.
type fakeTxn struct {
	xid     uint64
	changes []fakeChange
	logged  []fakeChange // what the log says of them: a row may pass through the key of another
	visible bool
}

func (t *fakeTxn) add(c fakeChange, logged ...fakeChange) {
	if logged == nil {
		logged = []fakeChange{c}
	}
	t.changes, t.logged = append(t.changes, c), append(t.logged, logged...)
}

type fakeChange struct {
	old, new types.Row
	all      bool      // rows are taken away
	through  types.Row // one of them: the row under the key of another
}

func fakeRow(key, n int64, text string) types.Row {
	return types.Row{types.NewInt(key), types.NewInt(n), types.NewBytes(text)}
}

// visibleRows folds what a snapshot sees.
func (u *fakeUpstream) visibleRows(sees func(*fakeTxn) bool) map[int64]types.Row {
	rows := map[int64]types.Row{}
	for _, t := range u.log {
		if !sees(t) {
			continue
		}
		u.fold(rows, t)
	}
	return rows
}

func (u *fakeUpstream) fold(rows map[int64]types.Row, t *fakeTxn) {
	for _, c := range t.changes {
		if c.all {
			clear(rows)
		}
		if c.old != nil {
			delete(rows, c.old[0].Int())
		}
		if c.new != nil {
			rows[c.new[0].Int()] = c.new
		}
	}
}

// begin opens a transaction.
func (u *fakeUpstream) begin() {
	u.next++
	u.open = append(u.open, &fakeTxn{xid: u.next})
}

// change lets an open transaction insert, update, move or delete a row whose keys nobody else has locked.
func (u *fakeUpstream) change(keys int64) {
	if len(u.open) == 0 {
		return
	}
	t := u.open[u.rnd.IntN(len(u.open))]
	if u.emptied != nil && u.emptied != t {
		return
	}
	rows := u.visibleRows(func(t *fakeTxn) bool { return t.visible })
	u.fold(rows, t)
	mine := func(k int64) bool {
		return slices.ContainsFunc(t.changes, func(c fakeChange) bool {
			return c.old != nil && c.old[0].Int() == k || c.new != nil && c.new[0].Int() == k
		})
	}
	if u.rnd.IntN(30) == 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(u.locked)), func(k int64) bool { return !mine(k) }) {
		u.emptied = t
		t.add(fakeChange{all: true})
		return
	}
	key, to := u.rnd.Int64N(keys), u.rnd.Int64N(keys)
	if u.locked[key] && !mine(key) || u.locked[to] && !mine(to) {
		return
	}
	old, there := rows[key]
	c := fakeChange{}
	var logged []fakeChange
	switch {
	case !there:
		c.new = fakeRow(key, u.rnd.Int64N(100), string(rune('a'+u.rnd.IntN(26))))
	case u.rnd.IntN(4) == 0:
		c.old = old
	case u.rnd.IntN(3) == 0 && rows[to] == nil:
		c.old, c.new = old, fakeRow(to, old[1].Int(), old[2].Bytes())
		u.locked[to] = true
		if over := u.rnd.Int64N(keys); u.full && over != key && rows[over] != nil && (!u.locked[over] || mine(over)) {
			between := fakeRow(over, old[1].Int(), old[2].Bytes())
			logged = []fakeChange{{old: c.old, new: between, through: between}, {old: between, new: c.new, through: between}}
		}
	default:
		c.old, c.new = old, fakeRow(key, old[1].Int()+1, old[2].Bytes())
		if u.rnd.IntN(3) == 0 {
			c.new[2] = types.NewBytes(string(rune('a' + u.rnd.IntN(26))))
		}
	}
	u.locked[key] = true
	t.add(c, logged...)
}

// commit writes a random open transaction to the log; show lets others see a random one that waits.
func (u *fakeUpstream) commit() {
	if len(u.open) == 0 {
		return
	}
	i := u.rnd.IntN(len(u.open))
	u.log, u.waiting = append(u.log, u.open[i]), append(u.waiting, u.open[i])
	u.open = slices.Delete(u.open, i, i+1)
}

func (u *fakeUpstream) show() {
	if len(u.waiting) == 0 {
		return
	}
	i := u.rnd.IntN(len(u.waiting))
	t := u.waiting[i]
	t.visible = true
	if u.emptied == t {
		u.emptied = nil
	}
	for _, c := range t.changes {
		for _, r := range []types.Row{c.old, c.new} {
			if r != nil {
				delete(u.locked, r[0].Int())
			}
		}
	}
	u.waiting = slices.Delete(u.waiting, i, i+1)
}

// deliver gives the reader the next entries of the log.
func (u *fakeUpstream) deliver(n int) {
	for ; n > 0 && u.delivered < len(u.log); n-- {
		t := u.log[u.delivered]
		ev := connector.Event{Position: connector.Position(10 * u.delivered), Txn: &connector.Transaction{XID: t.xid}}
		upTo := len(t.logged)
		if ev.Txn.More = upTo > u.parts+1 && u.rnd.IntN(4) == 0; ev.Txn.More {
			upTo = u.parts + 1 + u.rnd.IntN(upTo-u.parts-1)
		}
		for i, c := range t.logged[u.parts:upTo] {
			if u.captured {
				u.tell(c)
				ev.Txn.Changes = append(ev.Txn.Changes, u.encode(c))
				ev.Txn.Changes[len(ev.Txn.Changes)-1].At = uint64(u.parts + i + 1)
			}
		}
		if u.parts = upTo; !ev.Txn.More {
			u.delivered, u.parts = u.delivered+1, 0
			ev.Position += 10
		}
		u.events <- ev
	}
}

// tell notes the keys that a change is of.
func (u *fakeUpstream) tell(c fakeChange) {
	for _, r := range []types.Row{c.old, c.new} {
		if r != nil && (c.through == nil || r[0] != c.through[0]) {
			u.told[r[0].Int()] = true
		}
	}
}

// encode says what the log says of a change.
func (u *fakeUpstream) encode(c fakeChange) connector.Change {
	if c.all {
		return connector.Change{Table: fakeTable, Op: connector.Truncate}
	}
	out := connector.Change{Table: fakeTable, Op: connector.Update, New: slices.Clone(c.new)}
	switch {
	case c.old == nil:
		out.Op = connector.Insert
		return out
	case c.new == nil:
		out.Op = connector.Delete
	}
	if u.full {
		out.Old, out.Whole = slices.Clone(c.old), true
	} else if c.new == nil || c.old[0] != c.new[0] {
		out.Old = types.Row{c.old[0], types.Null, types.Null}
	}
	if c.new != nil && c.old[2] == c.new[2] {
		out.New[2], out.Unchanged = types.Null, []int{2}
	}
	return out
}

// reset is a new connection that reads from a position.
func (u *fakeUpstream) reset(at connector.Position) {
	u.delivered, u.parts, u.events = int(at/10), 0, make(chan connector.Event, 1<<16)
}

func (u *fakeUpstream) Events() <-chan connector.Event      { return u.events }
func (u *fakeUpstream) Err() error                          { return nil }
func (u *fakeUpstream) Capture(c []connector.Capture)       { u.captured = len(c) > 0 }
func (u *fakeUpstream) Confirm(p connector.Position)        { u.confirmed = p }
func (u *fakeUpstream) Close()                              {}
func (u *fakeUpstream) active() []*fakeTxn                  { return append(slices.Clone(u.open), u.waiting...) }
func (u *fakeUpstream) Now(context.Context) (uint64, error) { u.next++; return u.next, nil }

func (u *fakeUpstream) Oldest(context.Context) (uint64, error) { return u.snapshot().Min, nil }

func (u *fakeUpstream) Standing(context.Context) (connector.Standing, error) {
	return connector.Standing{End: connector.Position(10 * len(u.log)), Published: map[uint64]uint64{1: 1}}, nil
}

func (u *fakeUpstream) snapshot() connector.Snapshot {
	s := connector.Snapshot{Min: u.next + 1, Max: u.next + 1}
	for _, t := range u.active() {
		s.Active = append(s.Active, t.xid)
		s.Min = min(s.Min, t.xid)
	}
	slices.Sort(s.Active)
	return s
}

func (u *fakeUpstream) Read(_ context.Context, g connector.Range, each func(types.Row) error) (connector.Snapshot, error) {
	rows := u.visibleRows(func(t *fakeTxn) bool { return t.visible })
	var keys []int64
	for k := range rows {
		after := g.After == nil || k > g.After[0].Int()
		if after && (g.Key == nil || k == g.Key[0].Int()) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	if g.Limit > 0 {
		keys = keys[:min(len(keys), g.Limit)]
	}
	for _, k := range keys {
		if err := each(slices.Clone(rows[k])); err != nil {
			return connector.Snapshot{}, err
		}
	}
	return u.snapshot(), nil
}

// Mark is a transaction without changes.
func (u *fakeUpstream) Mark(context.Context) (connector.Position, error) {
	u.next++
	u.log = append(u.log, &fakeTxn{xid: u.next, visible: true})
	return connector.Position(10 * len(u.log)), nil
}

// texts prints rows by key.
func texts(rows []types.Row) []string {
	slices.SortFunc(rows, func(a, b types.Row) int { return bytes.Compare(keyOf(a), keyOf(b)) })
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = types.Format(types.Int8, r[0], types.Ctx{}) + " " + types.Format(types.Int8, r[1], types.Ctx{}) + " " + r[2].Bytes()
	}
	return out
}

func keyOf(r types.Row) []byte { return keyenc.AppendKey(nil, types.Int8, r[0], keyenc.Order{}) }
