package kv

import (
	"bytes"
	"sync/atomic"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// View pins the visible epoch.
func (l *Layers) View() View {
	l.mu.RLock()
	defer l.mu.RUnlock()
	l.mu.current.hold(l.base)
	return &view{version: l.mu.current}
}

type view struct {
	*version
	closed atomic.Bool
}

func (v *view) Epoch() epoch.Epoch { return v.epoch }

func (v *view) Get(key []byte) ([]byte, bool, error) {
	if v, ok, found := get(v.tables, key); found {
		return v, ok, nil
	}
	return v.pin.Get(key)
}

// GetSorted implements SortedReader.
func (v *view) GetSorted(keys [][]byte, each func(i int, value []byte) error) error {
	return GetSortedOver(v.pin, keys, func(key []byte) ([]byte, bool, bool) { return get(v.tables, key) }, each)
}

// get looks a key up in the runs; found is false when they do not mention it. Runs are immutable and live as long as
// somebody refers to them, so the value is the caller's to keep.
func get(tables map[id.Table][]segment, key []byte) (value []byte, ok, found bool) {
	t, _, _, isRow := TableOf(key)
	if !isRow {
		return nil, false, false
	}
	segs := tables[t]
	if len(segs) == 0 {
		return nil, false, false
	}
	w, found := find(segs, key, filterHash(key))
	return w.New, w.New != nil, found
}

func (v *view) Scan(start, end []byte) Iterator {
	return newOverlay(v.pin.Scan(start, end), v.cursors(start, end))
}

// Log reads the durable segments first, then memory. A commit may be done in the base while its runs are still listed
// here, so the base is read only up to the first epoch that the runs have.
func (v *view) Log(t id.Table, vnode uint16, from, to epoch.Epoch) (LogIterator, error) {
	to = min(to, v.epoch)
	if kept, ok := v.logs[t]; from < v.durable && (!ok || from < kept) {
		return nil, ErrLogGone
	}
	segs := v.tables[t]
	runs := newRunLog(segs, t, vnode, from, to)
	stored := min(to, v.epoch)
	if len(segs) > 0 {
		stored = min(to, segs[0].epoch-1)
	}
	if from >= min(stored, v.durable) {
		return runs, nil
	}
	base, err := v.pin.Log(t, vnode, from, min(stored, v.durable))
	if err != nil {
		return nil, err
	}
	return &chainLog{logs: []LogIterator{base, runs}}, nil
}

func (v *view) Close() error {
	if v.closed.Swap(true) {
		return nil
	}
	return v.release()
}

// Own reads a job's staged writes over the visible ones over the base. It is safe for concurrent use.
func (l *Layers) Own(job id.Job) Reader { return &own{l: l, job: job} }

type own struct {
	l   *Layers
	job id.Job
}

func (o *own) Get(key []byte) ([]byte, bool, error) {
	o.l.mu.RLock()
	staged, tables := o.l.mu.staged[o.job], o.l.mu.current.tables
	o.l.mu.RUnlock()
	if len(staged) > 0 {
		if w, ok := find(staged, key, filterHash(key)); ok {
			return w.New, w.New != nil, nil
		}
	}
	if v, ok, found := get(tables, key); found {
		return v, ok, nil
	}
	return o.l.base.Get(key)
}

// Scan opens the base under the lock, so that no later epoch can be committed into it first (K2).
func (o *own) Scan(start, end []byte) Iterator {
	o.l.mu.RLock()
	defer o.l.mu.RUnlock()
	cs := o.l.mu.current.cursors(start, end)
	newer := 0
	for _, c := range cs {
		newer = max(newer, c.rank+1)
	}
	cs = appendCursors(cs, o.l.mu.staged[o.job], start, end, newer)
	return newOverlay(o.l.base.Scan(start, end), cs)
}

// Clip bounds a scan from below by the first space that readers may see; what lies before is the store's own.
func Clip(start []byte) []byte {
	if bytes.Compare(start, []byte{SpaceMeta}) < 0 {
		return []byte{SpaceMeta}
	}
	return start
}

// ClipMeta bounds a scan to the meta space.
func ClipMeta(start, end []byte) (from, to []byte) {
	last := []byte{SpaceMeta + 1}
	if end == nil || bytes.Compare(end, last) > 0 {
		end = last
	}
	return Clip(start), end
}
