package kv

import "bytes"

// runsIter merges slices, oldest first, into ascending keys; of several writes of one key the newest counts.
type runsIter struct {
	parts []slice
	at    []int // next write of each part
	cur   Write
}

// newRunsIter iterates over the keys in [start, end) of the slices; nil bounds are open.
func newRunsIter(parts []slice, start, end []byte) *runsIter {
	it := &runsIter{}
	for _, p := range parts {
		from, to := p.from, p.to
		if start != nil {
			from = max(from, p.run.Seek(start))
		}
		if end != nil {
			to = min(to, p.run.Seek(end))
		}
		if from < to {
			it.parts = append(it.parts, slice{run: p.run, from: from, to: to, epoch: p.epoch})
			it.at = append(it.at, from)
		}
	}
	return it
}

func (it *runsIter) next() bool {
	newest := -1
	var key []byte
	for i, p := range it.parts {
		if it.at[i] == p.to {
			continue
		}
		k := p.run.At(it.at[i]).Key
		if newest < 0 || bytes.Compare(k, key) <= 0 {
			newest, key = i, k
		}
	}
	if newest < 0 {
		return false
	}
	it.cur = it.parts[newest].run.At(it.at[newest])
	for i, p := range it.parts {
		if it.at[i] < p.to && bytes.Equal(p.run.At(it.at[i]).Key, key) {
			it.at[i]++
		}
	}
	return true
}

func (it *runsIter) write() Write { return it.cur }

// mergedIter lays the writes of runs over a base.
type mergedIter struct {
	runs           *runsIter
	base           Iterator
	runOK, baseOK  bool
	key, value     []byte
	advRun, advBas bool // to be moved on before the next row
}

func newMergedIter(runs *runsIter, base Iterator) *mergedIter {
	return &mergedIter{runs: runs, base: base, advRun: true, advBas: true}
}

func (m *mergedIter) Next() bool {
	for {
		if m.advRun {
			m.runOK = m.runs.next()
		}
		if m.advBas {
			m.baseOK = m.base.Next()
		}
		m.advRun, m.advBas = false, false
		if !m.runOK && !m.baseOK {
			return false
		}
		c := -1
		switch {
		case !m.runOK:
			c = 1
		case m.baseOK:
			c = bytes.Compare(m.runs.cur.Key, m.base.Key())
		}
		if c > 0 {
			m.key, m.value, m.advBas = m.base.Key(), m.base.Value(), true
			return true
		}
		m.advRun, m.advBas = true, c == 0
		if w := m.runs.cur; w.New != nil {
			m.key, m.value = w.Key, w.New
			return true
		}
	}
}

func (m *mergedIter) Key() []byte   { return m.key }
func (m *mergedIter) Value() []byte { return m.value }
func (m *mergedIter) Close() error  { return m.base.Close() }
