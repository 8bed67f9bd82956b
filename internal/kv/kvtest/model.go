package kvtest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// model is the store as its contract says it, with maps and full copies.
type model struct {
	rows    map[string]string // visible
	direct  map[string]string // meta space and what Apply wrote: durable at once
	epoch   epoch.Epoch
	durable epoch.Epoch
	staged  map[id.Job][]modelRun
	past    map[epoch.Epoch]map[string]string // rows of the published epochs since the durable one
	log     []modelChange
	logs    map[id.Table]epoch.Epoch // readable after
	served  map[id.Table]epoch.Epoch // logs as of the last commit
}

type modelRun struct {
	epoch  epoch.Epoch
	writes []kv.Write
}

type modelChange struct {
	epoch    epoch.Epoch
	key      string
	old, new []byte
}

func newModel() *model {
	m := &model{rows: map[string]string{}, direct: map[string]string{}, staged: map[id.Job][]modelRun{},
		logs: map[id.Table]epoch.Epoch{}, served: map[id.Table]epoch.Epoch{}}
	m.past = map[epoch.Epoch]map[string]string{0: {}}
	return m
}

func write(rows map[string]string, w kv.Write) {
	if w.New == nil {
		delete(rows, string(w.Key))
	} else {
		rows[string(w.Key)] = string(w.New)
	}
}

// own is what a job reads.
func (m *model) own(j id.Job) map[string]string {
	rows := m.all()
	for _, r := range m.staged[j] {
		for _, w := range r.writes {
			write(rows, w)
		}
	}
	return rows
}

func (m *model) all() map[string]string {
	rows := maps.Clone(m.rows)
	maps.Copy(rows, m.direct)
	return rows
}

func (m *model) publish(e epoch.Epoch, jobs []id.Job) {
	m.epoch = e
	m.rows = maps.Clone(m.rows)
	for _, j := range jobs {
		var rest []modelRun
		for _, r := range m.staged[j] {
			if r.epoch > e {
				rest = append(rest, r)
				continue
			}
			for _, w := range r.writes {
				write(m.rows, w)
				m.log = append(m.log, modelChange{epoch: e, key: string(w.Key), old: w.Old, new: w.New})
			}
		}
		m.staged[j] = rest
	}
	m.past[e] = m.rows
}

func (m *model) commit(e epoch.Epoch) {
	m.durable = e
	m.served = maps.Clone(m.logs)
	maps.DeleteFunc(m.past, func(p epoch.Epoch, _ map[string]string) bool { return p < e })
}

func (m *model) setLeases(leases map[id.Table]epoch.Epoch) {
	next := map[id.Table]epoch.Epoch{}
	for t, e := range leases {
		kept, ok := m.logs[t]
		if !ok {
			kept = m.durable
		}
		next[t] = max(e, kept)
	}
	m.logs = next
}

func (m *model) crash() {
	m.rows, m.epoch = m.past[m.durable], m.durable
	m.past = map[epoch.Epoch]map[string]string{m.durable: m.rows}
	m.staged = map[id.Job][]modelRun{}
	m.logs = maps.Clone(m.served)
	m.log = slices.DeleteFunc(m.log, func(c modelChange) bool { return c.epoch > m.durable })
}

func (m *model) drop(t id.Table) {
	of := func(key string) bool { got, _, _, ok := kv.TableOf([]byte(key)); return ok && got == t }
	for e, rows := range m.past {
		m.past[e] = maps.Clone(rows)
		maps.DeleteFunc(m.past[e], func(k, _ string) bool { return of(k) })
	}
	m.rows = m.past[m.epoch]
	m.log = slices.DeleteFunc(slices.Clone(m.log), func(c modelChange) bool { return of(c.key) })
	delete(m.logs, t)
	delete(m.served, t)
}

// snapshot is what a view of now must read for ever.
type snapshot struct {
	rows    map[string]string
	epoch   epoch.Epoch
	durable epoch.Epoch
	log     []modelChange
	logs    map[id.Table]epoch.Epoch
}

func (m *model) snapshot() snapshot {
	return snapshot{rows: m.all(), epoch: m.epoch, durable: m.durable, log: slices.Clone(m.log), logs: maps.Clone(m.logs)}
}

// changes is the log of a vnode as changelog prints it; ok is false when it is gone.
func (s *snapshot) changes(t id.Table, vnode uint16, from, to epoch.Epoch) (out []string, ok bool) {
	if kept, leased := s.logs[t]; from < s.durable && (!leased || from < kept) {
		return nil, false
	}
	byEpoch := map[epoch.Epoch]map[string]modelChange{}
	for _, c := range s.log {
		ct, cv, _, _ := kv.TableOf([]byte(c.key))
		if ct != t || cv != vnode || c.epoch <= from || c.epoch > min(to, s.epoch) {
			continue
		}
		if byEpoch[c.epoch] == nil {
			byEpoch[c.epoch] = map[string]modelChange{}
		}
		if first, met := byEpoch[c.epoch][c.key]; met {
			c.old = first.old
		}
		byEpoch[c.epoch][c.key] = c
	}
	out = []string{}
	for _, e := range slices.Sorted(maps.Keys(byEpoch)) {
		for _, k := range slices.Sorted(maps.Keys(byEpoch[e])) {
			if c := byEpoch[e][k]; show(c.old) != show(c.new) {
				out = append(out, fmt.Sprintf("%d %q %s>%s", e, k, show(c.old), show(c.new)))
			}
		}
	}
	return out, true
}
