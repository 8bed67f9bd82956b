package kv

import (
	"bytes"
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// segment is the part of a run that belongs to one table, with what lets a reader skip it: bounds and a filter.
type segment struct {
	run    *Run
	lo, hi int // positions in the run, hi excluded
	table  id.Table
	epoch  epoch.Epoch // in which it became visible; while staged: in which it was written
	filter filter
}

// split cuts a run into one segment a table. It reports false when a key lies outside of the table space.
func split(e epoch.Epoch, r *Run) (segs []segment, ok bool) {
	for lo := 0; lo < r.Len(); {
		t, _, _, ok := TableOf(r.At(lo).Key)
		if !ok {
			return nil, false
		}
		s := segment{run: r, lo: lo, hi: r.seekFrom(lo, tableEnd(t)), table: t, epoch: e}
		s.filter = newFilter(s.hi - s.lo)
		for i := s.lo; i < s.hi; i++ {
			s.filter.add(filterHash(r.key(r.refs[i])))
		}
		segs = append(segs, s)
		lo = s.hi
	}
	return segs, true
}

// TableRange returns the bounds of all rows of a table.
func TableRange(t id.Table) (start, end []byte) {
	return binary.BigEndian.AppendUint32([]byte{SpaceTable}, uint32(t)), tableEnd(t)
}

// tableEnd is the first key after all rows of the table.
func tableEnd(t id.Table) []byte {
	if t == ^id.Table(0) {
		return []byte{SpaceTable + 1}
	}
	return binary.BigEndian.AppendUint32([]byte{SpaceTable}, uint32(t)+1)
}

func (s *segment) min() []byte { return s.run.key(s.run.refs[s.lo]) }
func (s *segment) max() []byte { return s.run.key(s.run.refs[s.hi-1]) }

// get finds the write of a key whose hash is h.
func (s *segment) get(key []byte, h uint64) (Write, bool) {
	if !s.filter.mayContain(h) || bytes.Compare(key, s.min()) < 0 || bytes.Compare(key, s.max()) > 0 {
		return Write{}, false
	}
	i := s.run.seekFrom(s.lo, key)
	if i < s.hi && bytes.Equal(s.run.key(s.run.refs[i]), key) {
		return s.run.At(i), true
	}
	return Write{}, false
}

// cursor returns the part of the segment inside [start, end); rank orders it among others, a newer one higher.
func (s *segment) cursor(start, end []byte, rank int) (cursor, bool) {
	if bytes.Compare(s.max(), start) < 0 || end != nil && bytes.Compare(s.min(), end) >= 0 {
		return cursor{}, false
	}
	c := cursor{run: s.run, pos: s.lo, end: s.hi, rank: rank}
	if bytes.Compare(s.min(), start) < 0 {
		c.pos = s.run.seekFrom(s.lo, start)
	}
	if end != nil && bytes.Compare(s.max(), end) >= 0 {
		c.end = s.run.seekFrom(c.pos, end)
	}
	return c, c.pos < c.end
}

// find looks a key up in segments that stand oldest first.
func find(segs []segment, key []byte, h uint64) (Write, bool) {
	for i := len(segs) - 1; i >= 0; i-- {
		if w, ok := segs[i].get(key, h); ok {
			return w, true
		}
	}
	return Write{}, false
}
