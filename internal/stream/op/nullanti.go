package op

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// NullAnti is NOT IN: it keeps the left rows for which the condition, equality of the keys included, is false for every
// right row. A condition that is NULL is not false: a NULL on either side blocks whatever it might be equal to.
//
// It runs in one actor and keeps all rows in memory; it fails when they alone are more than its account allows. A row with a NULL in its key is wild: it meets the rows of every key.
// The state tables hold row -> count.
type NullAnti struct {
	stream.NoWatermark
	JoinConfig
	bounded bool
	index   *state.Index
	rows    [2]*state.Multimap // the word of a left row is how many right rows block it
	wild    []int32            // slots of keys with a NULL
	isWild  []bool             // by slot

	hashes []uint64
	slots  []int32
	keys   state.Keys
	meter  mem.Meter
}

// NewNullAnti returns the operator without rows; Kind is not looked at.
func NewNullAnti(c JoinConfig) *NullAnti {
	n := &NullAnti{JoinConfig: c, bounded: c.State[0] == nil, index: state.NewIndex(),
		rows: [2]*state.Multimap{state.NewMultimap(), state.NewMultimap()}}
	for _, t := range c.State {
		if t != nil {
			t.CacheMax = -1 // all rows are here
			n.meter = mem.NewMeter(t.Account)
		}
	}
	return n
}

// Size is about how many bytes the rows take.
func (n *NullAnti) Size() int { return n.index.Size() + n.rows[0].Size() + n.rows[1].Size() }

// fits notes what a running view holds.
func (n *NullAnti) fits() error {
	if n.bounded {
		return nil // package query has its account
	}
	n.meter.Note(int64(n.Size()))
	return n.meter.Alone()
}

// Recover reads all rows, then counts for the left ones what blocks them.
func (n *NullAnti) Recover() error {
	for side, t := range n.State {
		if t == nil {
			return nil
		}
		if err := n.load(side, t); err != nil {
			return err
		}
	}
	for slot := range int32(n.index.Len()) {
		for l := n.rows[0].First(slot); l >= 0; l = n.rows[0].Next(l) {
			blocking, err := n.meeting(0, slot, n.rows[0].Bytes(l))
			if err != nil {
				return err
			}
			n.rows[0].SetWord(l, int32(n.count(1, blocking)))
		}
	}
	return nil
}

func (n *NullAnti) load(side int, t *state.Table) error {
	it := t.Scan(0, nil)
	for read := 1; it.Next(); read++ {
		if read%chunk.RowsMax == 0 {
			if err := n.fits(); err != nil {
				it.Close()
				return err
			}
		}
		cols := n.vecs(side)
		count, k := binary.Varint(it.Value())
		if err := keyenc.DecodeInto(cols, it.Key()); err != nil || k <= 0 {
			it.Close()
			return errs.RowCorrupt.New("what", "row of a NOT IN")
		}
		n.find(side, chunk.New(nil, cols, 1))
		n.rows[side].Add(n.slots[0], it.Key(), count)
	}
	return it.Close()
}

func (n *NullAnti) vecs(side int) []*chunk.Vec {
	cols := make([]*chunk.Vec, len(n.Types[side]))
	for i, t := range n.Types[side] {
		cols[i] = chunk.NewVec(t, 1)
	}
	return cols
}

// find fills slots with the keys of the rows.
func (n *NullAnti) find(port int, c *chunk.Chunk) {
	n.hashes, n.slots = sized(n.hashes, c.Rows()), sized(n.slots, c.Rows())
	cols := c.Project(n.Keys[port]).Cols
	vnode.Hash(cols, n.hashes)
	appendKeys(&n.keys, cols, c.Rows())
	n.index.InsertBatch(n.hashes, &n.keys, n.slots)
	for i, slot := range n.slots {
		if int(slot) < len(n.isWild) {
			continue
		}
		wild := false
		for k, col := range cols {
			wild = wild || col.IsNull(i) && !n.nullSafe(k)
		}
		n.isWild = append(n.isWild, wild)
		if wild {
			n.wild = append(n.wild, slot)
		}
	}
}

func (n *NullAnti) nullSafe(k int) bool { return k < len(n.NullSafe) && n.NullSafe[k] }

// Chunk meets the changes of one side with the rows of the other.
func (n *NullAnti) Chunk(port int, c *chunk.Chunk, out stream.Out) error {
	n.find(port, c)
	e := newEmitter(n.Types[0], out)
	for i, slot := range n.slots {
		row := keyenc.AppendRow(nil, c.Cols, i)
		if err := n.change(port, slot, row, int64(c.Op(i)), e); err != nil {
			return err
		}
	}
	return e.flush()
}

func (n *NullAnti) change(port int, slot int32, row []byte, by int64, e *emitter) error {
	if n.bounded && port == 1 { // the left rows come later
		n.rows[1].Add(slot, row, by)
		return nil
	}
	meeting, err := n.meeting(port, slot, row)
	if err != nil {
		return err
	}
	if port == 1 {
		if err := n.block(meeting, by, e); err != nil {
			return err
		}
		n.add(1, slot, row, by)
		return nil
	}
	blocking := n.count(1, meeting)
	if !n.bounded {
		if r, count := n.add(0, slot, row, by); count != 0 {
			n.rows[0].SetWord(r, int32(blocking))
		}
	}
	if blocking > 0 {
		return nil
	}
	return e.row(row, by)
}

// block changes by how many rows left rows are blocked.
func (n *NullAnti) block(rows []int32, by int64, e *emitter) error {
	for _, l := range rows {
		before := int64(n.rows[0].Word(l))
		after := before + by
		n.rows[0].SetWord(l, int32(after))
		if (before > 0) == (after > 0) {
			continue
		}
		count := n.rows[0].Count(l)
		if after > 0 {
			count = -count
		}
		if err := e.row(n.rows[0].Bytes(l), count); err != nil {
			return err
		}
	}
	return nil
}

// count is how many rows of a side a list stands for.
func (n *NullAnti) count(side int, rows []int32) (sum int64) {
	for _, r := range rows {
		sum += n.rows[side].Count(r)
	}
	return sum
}

func (n *NullAnti) add(side int, slot int32, row []byte, by int64) (int32, int64) {
	r, count := n.rows[side].Add(slot, row, by)
	if t := n.State[side]; t != nil {
		var value []byte
		if count != 0 {
			value = binary.AppendVarint([]byte{}, count)
		}
		t.Put(0, row, nil, value)
	}
	return r, count
}

// meeting returns the rows of the other side for which the condition with the row is not false.
func (n *NullAnti) meeting(port int, slot int32, row []byte) ([]int32, error) {
	var met []int32
	other := n.rows[1-port]
	visit := func(s int32) error {
		var batch []int32
		for r := other.First(s); r >= 0; r = other.Next(r) {
			if batch = append(batch, r); len(batch) >= chunk.RowsMax {
				if err := n.check(port, row, batch, &met); err != nil {
					return err
				}
				batch = batch[:0]
			}
		}
		return n.check(port, row, batch, &met)
	}
	if n.isWild[slot] {
		for s := range int32(n.index.Len()) {
			if err := visit(s); err != nil {
				return nil, err
			}
		}
		return met, nil
	}
	for _, s := range n.wild {
		if err := visit(s); err != nil {
			return nil, err
		}
	}
	return met, visit(slot)
}

// check adds the rows of the batch that meet the row.
func (n *NullAnti) check(port int, row []byte, batch []int32, met *[]int32) error {
	if len(batch) == 0 {
		return nil
	}
	mine, theirs := n.vecs(port), n.vecs(1-port)
	for _, r := range batch {
		if err := keyenc.DecodeInto(mine, row); err != nil {
			return err
		}
		if err := keyenc.DecodeIntoAlias(theirs, n.rows[1-port].Bytes(r)); err != nil {
			return err
		}
	}
	if port == 1 {
		mine, theirs = theirs, mine
	}
	c := chunk.New(nil, append(mine, theirs...), len(batch))
	var cond *chunk.Vec
	if n.Cond != nil {
		var err error
		if cond, err = n.Cond.Eval(n.Ctx, c, nil); err != nil {
			return err
		}
	}
	for i, r := range batch {
		if n.keysMayMatch(c, i) && (cond == nil || cond.IsNull(i) || cond.Bools[i]) {
			*met = append(*met, r)
		}
	}
	return nil
}

// keysMayMatch is false only if some key is known to differ.
func (n *NullAnti) keysMayMatch(c *chunk.Chunk, i int) bool {
	for k, l := range n.Keys[0] {
		a, b := c.Cols[l].Datum(i), c.Cols[len(n.Types[0])+n.Keys[1][k]].Datum(i)
		if (a.IsNull() || b.IsNull()) && !n.nullSafe(k) {
			continue
		}
		if types.CompareNull(n.Types[0][l], a, b) != 0 {
			return false
		}
	}
	return true
}

// Barrier moves the clock; everything was emitted.
func (n *NullAnti) Barrier(b stream.Barrier, _ stream.Out) error {
	tick(n.Ctx, b)
	return n.fits()
}
