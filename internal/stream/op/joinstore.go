package op

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// joinStore keeps the rows of both sides by key. A key has one slot for both.
//
// Invariant: a key with a slot has all its rows, of both sides, in memory. Rows that changed go to the tables at the
// barrier, each once; the tables keep nothing.
type joinStore struct {
	*JoinConfig
	index *state.Index
	rows  [2]*state.Multimap // a row's word is its degree when there is a condition
	total [2][]int64         // by slot: rows with copies; only without a condition
	used  []bool             // by slot: since the last sweep
	whole bool               // keys without a slot have no rows
	swept int                // slots after the last sweep
	cache mem.Cache

	slots  []int32 // of the rows of the chunk; -1: matches nothing
	hashes []uint64
	keys   state.Keys
	buf    []byte
	value  []byte
}

func newJoinStore(c *JoinConfig) *joinStore {
	s := &joinStore{JoinConfig: c, whole: c.State[0] == nil}
	for _, t := range c.State {
		if t != nil {
			t.CacheMax = -1
			s.cache = mem.NewCache(t.Account)
		}
	}
	if c.CacheMax == 0 && (c.State[0] == nil || c.State[0].Account == nil) {
		c.CacheMax = JoinCacheDefault
	}
	s.clear()
	return s
}

func (s *joinStore) clear() {
	s.index, s.rows = state.NewIndex(), [2]*state.Multimap{state.NewMultimap(), state.NewMultimap()}
	s.total, s.used = [2][]int64{}, nil
}

func (s *joinStore) recover() error {
	for _, t := range s.State {
		if t == nil {
			continue
		}
		empty, err := t.Empty()
		if err != nil || !empty {
			s.whole = false
			return err
		}
	}
	s.whole = true
	return nil
}

// find fills slots with the keys of the rows. With probe, keys that are not there get no slot.
func (s *joinStore) find(port int, c *chunk.Chunk, probe bool) error {
	s.hashes, s.slots = sized(s.hashes, c.Rows()), sized(s.slots, c.Rows())
	cols := c.Project(s.Keys[port]).Cols
	vnode.Hash(cols, s.hashes)
	appendKeys(&s.keys, cols, c.Rows())
	if probe {
		s.index.FindBatch(s.hashes, &s.keys, s.slots)
	} else {
		s.index.InsertBatch(s.hashes, &s.keys, s.slots)
		if err := s.open(); err != nil {
			return err
		}
	}
	for k, col := range cols { // a NULL matches nothing in a key that is not null-safe
		if col.Nulls == nil || k < len(s.NullSafe) && s.NullSafe[k] {
			continue
		}
		for i, null := range col.Nulls {
			if null {
				s.slots[i] = -1
			}
		}
	}
	return nil
}

// open makes the slots that find added, with what is stored under their keys.
func (s *joinStore) open() error {
	for i, slot := range s.slots {
		if int(slot) < len(s.used) {
			s.used[slot] = true
			continue
		}
		s.grow()
		if s.whole {
			continue
		}
		for side := range s.rows {
			if err := s.load(side, slot, s.place(s.hashes[i])); err != nil {
				return err
			}
		}
		if err := s.degrees(slot); err != nil {
			return err
		}
	}
	return nil
}

func (s *joinStore) grow() {
	s.used = append(s.used, true)
	for side := range s.total {
		s.total[side] = append(s.total[side], 0)
	}
}

func (s *joinStore) place(hash uint64) vnode.ID {
	if s.Vnodes <= 1 {
		return 0
	}
	return vnode.Of(hash, s.Vnodes)
}

// load reads the rows of a key.
func (s *joinStore) load(side int, slot int32, v vnode.ID) error {
	key := s.index.Key(slot)
	it := s.State[side].Stored(v, key)
	for it.Next() {
		n, k := binary.Varint(it.Value())
		if k <= 0 {
			it.Close()
			return errs.RowCorrupt.New("what", "count of a row of a join")
		}
		s.rows[side].Add(slot, it.Key()[len(key):], n)
		s.total[side][slot] += n
	}
	return it.Close()
}

// degrees computes the degrees of the rows of a slot that was read back.
func (s *joinStore) degrees(slot int32) error {
	if s.Cond == nil || !s.tracks(0) && !s.tracks(1) {
		return nil
	}
	var left, right []int32
	check := func() error {
		c, err := s.pairs(left, right)
		if err != nil {
			return err
		}
		v, err := s.Cond.Eval(s.Ctx, c, nil)
		if err != nil {
			return err
		}
		for k := range left {
			if !v.IsNull(k) && v.Bools[k] {
				s.rows[0].SetWord(left[k], s.rows[0].Word(left[k])+int32(s.rows[1].Count(right[k])))
				s.rows[1].SetWord(right[k], s.rows[1].Word(right[k])+int32(s.rows[0].Count(left[k])))
			}
		}
		left, right = left[:0], right[:0]
		return nil
	}
	for l := s.rows[0].First(slot); l >= 0; l = s.rows[0].Next(l) {
		for r := s.rows[1].First(slot); r >= 0; r = s.rows[1].Next(r) {
			if left, right = append(left, l), append(right, r); len(left) >= chunk.RowsMax {
				if err := check(); err != nil {
					return err
				}
			}
		}
	}
	if len(left) == 0 {
		return nil
	}
	return check()
}

// pairs makes a chunk of stored rows side by side.
func (s *joinStore) pairs(left, right []int32) (*chunk.Chunk, error) {
	var cols []*chunk.Vec
	for side, rows := range [...][]int32{left, right} {
		vecs := make([]*chunk.Vec, len(s.Types[side]))
		for k, t := range s.Types[side] {
			vecs[k] = chunk.NewVec(t, len(rows))
		}
		for _, r := range rows {
			if err := keyenc.DecodeIntoAlias(vecs, s.rows[side].Bytes(r)); err != nil {
				return nil, err
			}
		}
		cols = append(cols, vecs...)
	}
	return chunk.New(nil, cols, len(left)), nil
}

// add changes the count of row i of the batch.
func (s *joinStore) add(side int, batch state.Batch, i int, n, degree int64) {
	var r int32
	var count int64
	if s.State[side] == nil {
		r, count = batch.Add(i, n)
		s.total[side][s.slots[i]] += n
	} else {
		r, count = batch.Change(i, n)
	}
	if count != 0 && s.Cond != nil {
		s.rows[side].SetWord(r, int32(degree))
	}
}

// flush writes the rows that changed since the last barrier.
func (s *joinStore) flush() {
	for side, rows := range s.rows {
		for _, r := range rows.Changed() {
			slot := rows.Slot(r)
			s.buf = append(append(s.buf[:0], s.index.Key(slot)...), rows.Bytes(r)...)
			var value []byte
			if n := rows.Count(r); n != 0 {
				s.value = binary.AppendVarint(s.value[:0], n)
				value = s.value
			}
			s.State[side].Write(s.place(s.index.Hash(slot)), s.buf, nil, value)
		}
		rows.Settle()
	}
}

// size is the number of bytes in memory.
func (s *joinStore) size() int {
	return s.index.Size() + s.rows[0].Size() + s.rows[1].Size() + 17*cap(s.used)
}

// unstaged is about how many bytes flush writes.
func (s *joinStore) unstaged() (bytes int) {
	for _, rows := range s.rows {
		if n := len(rows.Changed()); n > 0 {
			bytes += n * (rows.Used()/rows.Len() + s.index.Used()/s.index.Len())
		}
	}
	return bytes
}

// note tells the account what is in memory, so that an epoch ends before it has become too much.
func (s *joinStore) note() {
	if s.State[0] != nil {
		s.cache.Note(int64(s.size()))
	}
}

// evict makes the rows in memory fit, by copying those of keys used since the last sweep, the youngest first, at most half
// of what is allowed. It also drops keys without rows, once there are many keys.
func (s *joinStore) evict() {
	size := int64(s.size())
	bound := s.cache.Bound(size, int64(s.CacheMax))
	tight := size > bound
	if !tight && (s.index.Len() < 2*s.swept+slotsMin || !s.mostlyEmpty()) {
		return
	}
	from := int32(0)
	if tight {
		from = s.firstKept(int(bound / 2))
	}
	old := *s
	s.clear()
	for slot := range int32(old.index.Len()) {
		empty := old.rows[0].First(slot) < 0 && old.rows[1].First(slot) < 0
		switch {
		case empty:
		case tight && (slot < from || !old.used[slot]):
			s.whole = false
		default:
			s.move(&old, slot, !tight)
		}
	}
	s.swept = s.index.Len()
	s.cache.Note(int64(s.size()))
}

// mostlyEmpty reports whether half of the keys have no rows; it asks again when there are twice as many.
func (s *joinStore) mostlyEmpty() bool {
	s.swept = s.index.Len()
	empty := 0
	for slot := range int32(s.index.Len()) {
		if s.rows[0].First(slot) < 0 && s.rows[1].First(slot) < 0 {
			empty++
		}
	}
	return empty > s.index.Len()/2
}

// slotsMin is the number of keys below which nobody cares whether they are empty.
const slotsMin = 4096

// firstKept returns the oldest slot that fits in so many bytes.
func (s *joinStore) firstKept(bytes int) int32 {
	size := 0
	for slot := int32(s.index.Len()) - 1; slot >= 0; slot-- {
		if !s.used[slot] {
			continue
		}
		size += len(s.index.Key(slot)) + slotSize
		for _, rows := range s.rows {
			for r := rows.First(slot); r >= 0; r = rows.Next(r) {
				size += len(rows.Bytes(r)) + slotSize
			}
		}
		if size > bytes {
			return slot + 1
		}
	}
	return 0
}

// slotSize is about what a key or row costs beside its bytes.
const slotSize = 56

// move copies a slot from the old arenas.
func (s *joinStore) move(old *joinStore, slot int32, used bool) {
	to, _ := s.index.Insert(old.index.Hash(slot), old.index.Key(slot))
	s.grow()
	s.used[to] = used && old.used[slot]
	for side := range s.rows {
		for r := old.rows[side].First(slot); r >= 0; r = old.rows[side].Next(r) {
			n, _ := s.rows[side].Add(to, old.rows[side].Bytes(r), old.rows[side].Count(r))
			s.rows[side].SetWord(n, old.rows[side].Word(r))
		}
		s.total[side][to] = old.total[side][slot]
	}
}
