package state

import "math"

// evict makes the table fit again after a flush, when all entries are clean and may go. It copies what stays into new
// arenas: entries used since the last sweep, at most half of what is allowed, the youngest first. So a sweep costs no
// more than what came since the last one.
func (t *Table) evict() {
	if t.CacheMax < 0 {
		t.forget()
		t.whole = false
		return
	}
	size := int64(t.Size())
	bound := t.cache.Bound(size, int64(t.CacheMax))
	switch {
	case size > bound:
		t.sweep(int(bound/2), func(e *cached) bool { return e.used })
	case t.values.Wasteful() || t.absent > absentMin && t.absent > len(t.entries)/2:
		t.sweep(all, func(*cached) bool { return true })
	default:
		return
	}
	t.cache.Note(int64(t.Size()))
}

// all lets a sweep keep as much as there is.
const all = math.MaxInt

// absentMin is the number of entries without value below which nobody cares.
const absentMin = 1024

// tidy collects the garbage of a table in memory.
func (t *Table) tidy() {
	if t.values.Wasteful() {
		t.sweep(all, func(*cached) bool { return true })
	}
}

// sweep rebuilds the table from the entries to keep, the youngest of them, as many as fit in so many bytes. Dirty entries
// always stay.
func (t *Table) sweep(bytes int, keep func(*cached) bool) {
	from, tight := t.firstKept(bytes, keep)
	old := *t
	t.entries, t.dirty = nil, nil
	t.forget()
	for i := range old.entries {
		e := &old.entries[i]
		if !e.dirty && (i < from || !keep(e) || e.new == NoSpan && old.whole) {
			t.whole = t.whole && e.new == NoSpan
			continue
		}
		key := old.index.Key(int32(i))
		n, _ := t.index.Insert(old.index.Hash(int32(i)), key)
		t.entries = append(t.entries, cached{
			new: t.values.Set(NoSpan, old.values.Get(e.new)), old: t.values.Set(NoSpan, old.values.Get(e.old)),
			dirty: e.dirty, used: e.used && !tight,
		})
		if e.dirty {
			t.dirty = append(t.dirty, n)
		} else if e.new == NoSpan {
			t.absent++
		}
	}
}

// firstKept returns the oldest entry that fits, and whether memory is tight.
func (t *Table) firstKept(bytes int, keep func(*cached) bool) (from int, tight bool) {
	if bytes == all {
		return 0, false
	}
	size := 0
	for i := len(t.entries) - 1; i >= 0; i-- {
		if e := &t.entries[i]; keep(e) {
			size += entrySize + keyBytes + len(t.index.Key(int32(i))) + int(max(e.new.size, 0))
		}
		if size > bytes {
			return i + 1, true
		}
	}
	return 0, true
}
