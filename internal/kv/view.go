package kv

import (
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// layers is visible runs over a base; the runs are those of one moment.
type layers struct {
	visible map[id.Table][]slice
	base    Reader
}

// parts returns the slices that may hold keys of [start, end).
func (l layers) parts(start, end []byte) []slice {
	t, _, _, ok := TableOf(start)
	if ok && end != nil {
		if u, _, _, ok := TableOf(end); ok && (u == t || u == t+1 && string(end) == string(AppendTable(nil, u, 0))) {
			return l.visible[t]
		}
	}
	var all []slice
	for _, t := range slices.Sorted(maps.Keys(l.visible)) {
		all = append(all, l.visible[t]...)
	}
	return all
}

func (l layers) Get(key []byte) ([]byte, bool, error) {
	if t, _, _, ok := TableOf(key); ok {
		parts := l.visible[t]
		for i := len(parts) - 1; i >= 0; i-- {
			if w, ok := parts[i].run.Get(key); ok {
				return w.New, w.New != nil, nil
			}
		}
	}
	return l.base.Get(key)
}

func (l layers) Scan(start, end []byte) Iterator {
	base := l.base.Scan(start, end)
	runs := newRunsIter(l.parts(start, end), start, end)
	if len(runs.parts) == 0 {
		return base
	}
	return newMergedIter(runs, base)
}

// view implements View.
type view struct {
	layers
	snap    BaseSnapshot
	epoch   epoch.Epoch
	durable epoch.Epoch // what is not in the runs is in the base up to it
	leases  map[id.Table]epoch.Epoch
}

// View implements Store.
func (s *Layered) View() View {
	s.mu.RLock()
	defer s.mu.RUnlock()
	snap := s.base.Snapshot()
	return &view{layers{s.mu.visible, snap}, snap, s.mu.epoch, s.mu.durable, s.mu.leases}
}

func (v *view) Epoch() epoch.Epoch { return v.epoch }
func (v *view) Close() error       { return v.snap.Close() }

// own implements the Reader of Own: staged runs of the job over the visible state of the moment of each call.
type own struct {
	s   *Layered
	job id.Job
}

// Own implements Store.
func (s *Layered) Own(job id.Job) Reader { return own{s, job} }

func (o own) layers() layers {
	o.s.mu.RLock()
	defer o.s.mu.RUnlock()
	l := layers{o.s.mu.visible, o.s.base}
	staged := o.s.mu.staged[o.job]
	if len(staged) == 0 {
		return l
	}
	l.visible = maps.Clone(l.visible)
	for _, r := range staged {
		for t, part := range r.parts {
			l.visible[t] = append(slices.Clip(l.visible[t]), part)
		}
	}
	return l
}

func (o own) Get(key []byte) ([]byte, bool, error) {
	t, _, _, ok := TableOf(key)
	if !ok {
		return o.s.base.Get(key)
	}
	o.s.mu.RLock()
	staged, visible := o.s.mu.staged[o.job], o.s.mu.visible[t]
	o.s.mu.RUnlock()
	for i := len(staged) - 1; i >= 0; i-- {
		if p, ok := staged[i].parts[t]; ok {
			if w, ok := p.run.Get(key); ok {
				return w.New, w.New != nil, nil
			}
		}
	}
	return layers{map[id.Table][]slice{t: visible}, o.s.base}.Get(key)
}

func (o own) Scan(start, end []byte) Iterator {
	return o.layers().Scan(start, end)
}
