package kv

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// Pending is what one commit has to write: the visible runs up to its epoch. It does not change while it is written.
type Pending struct {
	Epoch epoch.Epoch
	Logs  map[id.Table]epoch.Epoch // the leases that this commit serves

	tables []pendingTable // by number
	writes int
	bytes  int
}

type pendingTable struct {
	table id.Table
	segs  []segment
	bytes int
}

// Pending takes the visible runs of epochs <= e.
func (l *Layers) Pending(e epoch.Epoch) *Pending {
	v := l.now()
	p := &Pending{Epoch: e, Logs: v.logs}
	for t, segs := range v.tables {
		n := upTo(segs, e)
		if n == 0 {
			continue
		}
		pt := pendingTable{table: t, segs: segs[:n]}
		for _, s := range pt.segs {
			p.writes += s.hi - s.lo
			pt.bytes += s.run.Size() * (s.hi - s.lo) / s.run.Len()
		}
		p.tables = append(p.tables, pt)
		p.bytes += pt.bytes
	}
	slices.SortFunc(p.tables, func(a, b pendingTable) int { return cmp.Compare(a.table, b.table) })
	return p
}

// upTo is how many of the segments, oldest first, are of epochs <= e.
func upTo(segs []segment, e epoch.Epoch) int {
	n := 0
	for n < len(segs) && segs[n].epoch <= e {
		n++
	}
	return n
}

// Writes is the number of writes in the runs, an upper bound for the rows; Bytes their approximate size.
func (p *Pending) Writes() int { return p.writes }
func (p *Pending) Bytes() int  { return p.bytes }

// Rows calls fn with the net effect on each key, in key order; a nil value deletes.
func (p *Pending) Rows(fn func(key, value []byte) error) error {
	for _, t := range p.tables {
		if err := t.rows(nil, nil, fn); err != nil {
			return err
		}
	}
	return nil
}

// rows is Rows for the keys in [start, end); nil is no bound.
func (t pendingTable) rows(start, end []byte, fn func(key, value []byte) error) error {
	m := newMerger(appendCursors(nil, t.segs, start, end, 0))
	for w, ok := m.next(); ok; w, ok = m.next() {
		if err := fn(w.Key, w.New); err != nil {
			return err
		}
	}
	return nil
}

// Changes calls fn for the changelog of each vnode of the leased tables, by table, vnode, epoch and key.
func (p *Pending) Changes(fn func(t id.Table, vnode uint16, log LogIterator) error) error {
	for _, t := range p.tables {
		from, leased := p.Logs[t.table]
		if !leased {
			continue
		}
		for _, vn := range t.vnodes() {
			if err := fn(t.table, vn, newRunLog(t.segs, t.table, vn, from, p.Epoch)); err != nil {
				return err
			}
		}
	}
	return nil
}

// vnodes lists the vnodes that the segments have rows of.
func (t pendingTable) vnodes() []uint16 {
	seen := map[uint16]bool{}
	for _, s := range t.segs {
		for i := s.lo; i < s.hi; {
			_, vn, _, _ := TableOf(s.run.At(i).Key)
			seen[vn] = true
			_, end := vnodeRange(t.table, vn)
			i = s.run.seekFrom(i, end)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Committed takes the runs of a commit out of the lists: the base has them now. A run whose changelog was leased while
// the commit was being written stays for the next one, which writes the same rows again and the changelog too.
func (l *Layers) Committed(p *Pending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.mu.current.content
	next.durable = p.Epoch
	tables := make(map[id.Table][]segment, len(next.tables))
	for t, segs := range next.tables {
		if rest := segs[p.done(t, segs, next.logs):]; len(rest) > 0 {
			tables[t] = slices.Clone(rest)
		}
	}
	next.tables = tables
	l.swapLocked(next)
}

// done is how many segments the commit has made superfluous.
func (p *Pending) done(t id.Table, segs []segment, leases map[id.Table]epoch.Epoch) int {
	lease, leased := leases[t]
	served, wasLeased := p.Logs[t]
	if leased && (!wasLeased || lease < served) {
		return upTo(segs, min(lease, p.Epoch))
	}
	return upTo(segs, p.Epoch)
}
