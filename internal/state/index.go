package state

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unsafe"
)

// Index maps byte keys to dense slots: 0, 1, 2 ... in order of arrival. It is an open-addressing table without pointers:
// the collector has three slices to look at, however many keys there are.
type Index struct {
	table []entry  // a power of two, at most 3/4 full
	keys  []byte   // arena
	ends  []int    // by slot: where its key ends in the arena
	lows  []uint32 // by slot: the lower half of its hash, for growing
	highs []uint32 // by slot: the upper half, for moving

	touched int
}

// entry is a slot number + 1 (0: empty) with the mark of its key, so that finding a short one is one look into memory. It has the
// fields of the mark itself: as a part they would be aligned apart, and an entry half as large again.
type entry struct {
	slot int32
	rest uint32
	head uint64
}

func (e *entry) mark() mark { return mark{e.rest, e.head} }

// mark tells a key from others: it is all of a short key, or the first eight bytes of a long one with some bits of its hash. The
// low three bytes of rest are those behind the first eight, or of the hash; its high byte is the length of a short key, longMark for
// others.
type mark struct {
	rest uint32
	head uint64
}

const (
	markMax  = 11 // bytes of a key that a mark holds whole
	longMark = 0xff
)

// markOf makes the mark of a key.
func markOf(hash uint64, key []byte) mark {
	n := len(key)
	rest := uint32(n) << 24
	switch {
	case n > markMax:
		return mark{longMark<<24 | uint32(hash>>40), binary.LittleEndian.Uint64(key)}
	case n > 8:
		return mark{rest | binary.LittleEndian.Uint32(key[n-4:])>>8, binary.LittleEndian.Uint64(key)} // the three last bytes overlap
	case n >= 4:
		return mark{rest, uint64(binary.LittleEndian.Uint32(key)) | uint64(binary.LittleEndian.Uint32(key[n-4:]))<<32}
	}
	var head uint64
	for _, b := range key {
		head = head<<8 | uint64(b)
	}
	return mark{rest, head}
}

// long reports whether equal marks do not make equal keys.
func (m mark) long() bool { return m.rest>>24 == longMark }

const indexFirst = 64 // entries of an empty table

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{table: make([]entry, indexFirst)} }

// Len is the number of keys.
func (x *Index) Len() int { return len(x.ends) }

// Key returns the key of a slot.
func (x *Index) Key(slot int32) []byte {
	from := 0
	if slot > 0 {
		from = x.ends[slot-1]
	}
	return x.keys[from:x.ends[slot]]
}

// Insert returns the slot of a key, a new one if it is not there. hash must spread its upper and lower bits.
func (x *Index) Insert(hash uint64, key []byte) (slot int32, isNew bool) {
	m := markOf(hash, key)
	slot, i := x.probe(hash, m, key)
	if slot >= 0 {
		return slot, false
	}
	if (len(x.ends)+1)*4 > len(x.table)*3 {
		x.grow()
		_, i = x.probe(hash, m, key)
	}
	x.keys = append(roomy(x.keys, len(key)), key...)
	x.ends = append(roomy(x.ends, 1), len(x.keys))
	slot = int32(len(x.ends) - 1)
	x.table[i] = entry{slot + 1, m.rest, m.head}
	x.lows, x.highs = append(roomy(x.lows, 1), uint32(hash)), append(roomy(x.highs, 1), uint32(hash>>32))
	return slot, true
}

// Find returns the slot of a key, -1 when it is not there.
func (x *Index) Find(hash uint64, key []byte) int32 {
	slot, _ := x.probe(hash, markOf(hash, key), key)
	return slot
}

// probe returns the slot of a key, or -1 and the entry where it would be.
func (x *Index) probe(hash uint64, m mark, key []byte) (slot int32, at uint64) {
	mask := uint64(len(x.table) - 1)
	for at = hash & mask; ; at = (at + 1) & mask {
		switch e := &x.table[at]; {
		case e.slot == 0:
			return -1, at
		case e.mark() == m && (!m.long() || bytes.Equal(x.Key(e.slot-1), key)):
			return e.slot - 1, at
		}
	}
}

// Keys is a batch of keys: key i is Bytes[Ends[i-1]:Ends[i]].
type Keys struct {
	Bytes []byte
	Ends  []int
}

// Reset empties the batch and keeps its memory.
func (k *Keys) Reset() { k.Bytes, k.Ends = k.Bytes[:0], k.Ends[:0] }

// Shrink is Reset for a batch that is large once in a while: memory that was mostly unused goes.
func (k *Keys) Shrink() {
	if cap(k.Bytes) > keysKept && len(k.Bytes) < cap(k.Bytes)/4 {
		*k = Keys{}
	}
	k.Reset()
}

// keysKept is the memory that a batch may keep without use.
const keysKept = 1 << 20

// Size is the number of bytes in memory.
func (k *Keys) Size() int { return cap(k.Bytes) + 8*cap(k.Ends) }

// Len is the number of keys.
func (k *Keys) Len() int { return len(k.Ends) }

// At returns key i.
func (k *Keys) At(i int) []byte {
	if i == 0 {
		return k.Bytes[:k.Ends[0]]
	}
	return k.Bytes[k.Ends[i-1]:k.Ends[i]]
}

// InsertBatch is Insert for the keys of a chunk. Slots that are new have numbers from the old Len on, in order of their
// first row. The first pass only touches the table, so that the cache misses of the batch overlap. Keys that are there need no room.
func (x *Index) InsertBatch(hashes []uint64, keys *Keys, slots []int32) {
	x.touch(hashes)
	for i, h := range hashes {
		slots[i], _ = x.Insert(h, keys.At(i))
	}
}

// FindBatch is Find for the keys of a chunk.
func (x *Index) FindBatch(hashes []uint64, keys *Keys, slots []int32) {
	x.touch(hashes)
	for i, h := range hashes {
		slots[i] = x.Find(h, keys.At(i))
	}
}

// touch loads what the probes of a batch will look at. The sum keeps the loads from being optimised away.
func (x *Index) touch(hashes []uint64) {
	mask := uint64(len(x.table) - 1)
	var sum int
	for _, h := range hashes {
		if e := &x.table[h&mask]; e.mark().long() {
			sum += int(x.keys[x.ends[e.slot-1]-1])
		}
	}
	x.touched = sum
}

// roomy makes room for n more elements, and for half of what is there: append alone adds a quarter to what is large, and
// copies it twice as often.
func roomy[E any](s []E, n int) []E {
	if cap(s)-len(s) >= n {
		return s
	}
	return slices.Grow(s, max(n, len(s)/2))
}

// Size is the number of bytes in memory.
func (x *Index) Size() int {
	return entryBytes*cap(x.table) + 8*(cap(x.ends)+cap(x.lows)) + cap(x.keys)
}

const (
	entryBytes = int(unsafe.Sizeof(entry{}))
	// keyBytes is about what a key costs beside itself: from 4/3 to 8/3 entries of the table, where it ends, and its hash.
	keyBytes = 2*entryBytes + 8 + 8
)

// Used is the number of bytes that the keys take, without room for more and what finds them.
func (x *Index) Used() int { return len(x.keys) }

// Reset forgets all keys and keeps the memory, unless it is much more than was used.
func (x *Index) Reset() {
	if len(x.table) > indexFirst && len(x.ends)*8 < len(x.table) {
		*x = *NewIndex()
		return
	}
	clear(x.table)
	x.keys, x.ends, x.lows, x.highs = x.keys[:0], x.ends[:0], x.lows[:0], x.highs[:0]
}

// Hash returns the hash of a slot's key.
func (x *Index) Hash(slot int32) uint64 { return uint64(x.highs[slot])<<32 | uint64(x.lows[slot]) }

// grow doubles the table.
func (x *Index) grow() {
	old := x.table
	x.table = make([]entry, 2*len(old))
	mask := uint64(len(x.table) - 1)
	for _, e := range old {
		if e.slot == 0 {
			continue
		}
		i := x.Hash(e.slot-1) & mask
		for x.table[i].slot != 0 {
			i = (i + 1) & mask
		}
		x.table[i] = e
	}
}
