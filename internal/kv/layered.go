package kv

import (
	"encoding/binary"
	"maps"
	"slices"
	"sync"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
)

// Layered is the Store over any Base: staged runs, visible runs, and the base.
//
// Invariants:
//
//	K1 a row that is visible is in a run in memory, or in the base, never in neither: a commit takes runs out of memory
//	   only after the base has them
//	K2 a view reads one epoch: it takes the list of visible runs and the base's snapshot under one lock. Rows that a commit
//	   has written in between are in both, with the same values
//	K3 the epoch of a change in the changelog is that of its publication, so that a view of epoch E and the changelog
//	   after E never overlap
type Layered struct {
	base Base
	mu   struct {
		sync.RWMutex
		staged  map[id.Job][]stagedRun
		visible map[id.Table][]slice // oldest first; replaced as a whole, never changed
		epoch   epoch.Epoch
		durable epoch.Epoch
		leases  map[id.Table]epoch.Epoch
		logged  map[id.Table]*logExtent // tables that may have log segments in the base
	}
}

type stagedRun struct {
	epoch epoch.Epoch
	parts map[id.Table]slice
}

// slice is the part of a run that belongs to one table.
type slice struct {
	run      *Run
	from, to int
	epoch    epoch.Epoch // of its publication
}

// logExtent is what may be there of a table's changelog.
type logExtent struct {
	vnodes int         // vnodes below it
	purged epoch.Epoch // segments up to it are gone
}

// NewLayered returns a store over a base that holds everything up to the durable epoch.
func NewLayered(base Base, durable epoch.Epoch) *Layered {
	s := &Layered{base: base}
	s.mu.staged, s.mu.visible = map[id.Job][]stagedRun{}, map[id.Table][]slice{}
	s.mu.leases, s.mu.logged = map[id.Table]epoch.Epoch{}, map[id.Table]*logExtent{}
	s.mu.epoch, s.mu.durable = durable, durable
	return s
}

// Stage implements Store.
func (s *Layered) Stage(job id.Job, e epoch.Epoch, r *Run) {
	if r.Len() == 0 {
		return
	}
	parts := splitTables(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.staged[job] = append(s.mu.staged[job], stagedRun{e, parts})
}

// splitTables cuts a run into its tables.
func splitTables(r *Run) map[id.Table]slice {
	parts := map[id.Table]slice{}
	for i := 0; i < r.Len(); {
		t, _, _, _ := TableOf(r.At(i).Key)
		end := r.Seek(AppendTable(nil, t+1, 0))
		parts[t] = slice{run: r, from: i, to: end}
		i = end
	}
	return parts
}

// Publish implements Store.
func (s *Layered) Publish(e epoch.Epoch, jobs []id.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.epoch = e
	next := maps.Clone(s.mu.visible)
	for _, j := range jobs {
		var later []stagedRun
		for _, r := range s.mu.staged[j] {
			if r.epoch > e {
				later = append(later, r)
				continue
			}
			for t, part := range r.parts {
				part.epoch = e
				next[t] = append(slices.Clip(next[t]), part)
			}
		}
		s.mu.staged[j] = later
		if later == nil {
			delete(s.mu.staged, j)
		}
	}
	s.mu.visible = next
}

// Discard implements Store.
func (s *Layered) Discard(job id.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.mu.staged, job)
}

// Visible and Durable implement Store.
func (s *Layered) Visible() epoch.Epoch {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.mu.epoch
}

func (s *Layered) Durable() epoch.Epoch {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.mu.durable
}

// SetLeases implements Store.
func (s *Layered) SetLeases(leases map[id.Table]epoch.Epoch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.leases = maps.Clone(leases)
}

// Apply implements Store.
func (s *Layered) Apply(writes []Write) error {
	return s.base.Write(&Batch{Parts: []Part{writesPart(writes)}})
}

// writesPart sorts writes; of several of one key the last counts.
func writesPart(writes []Write) Part {
	var b RunBuilder
	for _, w := range writes {
		b.Add(w)
	}
	r := b.Finish()
	return runPart([]slice{{run: r, to: r.Len()}})
}

// runPart is the net effect of slices, oldest first.
func runPart(parts []slice) Part {
	n := 0
	for _, p := range parts {
		n += p.to - p.from
	}
	return Part{Size: n, Each: func(yield func(key, value []byte) error) error {
		it := newRunsIter(parts, nil, nil)
		for it.next() {
			w := it.write()
			if err := yield(w.Key, w.New); err != nil {
				return err
			}
		}
		return nil
	}}
}

// Meta implements Store.
func (s *Layered) Meta() Reader { return s.base }

// DropTables implements Store.
func (s *Layered) DropTables(tables []id.Table) error {
	if len(tables) == 0 {
		return nil
	}
	b := &Batch{}
	for _, t := range tables {
		b.Deletes = append(b.Deletes, tableRange(t), logRange(t))
	}
	s.mu.Lock()
	next := maps.Clone(s.mu.visible)
	for _, t := range tables {
		delete(next, t)
		delete(s.mu.logged, t)
	}
	s.mu.visible = next
	s.mu.Unlock()
	return s.base.Write(b)
}

func tableRange(t id.Table) Range {
	return Range{AppendTable(nil, t, 0), AppendTable(nil, t+1, 0)}
}

func logRange(t id.Table) Range {
	return Range{AppendLog(nil, t, 0, 0), AppendLog(nil, t+1, 0, 0)}
}

// Close implements Store.
func (s *Layered) Close() error { return s.base.Close() }

// Commit implements Store.
func (s *Layered) Commit(c Commit) (CommitStats, error) {
	s.mu.Lock()
	visible, leases := s.mu.visible, s.mu.leases
	batch := &Batch{Deletes: s.purgeLocked()}
	s.mu.Unlock()
	var logs, rows []Part
	for _, t := range slices.Sorted(maps.Keys(visible)) {
		parts := upTo(visible[t], c.Epoch)
		if len(parts) == 0 {
			continue
		}
		rows = append(rows, runPart(parts))
		if lease, ok := leases[t]; ok {
			logs = append(logs, s.logPart(t, parts, lease))
		}
	}
	record := Write{Key: epochKey, New: binary.BigEndian.AppendUint64(nil, uint64(c.Epoch))}
	batch.Parts = append(append(logs, writesPart(append(c.Meta, record))), rows...)
	if err := s.base.Write(batch); err != nil {
		return CommitStats{}, err
	}
	s.forget(c.Epoch)
	return CommitStats{Rows: batch.Rows()}, nil
}

// epochKey holds the durable epoch; every commit writes it, so that it tells exactly which commits survived.
var epochKey = append([]byte{SpaceMeta}, "epoch"...)

// DurableEpoch reads the epoch of the last commit that a base holds.
func DurableEpoch(base Base) (epoch.Epoch, error) {
	b, ok, err := base.Get(epochKey)
	if err != nil || !ok {
		return 0, err
	}
	if len(b) != 8 {
		return 0, errs.RowCorrupt.New("what", "record of the durable epoch")
	}
	return epoch.Epoch(binary.BigEndian.Uint64(b)), nil
}

// upTo returns the slices published up to an epoch.
func upTo(parts []slice, e epoch.Epoch) []slice {
	n := len(parts)
	for n > 0 && parts[n-1].epoch > e {
		n--
	}
	return parts[:n:n]
}

// forget drops from memory what is in the base now (K1).
func (s *Layered) forget(e epoch.Epoch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := make(map[id.Table][]slice, len(s.mu.visible))
	for t, parts := range s.mu.visible {
		if rest := parts[len(upTo(parts, e)):]; len(rest) > 0 {
			next[t] = rest
		}
	}
	s.mu.visible, s.mu.durable = next, e
}

// purgeLocked returns the log segments that no lease needs any more.
func (s *Layered) purgeLocked() []Range {
	var out []Range
	for t, x := range s.mu.logged {
		lease, ok := s.mu.leases[t]
		switch {
		case !ok:
			out = append(out, logRange(t))
			delete(s.mu.logged, t)
		case lease > x.purged:
			for v := range x.vnodes {
				out = append(out, Range{AppendLog(nil, t, uint16(v), 0), AppendLog(nil, t, uint16(v), lease+1)})
			}
			x.purged = lease
		}
	}
	return out
}
