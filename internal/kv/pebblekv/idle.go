package pebblekv

import (
	"errors"
	"sync"

	"github.com/cockroachdb/pebble/v2"
)

// idle are iterators of a snapshot that nobody uses just now: to make one takes several times as long as to seek with it. As each
// holds the files and memtables that were there when it was made, they are kept for as long as readers of the snapshot come.
type idle struct {
	mu struct {
		sync.Mutex
		its   []*pebble.Iterator
		ended bool
	}
}

// idleMax is how many are kept: as many as processors read at a time.
const idleMax = 8

// take gives one that is at no key.
func (d *idle) take(s *pebble.Snapshot) (*pebble.Iterator, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if last := len(d.mu.its) - 1; last >= 0 {
		it := d.mu.its[last]
		d.mu.its = d.mu.its[:last]
		return it, nil
	}
	return s.NewIter(nil)
}

// give takes one back, or closes it and tells what it has met.
func (d *idle) give(it *pebble.Iterator) error {
	if it.Error() == nil && d.keep(it) {
		return nil
	}
	return it.Close()
}

func (d *idle) keep(it *pebble.Iterator) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mu.ended || len(d.mu.its) == idleMax {
		return false
	}
	d.mu.its = append(d.mu.its, it)
	return true
}

// end gives all of them to be closed, and keeps none from now on.
func (d *idle) end() []*pebble.Iterator {
	d.mu.Lock()
	defer d.mu.Unlock()
	its := d.mu.its
	d.mu.its, d.mu.ended = nil, true
	return its
}

func closeAll(its []*pebble.Iterator) (err error) {
	for _, it := range its {
		err = errors.Join(err, it.Close())
	}
	return err
}
