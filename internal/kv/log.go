package kv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
)

// ErrLogGone tells that a changelog was asked for from an epoch that no lease held.
var ErrLogGone = errors.New("the changelog is gone")

// logPart is the changelog of the slices of a table that were published after the lease's epoch.
func (s *Layered) logPart(t id.Table, parts []slice, lease epoch.Epoch) Part {
	p := Part{}
	var kept []slice
	for _, x := range parts {
		if x.epoch > lease {
			kept = append(kept, x)
			p.Size += x.to - x.from
		}
	}
	s.extend(t, kept)
	p.Each = func(yield func(key, value []byte) error) error {
		var key, value []byte
		for _, e := range sortedLog(kept) {
			w := e.run.At(e.i)
			_, v, rest, _ := TableOf(w.Key)
			key = append(AppendLog(key[:0], t, v, e.epoch), rest...)
			value = appendChange(value[:0], w)
			if err := yield(key, value); err != nil {
				return err
			}
		}
		return nil
	}
	return p
}

// extend remembers that the table has log segments of these slices.
func (s *Layered) extend(t id.Table, parts []slice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.mu.logged[t]
	if x == nil {
		x = &logExtent{}
		s.mu.logged[t] = x
	}
	for _, p := range parts {
		_, v, _, _ := TableOf(p.run.At(p.to - 1).Key)
		x.vnodes = max(x.vnodes, int(v)+1)
	}
}

// logRef is one change: write i of a run that was published at an epoch.
type logRef struct {
	run   *Run
	i     int
	epoch epoch.Epoch
}

// sortedLog orders changes by vnode, epoch, key: the order of the log.
func sortedLog(parts []slice) []logRef {
	var refs []logRef
	for _, p := range parts {
		for i := p.from; i < p.to; i++ {
			refs = append(refs, logRef{p.run, i, p.epoch})
		}
	}
	slices.SortStableFunc(refs, func(a, b logRef) int {
		x, y := a.run.At(a.i).Key, b.run.At(b.i).Key
		_, v, _, _ := TableOf(x)
		_, w, _, _ := TableOf(y)
		if v != w {
			return int(v) - int(w)
		}
		if a.epoch != b.epoch {
			return int(int64(a.epoch) - int64(b.epoch))
		}
		return bytes.Compare(x, y)
	})
	return refs
}

// A change is stored as: old length + 1 (0: absent), old, new length + 1, new, crc32c.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func appendChange(dst []byte, w Write) []byte {
	from := len(dst)
	for _, b := range [][]byte{w.Old, w.New} {
		if b == nil {
			dst = append(dst, 0)
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(len(b))+1)
		dst = append(dst, b...)
	}
	return binary.BigEndian.AppendUint32(dst, crc32.Checksum(dst[from:], castagnoli))
}

func decodeChange(b []byte) (old, new []byte, err error) {
	bad := errs.RowCorrupt.New("what", "changelog entry")
	if len(b) < 6 || crc32.Checksum(b[:len(b)-4], castagnoli) != binary.BigEndian.Uint32(b[len(b)-4:]) {
		return nil, nil, bad
	}
	b = b[:len(b)-4]
	field := func() ([]byte, bool) {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > 0 && n-1 > uint64(len(b)-k) {
			return nil, false
		}
		b = b[k:]
		if n == 0 {
			return nil, true
		}
		out := b[: n-1 : n-1]
		b = b[n-1:]
		return out, true
	}
	old, ok := field()
	if !ok {
		return nil, nil, bad
	}
	if new, ok = field(); !ok || len(b) != 0 {
		return nil, nil, bad
	}
	return old, new, nil
}

// Log implements View: segments of the base up to what was durable when the view was taken, then the runs in memory.
func (v *view) Log(t id.Table, vnode uint16, from, to epoch.Epoch) (LogIterator, error) {
	lease, ok := v.leases[t]
	if from < v.durable && (!ok || lease > from) {
		return nil, ErrLogGone
	}
	start, end := AppendTable(nil, t, vnode), AppendTable(nil, t, vnode)
	end = PrefixEnd(end)
	var parts []slice
	for _, p := range v.visible[t] {
		lo, hi := max(p.from, p.run.Seek(start)), min(p.to, p.run.Seek(end))
		if p.epoch > from && p.epoch <= to && lo < hi {
			parts = append(parts, slice{run: p.run, from: lo, to: hi, epoch: p.epoch})
		}
	}
	it := &logIter{mem: sortedLog(parts), prefix: start}
	if from < v.durable {
		it.base = v.snap.Scan(AppendLog(nil, t, vnode, from+1), AppendLog(nil, t, vnode, min(to, v.durable)+1))
	}
	return it, nil
}

// logIter reads the base's segments, then memory: epochs in memory are later than those in the base.
type logIter struct {
	base     Iterator
	mem      []logRef
	prefix   []byte // table and vnode of row keys
	epoch    epoch.Epoch
	key      []byte
	old, new []byte
	err      error
}

// logPrefixLen is the length of table | vnode | epoch before the key of a log entry.
const logPrefixLen = TablePrefixLen + 8

func (it *logIter) Next() bool {
	if it.base != nil {
		if it.base.Next() {
			k := it.base.Key()
			it.epoch = epoch.Epoch(binary.BigEndian.Uint64(k[TablePrefixLen:]))
			it.key = append(append(it.key[:0], it.prefix...), k[logPrefixLen:]...)
			it.old, it.new, it.err = decodeChange(it.base.Value())
			return it.err == nil
		}
		err := it.base.Close()
		it.base = nil
		if it.err = err; err != nil {
			return false
		}
	}
	if it.err != nil || len(it.mem) == 0 {
		return false
	}
	w := it.mem[0].run.At(it.mem[0].i)
	it.epoch, it.key, it.old, it.new = it.mem[0].epoch, append(it.key[:0], w.Key...), w.Old, w.New
	it.mem = it.mem[1:]
	return true
}

func (it *logIter) Epoch() epoch.Epoch { return it.epoch }
func (it *logIter) Key() []byte        { return it.key }
func (it *logIter) Old() []byte        { return it.old }
func (it *logIter) New() []byte        { return it.new }

func (it *logIter) Close() error {
	if it.base != nil {
		if err := it.base.Close(); it.err == nil {
			it.err = err
		}
		it.base = nil
	}
	return it.err
}
