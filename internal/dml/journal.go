package dml

import (
	"bytes"
	"slices"

	"github.com/zeebo/xxh3"
)

// journal is what a transaction has written, change by change: the key, and the encoded row before and after. Keys and
// rows lie in blocks and are found by number, about 40 bytes a change beside them, with nothing for the collector to scan
// but the blocks: a statement of millions of rows is held once, and what is too much for its account in temporary files.
//
// Changes of one key are linked, the newest first, so that the journal can be read as of any of its changes.
type journal struct {
	blocks  [][]byte
	changes []change
	table   []int32 // open addressing over keys: the number of the last change of a key + 1, 0 empty
	keys    int     // entries of table
	indexed int     // the first changes are in table; the others when somebody looks for a key
	again   int     // changes of a key that had one before
	tables  []*Table
	sorted  []int32 // the first change of each key, by key, of the first ordered changes
	ordered int
	memory  memory // of blocks, changes, table and sorted
	filed   bool   // a block lies in a file: its bytes are gone with the journal, however they are still referred to
}

// change is one entry. Its key begins at off, the rows follow; -1 is the length of no row.
type change struct {
	block, off    int32
	key, old, new int32 // lengths
	prev          int32 // the change of the key before this one, -1 when it is the first
	table         int32
	undone        bool // by a ROLLBACK TO SAVEPOINT; the key stays locked
}

const (
	tableFirst = 16      // entries of an empty table
	blockFirst = 1 << 10 // a transaction of one row is cheap
	blockMax   = 1 << 20 // a block is full or garbage as a whole
)

// add records a change and returns an error when there is no room for it. The bytes are copied.
func (j *journal) add(t *Table, key, old, new []byte) error {
	j.index()
	if 4*(j.keys+1) > 3*len(j.table) {
		if err := j.grow(max(tableFirst, 2*len(j.table))); err != nil {
			return err
		}
	}
	if err := j.put(t, key, old, new); err != nil {
		return err
	}
	j.link()
	return nil
}

// addOnce is add for a key that the journal does not have and will not be given again. It costs no place in the table
// unless somebody looks for a key.
//
// What is in the table is written by whoever looks, under the sequencer's lock, while the rows are fed without it: net must not
// look for keys of a journal with changes that are not there.
func (j *journal) addOnce(t *Table, key, old, new []byte) error {
	if j.again > 0 {
		return j.add(t, key, old, new)
	}
	return j.put(t, key, old, new)
}

// put records a change that is not in the table.
func (j *journal) put(t *Table, key, old, new []byte) error {
	if err := j.reserve(len(key) + len(old) + len(new)); err != nil {
		return err
	}
	b := &j.blocks[len(j.blocks)-1]
	c := change{block: int32(len(j.blocks) - 1), off: int32(len(*b)), key: int32(len(key)), old: -1, new: -1, prev: -1, table: j.number(t)}
	*b = append(*b, key...)
	if old != nil {
		c.old = int32(len(old))
		*b = append(*b, old...)
	}
	if new != nil {
		c.new = int32(len(new))
		*b = append(*b, new...)
	}
	j.changes = append(j.changes, c)
	return nil
}

// index puts the changes into the table that are not there. What looks for a key can not do without it.
func (j *journal) index() {
	if j.indexed == len(j.changes) {
		return
	}
	entries := max(tableFirst, len(j.table))
	for 4*(j.keys+len(j.changes)-j.indexed) > 3*entries {
		entries *= 2
	}
	if entries > len(j.table) {
		j.replace(takeAnyway[int32](&j.memory, entries))
	}
	for j.indexed < len(j.changes) {
		j.link()
	}
}

// link puts the next change into the table. One whose key was not there before is left as it is.
func (j *journal) link() {
	at := j.place(j.key(int32(j.indexed)))
	if before := j.table[at]; before == 0 {
		j.keys++
	} else {
		j.changes[j.indexed].prev = before - 1
		j.again++
	}
	j.indexed++
	j.table[at] = int32(j.indexed)
}

// reserve makes room for a change with so many bytes.
func (j *journal) reserve(bytes int) error {
	if len(j.changes) == cap(j.changes) {
		if err := larger(&j.memory, &j.changes); err != nil {
			return err
		}
	}
	n := len(j.blocks)
	if n > 0 && cap(j.blocks[n-1])-len(j.blocks[n-1]) >= bytes {
		return nil
	}
	size := blockFirst
	if n > 0 {
		size = min(2*cap(j.blocks[n-1]), blockMax)
	}
	block, err := take[byte](&j.memory, max(size, bytes))
	if err != nil {
		return err
	}
	j.filed = j.filed || j.memory.filed(block)
	j.blocks = append(j.blocks, block[:0])
	return nil
}

func (j *journal) number(t *Table) int32 {
	if n := len(j.tables); n > 0 && j.tables[n-1] == t {
		return int32(n - 1)
	}
	if i := slices.Index(j.tables, t); i >= 0 {
		return int32(i)
	}
	j.tables = append(j.tables, t)
	return int32(len(j.tables) - 1)
}

// grow makes the table anew with so many entries.
func (j *journal) grow(entries int) error {
	table, err := take[int32](&j.memory, entries)
	if err != nil {
		return err
	}
	j.replace(table)
	return nil
}

// replace takes an empty table for the one that is there.
func (j *journal) replace(table []int32) {
	give(&j.memory, j.table)
	j.table = table
	j.fill()
}

// fill puts the changes into the empty table that were in it.
func (j *journal) fill() {
	for i := range j.indexed {
		j.table[j.place(j.key(int32(i)))] = int32(i + 1)
	}
}

// place is where the table has the key, or would have it.
func (j *journal) place(key []byte) int {
	mask := uint64(len(j.table) - 1)
	i := xxh3.Hash(key) & mask
	for j.table[i] != 0 && !bytes.Equal(j.key(j.table[i]-1), key) {
		i = (i + 1) & mask
	}
	return int(i)
}

func (j *journal) key(i int32) []byte { return j.part(i, 0, j.changes[i].key) }

func (j *journal) old(i int32) []byte {
	c := &j.changes[i]
	return j.part(i, c.key, c.old)
}

func (j *journal) new(i int32) []byte {
	c := &j.changes[i]
	return j.part(i, c.key+max(c.old, 0), c.new)
}

// part returns size bytes of a change; they are never written again.
func (j *journal) part(i, from, size int32) []byte {
	if size < 0 {
		return nil
	}
	c := &j.changes[i]
	from += c.off
	return j.blocks[c.block][from : from+size : from+size]
}

// has reports whether the key was ever written, undone or not.
func (j *journal) has(key []byte) bool {
	j.index()
	return len(j.table) > 0 && j.table[j.place(key)] != 0
}

// last returns the last change of the key among the first mark ones, -1 when there is none.
func (j *journal) last(key []byte, mark int) int32 {
	j.index()
	if len(j.table) == 0 {
		return -1
	}
	return j.before(j.table[j.place(key)]-1, mark)
}

// before follows a key's changes to the last of the first mark ones that is not undone.
func (j *journal) before(i int32, mark int) int32 {
	for i >= 0 && (int(i) >= mark || j.changes[i].undone) {
		i = j.changes[i].prev
	}
	return i
}

// net calls fn for the first and the last change of each key, in the order of the first ones. A key that is as it was
// before is left out.
func (j *journal) net(fn func(first, last int32) error) error {
	for i := range j.changes {
		first, last := int32(i), int32(i)
		if c := &j.changes[i]; c.undone {
			continue
		}
		if j.again > 0 {
			if j.before(j.changes[i].prev, len(j.changes)) >= 0 {
				continue
			}
			last = j.last(j.key(first), len(j.changes))
		}
		if j.changes[first].old < 0 && j.changes[last].new < 0 {
			continue
		}
		if err := fn(first, last); err != nil {
			return err
		}
	}
	return nil
}

// nothing reports whether all keys are as they were before.
func (j *journal) nothing() bool {
	return j.net(func(int32, int32) error { return errTaken }) == nil
}

// empty reports whether nothing is written that was not undone.
func (j *journal) empty() bool {
	return !slices.ContainsFunc(j.changes, func(c change) bool { return !c.undone })
}

// undo takes back the changes from mark on; their keys stay written.
func (j *journal) undo(mark int) {
	for i := range j.changes[mark:] {
		j.changes[mark+i].undone = true
	}
}

// cut forgets the changes from mark on, keys and all.
func (j *journal) cut(mark int) {
	if mark == len(j.changes) {
		return
	}
	j.changes = j.changes[:mark]
	j.indexed = min(j.indexed, mark)
	give(&j.memory, j.sorted)
	j.sorted, j.ordered = nil, 0
	clear(j.table)
	j.fill()
	j.keys, j.again = 0, 0
	for _, c := range j.changes[:j.indexed] {
		if c.prev < 0 {
			j.keys++
		} else {
			j.again++
		}
	}
	used := 0
	if mark > 0 {
		used = int(j.changes[mark-1].block) + 1
	}
	for _, b := range j.blocks[used:] {
		give(&j.memory, b)
	}
	clear(j.blocks[used:])
	j.blocks = j.blocks[:used]
}

// close gives back all memory; what was read of the journal must not be used any more.
func (j *journal) close() {
	j.blocks, j.changes, j.table, j.sorted, j.indexed = nil, nil, nil, nil, 0
	j.memory.close()
}

// within returns what the first mark changes leave under the keys of [start, end), by key.
func (j *journal) within(start, end []byte, mark int) (out []write) {
	j.order()
	from, _ := slices.BinarySearchFunc(j.sorted, start, func(i int32, key []byte) int { return bytes.Compare(j.key(i), key) })
	for _, first := range j.sorted[from:] {
		key := j.key(first)
		if end != nil && bytes.Compare(key, end) >= 0 {
			break
		}
		if i := j.last(key, mark); i >= 0 {
			out = append(out, write{key: key, value: j.new(i)})
		}
	}
	return out
}

// order sorts the keys that came since the last time in between the others.
func (j *journal) order() {
	if j.ordered == len(j.changes) {
		return
	}
	byKey := func(a, b int32) int { return bytes.Compare(j.key(a), j.key(b)) }
	fresh := takeAnyway[int32](&j.memory, len(j.changes)-j.ordered)[:0]
	for i := j.ordered; i < len(j.changes); i++ {
		if j.changes[i].prev < 0 {
			fresh = append(fresh, int32(i))
		}
	}
	slices.SortFunc(fresh, byKey)
	merged := takeAnyway[int32](&j.memory, len(j.sorted)+len(fresh))[:0]
	old, new := j.sorted, fresh
	for len(old) > 0 && len(new) > 0 {
		if byKey(old[0], new[0]) < 0 {
			merged, old = append(merged, old[0]), old[1:]
		} else {
			merged, new = append(merged, new[0]), new[1:]
		}
	}
	merged = append(append(merged, old...), new...)
	give(&j.memory, fresh)
	give(&j.memory, j.sorted)
	j.sorted, j.ordered = merged, len(j.changes)
}
