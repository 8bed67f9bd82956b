package kv

import "bytes"

// cursor walks over a part of a run.
type cursor struct {
	run      *Run
	pos, end int
	rank     int // among cursors on one key the highest rank is the newest
}

func (c *cursor) key() []byte { return c.run.key(c.run.refs[c.pos]) }

// merger merges cursors by key. It is a heap, newest first among equal keys.
type merger struct{ cs []cursor }

func newMerger(cs []cursor) merger {
	m := merger{cs: cs}
	for i := len(cs)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m
}

func (m *merger) less(i, j int) bool {
	c := bytes.Compare(m.cs[i].key(), m.cs[j].key())
	return c < 0 || c == 0 && m.cs[i].rank > m.cs[j].rank
}

func (m *merger) down(i int) {
	for {
		least := i
		for j := 2*i + 1; j <= 2*i+2 && j < len(m.cs); j++ {
			if m.less(j, least) {
				least = j
			}
		}
		if least == i {
			return
		}
		m.cs[i], m.cs[least] = m.cs[least], m.cs[i]
		i = least
	}
}

// next returns the net effect on the next key: the old value of the oldest write and the new value of the newest.
func (m *merger) next() (Write, bool) {
	switch len(m.cs) {
	case 0:
		return Write{}, false
	case 1: // its keys are distinct
		return m.take(), true
	}
	w := m.take()
	for len(m.cs) > 0 && bytes.Equal(m.cs[0].key(), w.Key) {
		w.Old = m.take().Old
	}
	return w, true
}

// take removes the write at the top of the heap.
func (m *merger) take() Write {
	c := &m.cs[0]
	w := c.run.At(c.pos)
	if c.pos++; c.pos == c.end {
		last := len(m.cs) - 1
		m.cs[0] = m.cs[last]
		m.cs = m.cs[:last]
	}
	m.down(0)
	return w
}

// overlay is an Iterator over the rows of a base with writes of runs above it.
type overlay struct {
	base       Iterator
	runs       merger
	baseOK     bool // base stands on a row not yet emitted
	top        Write
	topOK      bool // top is a write not yet emitted
	started    bool
	fromBase   bool
	key, value []byte
}

func newOverlay(base Iterator, cs []cursor) Iterator {
	if len(cs) == 0 {
		return base
	}
	return &overlay{base: base, runs: newMerger(cs)}
}

func (o *overlay) Next() bool {
	o.leave()
	for {
		if !o.topOK {
			return o.emitBase()
		}
		c := 1
		if o.baseOK {
			c = bytes.Compare(o.base.Key(), o.top.Key)
		}
		if c < 0 {
			return o.emitBase()
		}
		if c == 0 { // hidden by the run
			o.baseOK = o.base.Next()
		}
		if o.top.New != nil {
			o.fromBase, o.key, o.value = false, o.top.Key, o.top.New
			return true
		}
		o.top, o.topOK = o.runs.next()
	}
}

// leave steps past the row that was emitted last.
func (o *overlay) leave() {
	switch {
	case !o.started:
		o.started = true
		o.baseOK = o.base.Next()
		o.top, o.topOK = o.runs.next()
	case o.fromBase:
		if o.baseOK {
			o.baseOK = o.base.Next()
		}
	case o.topOK:
		o.top, o.topOK = o.runs.next()
	}
}

func (o *overlay) emitBase() bool {
	o.fromBase = true
	if o.baseOK {
		o.key, o.value = o.base.Key(), o.base.Value()
	}
	return o.baseOK
}

func (o *overlay) Key() []byte   { return o.key }
func (o *overlay) Value() []byte { return o.value }
func (o *overlay) Close() error  { return o.base.Close() }
