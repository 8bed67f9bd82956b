package kv

import (
	"bytes"
	"errors"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// ErrLogGone says that a changelog was asked for from an epoch that no lease has held.
var ErrLogGone = errors.New("the changelog is not kept from this epoch on")

// vnodeRange returns the bounds of a vnode's rows.
func vnodeRange(t id.Table, vnode uint16) (start, end []byte) {
	start = AppendTable(nil, t, vnode)
	return start, PrefixEnd(start)
}

// runLog is the changelog of a vnode as held by segments: by epoch, then key. Writes of one epoch are folded, writes of
// different epochs never are.
type runLog struct {
	segs       []segment // of one table, oldest first, epochs ascending
	start, end []byte
	epoch      epoch.Epoch
	runs       merger
	cur        Write
}

// newRunLog covers the epochs in (from, to] of the vnode.
func newRunLog(segs []segment, t id.Table, vnode uint16, from, to epoch.Epoch) *runLog {
	l := &runLog{}
	l.start, l.end = vnodeRange(t, vnode)
	for _, s := range segs {
		if s.epoch > from && s.epoch <= to {
			l.segs = append(l.segs, s)
		}
	}
	return l
}

func (l *runLog) Next() bool {
	for {
		for w, ok := l.runs.next(); ok; w, ok = l.runs.next() {
			if changes(w) {
				l.cur = w
				return true
			}
		}
		if len(l.segs) == 0 {
			return false
		}
		l.open()
	}
}

// changes is false for a write that leaves its key as it was.
func changes(w Write) bool {
	return (w.Old == nil) != (w.New == nil) || !bytes.Equal(w.Old, w.New)
}

// open moves on to the next epoch that has segments.
func (l *runLog) open() {
	l.epoch = l.segs[0].epoch
	var cs []cursor
	n := 0
	for ; n < len(l.segs) && l.segs[n].epoch == l.epoch; n++ {
		if c, ok := l.segs[n].cursor(l.start, l.end, n); ok {
			cs = append(cs, c)
		}
	}
	l.segs = l.segs[n:]
	l.runs = newMerger(cs)
}

func (l *runLog) Epoch() epoch.Epoch { return l.epoch }
func (l *runLog) Key() []byte        { return l.cur.Key }
func (l *runLog) Old() []byte        { return l.cur.Old }
func (l *runLog) New() []byte        { return l.cur.New }
func (l *runLog) Close() error       { return nil }

// chainLog reads one changelog after another.
type chainLog struct {
	logs   []LogIterator
	closed []LogIterator
}

func (c *chainLog) Next() bool {
	for len(c.logs) > 0 {
		if c.logs[0].Next() {
			return true
		}
		c.closed, c.logs = append(c.closed, c.logs[0]), c.logs[1:]
	}
	return false
}

func (c *chainLog) Epoch() epoch.Epoch { return c.logs[0].Epoch() }
func (c *chainLog) Key() []byte        { return c.logs[0].Key() }
func (c *chainLog) Old() []byte        { return c.logs[0].Old() }
func (c *chainLog) New() []byte        { return c.logs[0].New() }

func (c *chainLog) Close() error {
	var first error
	for _, l := range append(c.closed, c.logs...) {
		if err := l.Close(); err != nil && first == nil {
			first = err
		}
	}
	c.logs, c.closed = nil, nil
	return first
}
