package kv

import (
	"maps"
	"slices"
	"sync"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// Layers is what every Store has above its durable rows: the runs that jobs have staged, the runs that are visible but
// not durable, and the leases. A Store adds a Base below and the writing of commits.
//
// Invariants (K1-K5 in DESIGN.md of pebblekv):
//
//	K1  A version is immutable. Its runs over its pin are the rows of its epoch.
//	K2  The base never holds rows of an epoch above the current version's.
//	K3  A version's base is pinned under the lock, while it is the current one.
//
// The lock is held to swap lists, never while rows are copied or written.
type Layers struct {
	base Base
	mu   struct {
		sync.RWMutex
		staged  map[id.Job][]segment // by epoch, oldest first
		current *version
	}
}

// Base holds durable rows.
type Base interface {
	Reader // as last written
	// Pin fixes the rows as they are now.
	Pin() Pinned
}

// Pinned is a base that does not change. It is safe for concurrent use; Get copies.
type Pinned interface {
	Reader
	// Log iterates over the durable changelog in (from, to].
	Log(t id.Table, vnode uint16, from, to epoch.Epoch) (LogIterator, error)
	// Rest lets go of what only makes reads faster: no new readers come, though some may stay for long.
	Rest()
	Close() error
}

// NewLayers starts with nothing but the base, which is at the epoch. logs tells from which epoch on it holds changelogs.
func NewLayers(b Base, e epoch.Epoch, logs map[id.Table]epoch.Epoch) *Layers {
	l := &Layers{base: b}
	l.mu.staged = map[id.Job][]segment{}
	l.mu.current = newVersion(content{epoch: e, durable: e, tables: map[id.Table][]segment{}, logs: maps.Clone(logs)})
	return l
}

// Stage keeps a run for its job. It reports false, and does nothing, when a key lies outside of the table space.
func (l *Layers) Stage(job id.Job, e epoch.Epoch, r *Run) bool {
	segs, ok := split(e, r)
	if !ok {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.mu.staged[job]
	at := len(old)
	for at > 0 && old[at-1].epoch > e { // another actor is an epoch ahead
		at--
	}
	l.mu.staged[job] = slices.Insert(slices.Clip(old), at, segs...)
	return true
}

// Publish makes what the jobs staged for epochs <= e visible at e.
func (l *Layers) Publish(e epoch.Epoch, jobs []id.Job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.mu.current.content
	next.epoch = e
	next.tables = maps.Clone(next.tables)
	for _, j := range jobs {
		staged := l.mu.staged[j]
		n := 0
		for ; n < len(staged) && staged[n].epoch <= e; n++ {
			s := staged[n]
			s.epoch = e
			// The list may share its array with older versions: they never look past their own length.
			next.tables[s.table] = append(next.tables[s.table], s)
		}
		l.keepStagedLocked(j, staged[n:])
	}
	l.swapLocked(next)
}

func (l *Layers) keepStagedLocked(j id.Job, rest []segment) {
	if len(rest) == 0 {
		delete(l.mu.staged, j)
		return
	}
	l.mu.staged[j] = slices.Clone(rest) // lets go of what was before
}

// Discard drops the staged runs of a job.
func (l *Layers) Discard(job id.Job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.mu.staged, job)
}

// swapLocked makes a version the current one.
func (l *Layers) swapLocked(next content) {
	old := l.mu.current
	l.mu.current = newVersion(next)
	old.rest()
	old.release()
}

// Refresh makes views taken from now on see the base as it is: something was written beside the epochs.
func (l *Layers) Refresh() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.swapLocked(l.mu.current.content)
}

// SetLeases replaces the leases. A table's changelog is readable from its lease on, unless it was kept from a later epoch.
func (l *Layers) SetLeases(leases map[id.Table]epoch.Epoch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.mu.current.content
	logs := make(map[id.Table]epoch.Epoch, len(leases))
	for t, e := range leases {
		kept, ok := next.logs[t]
		if !ok {
			kept = next.durable
		}
		logs[t] = max(e, kept)
	}
	next.logs = logs
	l.swapLocked(next)
}

// Drop forgets the visible rows and the changelog of a table. It reports false when rows are staged for it.
func (l *Layers) Drop(t id.Table) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, segs := range l.mu.staged {
		if slices.ContainsFunc(segs, func(s segment) bool { return s.table == t }) {
			return false
		}
	}
	next := l.mu.current.content
	next.tables, next.logs = maps.Clone(next.tables), maps.Clone(next.logs)
	delete(next.tables, t)
	delete(next.logs, t)
	l.swapLocked(next)
	return true
}

// Visible is the epoch of the last Publish, Durable of the last commit.
func (l *Layers) Visible() epoch.Epoch { return l.now().epoch }
func (l *Layers) Durable() epoch.Epoch { return l.now().durable }

// Leases returns from which epoch on the changelog of each table is kept; the caller must not change it.
func (l *Layers) Leases() map[id.Table]epoch.Epoch { return l.now().logs }

// now returns the current version for a look at its fields; it is not held.
func (l *Layers) now() *version {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.mu.current
}

// Close lets go of the current version's pin; views that are open keep theirs.
func (l *Layers) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mu.current.release()
}
