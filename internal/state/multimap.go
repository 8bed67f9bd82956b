package state

import (
	"bytes"
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// Multimap keeps, for each key slot of an Index, a multiset of rows as bytes. Rows live in an arena, short ones beside what
// is known of them, and are linked by number, so that there is nothing for the collector to scan. A row carries a count and
// a free word for its user.
type Multimap struct {
	heads []int32 // by slot: first row + 1
	rows  []mapRow
	arena []byte
	free  []int32    // numbers of rows that are gone
	dead  int        // bytes of the arena that belong to nobody
	table []mapEntry // open addressing over (slot, bytes)
	used  int        // entries of table that are not empty

	changed []int32 // rows that Change has touched since Settle
	hashes  []uint32
	touched int
}

// mapEntry is a row + 1 with its hash, so that others are told from it without a look at them; 0 is empty, -1 deleted.
type mapEntry struct {
	row  int32
	hash uint32
}

type mapRow struct {
	count      int64
	size       int32
	slot       int32
	prev, next int32 // + 1
	hash       uint32
	word       int32
	place      [shortMax]byte // a short row itself, or where in the arena a longer one begins
	changed    bool           // it is in changed
}

// shortMax is how long a row may be that is found without another look into memory.
const shortMax = 15

func (x *mapRow) short() bool { return x.size <= shortMax }

func (x *mapRow) offset() int { return int(binary.LittleEndian.Uint64(x.place[:])) }

func (x *mapRow) setOffset(off int) { binary.LittleEndian.PutUint64(x.place[:], uint64(off)) }

const (
	multimapFirst = 64         // entries of an empty table
	spread        = 0x9e3779b1 // an odd number that sends equal rows of different slots apart
)

// NewMultimap returns an empty multimap.
func NewMultimap() *Multimap { return &Multimap{table: make([]mapEntry, multimapFirst)} }

// Len is the number of distinct rows.
func (m *Multimap) Len() int { return len(m.rows) - len(m.free) }

// First returns the first row of a slot, -1 when there is none; Next the one after it. Rows that are added while a slot is
// walked are not met; the row walked may be removed only after Next was taken.
func (m *Multimap) First(slot int32) int32 {
	if int(slot) >= len(m.heads) {
		return -1
	}
	return m.heads[slot] - 1
}

// Next returns the row after r in its slot, -1 at the end.
func (m *Multimap) Next(r int32) int32 { return m.rows[r].next - 1 }

// Bytes returns the bytes of a row; they are valid until the next change.
func (m *Multimap) Bytes(r int32) []byte {
	x := &m.rows[r]
	if x.short() {
		return x.place[:x.size:x.size]
	}
	off := x.offset()
	return m.arena[off : off+int(x.size) : off+int(x.size)]
}

// Count is how many times the row is there; Word is its user's.
func (m *Multimap) Count(r int32) int64      { return m.rows[r].count }
func (m *Multimap) Word(r int32) int32       { return m.rows[r].word }
func (m *Multimap) SetWord(r int32, w int32) { m.rows[r].word = w }

// Add changes the count of a row and returns its number and the count after; at 0 the row is gone and the number is only
// good for what was read before.
func (m *Multimap) Add(slot int32, row []byte, n int64) (r int32, count int64) {
	return m.add(slot, hashOf(slot, row), row, n)
}

func hashOf(slot int32, row []byte) uint32 { return uint32(xxh3.Hash(row)) ^ uint32(slot)*spread }

func (m *Multimap) add(slot int32, h uint32, row []byte, n int64) (r int32, count int64) {
	r, at := m.find(slot, h, row)
	if r < 0 {
		return m.insert(slot, h, row, n), n
	}
	x := &m.rows[r]
	if x.count += n; x.count == 0 && !x.changed {
		m.remove(r, at)
		return r, 0
	}
	return r, x.count
}

// Change is Add that notes the row for Changed. A row whose count is 0 keeps its place until Settle.
func (m *Multimap) Change(slot int32, row []byte, n int64) (r int32, count int64) {
	return m.change(slot, hashOf(slot, row), row, n)
}

func (m *Multimap) change(slot int32, h uint32, row []byte, n int64) (r int32, count int64) {
	r, _ = m.find(slot, h, row)
	if r < 0 {
		r = m.insert(slot, h, row, 0)
	}
	x := &m.rows[r]
	x.count += n
	if !x.changed {
		x.changed = true
		m.changed = append(m.changed, r)
	}
	return r, x.count
}

// Changed returns the rows that were changed since Settle, in the order of their first change.
func (m *Multimap) Changed() []int32 { return m.changed }

// Slot returns the slot of a row.
func (m *Multimap) Slot(r int32) int32 { return m.rows[r].slot }

// Settle forgets what was changed; rows whose count is 0 go.
func (m *Multimap) Settle() {
	for _, r := range m.changed {
		x := &m.rows[r]
		if x.changed = false; x.count != 0 {
			continue
		}
		_, at := m.find(x.slot, x.hash, m.Bytes(r))
		m.remove(r, at)
	}
	m.changed = m.changed[:0]
}

// Batch is rows to be added one after the other, whose places in memory are looked up together: their cache misses overlap.
type Batch struct {
	m      *Multimap
	rows   *Keys
	slots  []int32
	hashes []uint32
}

// Batch prepares rows, row i for slot i; a slot below 0 is none. It is good until the next.
func (m *Multimap) Batch(slots []int32, rows *Keys) Batch {
	m.hashes = m.hashes[:0]
	mask := uint32(len(m.table) - 1)
	sum := 0
	for i, s := range slots {
		h := hashOf(s, rows.At(i))
		m.hashes = append(m.hashes, h)
		sum += int(m.table[h&mask].row)
	}
	for _, h := range m.hashes {
		if r := m.hashed(h); r >= 0 {
			x := &m.rows[r]
			if sum += int(x.count) + int(x.place[shortMax-1]); !x.short() { // a row may lie across two lines of the cache
				sum += int(m.arena[x.offset()])
			}
		}
	}
	m.touched = sum // keeps the loads from being optimised away
	return Batch{m, rows, slots, m.hashes}
}

// Add is Multimap.Add of row i, Change Multimap.Change.
func (b Batch) Add(i int, n int64) (r int32, count int64) {
	return b.m.add(b.slots[i], b.hashes[i], b.rows.At(i), n)
}

func (b Batch) Change(i int, n int64) (r int32, count int64) {
	return b.m.change(b.slots[i], b.hashes[i], b.rows.At(i), n)
}

// Touch loads the first row of each slot, so that who walks over them next need not wait for memory each time.
func (m *Multimap) Touch(slots []int32) {
	sum := 0
	for _, s := range slots {
		if s >= 0 && int(s) < len(m.heads) {
			sum += int(m.heads[s])
		}
	}
	for _, s := range slots {
		if r := m.first(s); r >= 0 {
			sum += int(m.rows[r].size)
		}
	}
	for _, s := range slots {
		if r := m.first(s); r >= 0 && !m.rows[r].short() {
			sum += int(m.arena[m.rows[r].offset()])
		}
	}
	m.touched = sum
}

// first is First of any slot.
func (m *Multimap) first(slot int32) int32 {
	if slot < 0 {
		return -1
	}
	return m.First(slot)
}

// Reset forgets all rows and keeps the memory, unless it is much more than was used.
func (m *Multimap) Reset() {
	if len(m.table) > multimapFirst && len(m.rows)*8 < len(m.table) {
		*m = *NewMultimap()
		return
	}
	clear(m.table)
	m.heads, m.rows, m.arena, m.free, m.changed = m.heads[:0], m.rows[:0], m.arena[:0], m.free[:0], m.changed[:0]
	m.dead, m.used = 0, 0
}

// Size is the number of bytes in memory.
func (m *Multimap) Size() int {
	return cap(m.arena) + cap(m.rows)*mapRowSize + 8*cap(m.table) + 4*(cap(m.heads)+cap(m.free))
}

// Used is the number of bytes that the rows take, without room for more and what finds them.
func (m *Multimap) Used() int { return len(m.arena) + len(m.rows)*(shortMax+1) }

const mapRowSize = 48

func (m *Multimap) find(slot int32, h uint32, row []byte) (r int32, at int) {
	mask := uint32(len(m.table) - 1)
	for i := h & mask; m.table[i].row != 0; i = (i + 1) & mask {
		if e := m.table[i]; e.hash == h && e.row > 0 {
			if x := &m.rows[e.row-1]; x.slot == slot && bytes.Equal(m.Bytes(e.row-1), row) {
				return e.row - 1, int(i)
			}
		}
	}
	return -1, 0
}

// hashed returns the first row of a hash, -1 when there is none.
func (m *Multimap) hashed(h uint32) int32 {
	mask := uint32(len(m.table) - 1)
	for i := h & mask; m.table[i].row != 0; i = (i + 1) & mask {
		if e := m.table[i]; e.hash == h && e.row > 0 {
			return e.row - 1
		}
	}
	return -1
}

func (m *Multimap) insert(slot int32, h uint32, row []byte, n int64) int32 {
	if (m.used+1)*4 > len(m.table)*3 {
		m.rehash()
	}
	x := mapRow{size: int32(len(row)), slot: slot, hash: h, count: n}
	if x.short() {
		copy(x.place[:], row)
	} else {
		x.setOffset(len(m.arena))
		m.arena = append(roomy(m.arena, len(row)), row...)
	}
	var r int32
	if k := len(m.free); k > 0 {
		r, m.free = m.free[k-1], m.free[:k-1]
	} else {
		r = int32(len(m.rows))
		m.rows = append(roomy(m.rows, 1), mapRow{})
	}
	for int(slot) >= len(m.heads) {
		m.heads = append(m.heads, 0)
	}
	if x.next = m.heads[slot]; x.next != 0 {
		m.rows[x.next-1].prev = r + 1
	}
	m.heads[slot] = r + 1
	m.rows[r] = x
	m.place(r, h)
	return r
}

// place enters a row of a hash into the table.
func (m *Multimap) place(r int32, h uint32) {
	mask := uint32(len(m.table) - 1)
	i := h & mask
	for m.table[i].row > 0 {
		i = (i + 1) & mask
	}
	if m.table[i].row == 0 {
		m.used++
	}
	m.table[i] = mapEntry{r + 1, h}
}

func (m *Multimap) remove(r int32, at int) {
	x := &m.rows[r]
	if x.next != 0 {
		m.rows[x.next-1].prev = x.prev
	}
	if x.prev != 0 {
		m.rows[x.prev-1].next = x.next
	} else {
		m.heads[x.slot] = x.next
	}
	m.table[at].row = -1
	m.free = append(m.free, r)
	if x.short() {
		return
	}
	m.dead += int(x.size)
	if m.dead > len(m.arena)/2 && m.dead > 1<<16 {
		m.compact()
	}
}

// rehash makes room in the table and forgets deleted entries.
func (m *Multimap) rehash() {
	size := len(m.table)
	for m.Len()*2 >= size {
		size *= 2
	}
	old := m.table
	m.table, m.used = make([]mapEntry, size), 0
	for _, e := range old {
		if e.row > 0 {
			m.place(e.row-1, e.hash)
		}
	}
}

// compact moves the living rows together.
func (m *Multimap) compact() {
	arena := make([]byte, 0, len(m.arena)-m.dead)
	m.each(func(r int32) {
		if x := &m.rows[r]; !x.short() {
			b := m.Bytes(r)
			x.setOffset(len(arena))
			arena = append(arena, b...)
		}
	})
	m.arena, m.dead = arena, 0
}

// each visits the living rows by slot.
func (m *Multimap) each(visit func(r int32)) {
	for _, h := range m.heads {
		for r := h - 1; r >= 0; r = m.rows[r].next - 1 {
			visit(r)
		}
	}
}
