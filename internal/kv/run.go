package kv

import (
	"bytes"
	"slices"
	"sort"
)

// Run is an immutable sorted set of writes with distinct keys. Its bytes live in one arena, so that a run of millions
// of rows gives the garbage collector nothing to scan but three slices.
type Run struct {
	arena []byte
	refs  []ref  // in key order
	twice []byte // a key that was written more than once; nil: none
}

// ref places one write in the arena: key, then old, then new. Lengths of -1 mean absent.
type ref struct {
	off            int64
	klen, old, new int32
}

// RunBuilder collects the writes of a run in any order; a later write of a key replaces the earlier one's New and keeps
// its Old.
type RunBuilder struct {
	arena []byte
	refs  []ref
}

// Add records a write. The bytes are copied.
func (b *RunBuilder) Add(w Write) {
	b.room(len(w.Key) + len(w.Old) + len(w.New))
	r := ref{off: int64(len(b.arena)), klen: int32(len(w.Key)), old: -1, new: -1}
	b.arena = append(b.arena, w.Key...)
	if w.Old != nil {
		r.old = int32(len(w.Old))
		b.arena = append(b.arena, w.Old...)
	}
	if w.New != nil {
		r.new = int32(len(w.New))
		b.arena = append(b.arena, w.New...)
	}
	b.refs = append(b.refs, r)
}

// room doubles the arena when it is full: append alone adds a quarter to what is large, and copies it four times as often.
func (b *RunBuilder) room(n int) {
	if cap(b.arena)-len(b.arena) < n {
		b.arena = slices.Grow(b.arena, max(n, cap(b.arena)))
	}
}

// Len is the number of writes recorded; Size the bytes they take.
func (b *RunBuilder) Len() int  { return len(b.refs) }
func (b *RunBuilder) Size() int { return len(b.arena) }

// Grow makes room for writes that are about to come.
func (b *RunBuilder) Grow(size, writes int) {
	b.arena, b.refs = slices.Grow(b.arena, size), slices.Grow(b.refs, writes)
}

// MoveTo moves the writes to the end of another builder's.
func (b *RunBuilder) MoveTo(o *RunBuilder) {
	if o.Len() == 0 && cap(o.arena) <= cap(b.arena) {
		*o, *b = *b, *o
		return
	}
	at := int64(len(o.arena))
	o.arena = append(o.arena, b.arena...)
	for _, r := range b.refs {
		r.off += at
		o.refs = append(o.refs, r)
	}
	b.arena, b.refs = b.arena[:0], b.refs[:0]
}

// Drain gives the writes in the order in which they were recorded, and forgets them. The bytes are valid until the next Add.
func (b *RunBuilder) Drain(fn func(w Write)) {
	r := Run{arena: b.arena, refs: b.refs}
	for i := range r.refs {
		fn(r.At(i))
	}
	b.arena, b.refs = b.arena[:0], b.refs[:0]
}

// Finish sorts the writes, resolves several of one key to their net effect, and returns the run. The builder is empty
// afterwards. Writes without effect (absent before and after) stay: absence must hide what older runs hold.
func (b *RunBuilder) Finish() *Run { return b.FinishInPieces(func() {}) }

// FinishInPieces is Finish for a caller who has to do something between pieces of about PieceWrites writes.
func (b *RunBuilder) FinishInPieces(between func()) *Run {
	r := &Run{arena: b.arena, refs: b.refs}
	b.arena, b.refs = nil, nil
	if !r.ascending() {
		r.sort(between)
	}
	return r
}

// PieceWrites is about how many writes are sorted or copied in a few milliseconds.
const PieceWrites = 1 << 14

func (r *Run) key(x ref) []byte { return r.arena[x.off : x.off+int64(x.klen) : x.off+int64(x.klen)] }

func (r *Run) olds(x ref) []byte {
	if x.old < 0 {
		return nil
	}
	from := x.off + int64(x.klen)
	return r.arena[from : from+int64(x.old) : from+int64(x.old)]
}

func (r *Run) news(x ref) []byte {
	if x.new < 0 {
		return nil
	}
	from := x.off + int64(x.klen) + int64(max(x.old, 0))
	return r.arena[from : from+int64(x.new) : from+int64(x.new)]
}

// Twice is a key that was written more than once, nil when there is none.
func (r *Run) Twice() []byte { return r.twice }

// Len is the number of keys written.
func (r *Run) Len() int { return len(r.refs) }

// Size is the number of bytes held.
func (r *Run) Size() int { return len(r.arena) + 24*len(r.refs) }

// At returns write i in key order; its slices are valid as long as the run.
func (r *Run) At(i int) Write {
	x := r.refs[i]
	return Write{Key: r.key(x), Old: r.olds(x), New: r.news(x)}
}

// Seek returns the position of the first key >= key.
func (r *Run) Seek(key []byte) int {
	return sort.Search(len(r.refs), func(i int) bool { return bytes.Compare(r.key(r.refs[i]), key) >= 0 })
}

// seekFrom is Seek among the positions >= from.
func (r *Run) seekFrom(from int, key []byte) int {
	return from + sort.Search(len(r.refs)-from, func(i int) bool { return bytes.Compare(r.key(r.refs[from+i]), key) >= 0 })
}

// Get finds the write of a key.
func (r *Run) Get(key []byte) (w Write, ok bool) {
	i := r.Seek(key)
	if i < len(r.refs) && bytes.Equal(r.key(r.refs[i]), key) {
		return r.At(i), true
	}
	return Write{}, false
}
