package pebblekv

import (
	"bytes"
	"errors"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// base reads the database as it is now.
type base struct {
	db      *pebble.DB
	failure *failure
}

func (b *base) Get(key []byte) ([]byte, bool, error) {
	if err := b.failure.check(); err != nil {
		return nil, false, err
	}
	return get(b.db, key)
}

func (b *base) Scan(start, end []byte) kv.Iterator {
	if err := b.failure.check(); err != nil {
		return failed{err}
	}
	return newIterator(b.db, start, end)
}

func (b *base) Pin() kv.Pinned {
	p := &pinned{failure: b.failure}
	snap := make(chan *pebble.Snapshot, 1)
	if err := b.failure.run(func() error { snap <- b.db.NewSnapshot(); return nil }); err == nil {
		p.snap = <-snap
	}
	return p
}

// pinned reads a snapshot. It has none if the store has failed; every read asks for that first.
type pinned struct {
	snap    *pebble.Snapshot
	failure *failure
	points  idle // iterators without bounds
	ranges  idle // iterators whose bounds are set anew
}

func (p *pinned) Get(key []byte) ([]byte, bool, error) {
	if err := p.failure.check(); err != nil {
		return nil, false, err
	}
	it, err := p.points.take(p.snap)
	if err != nil {
		return nil, false, unread(err)
	}
	var value []byte
	ok := it.SeekPrefixGE(key) && bytes.Equal(it.Key(), key)
	if ok {
		value = append(make([]byte, 0, len(it.Value())), it.Value()...)
	}
	return value, ok, unread(p.points.give(it))
}

// GetSorted implements kv.SortedReader with one iterator: what a seek needs is mostly where the last one has ended. Nothing of a
// key tells versions apart, so that its prefix is all of it, and a file whose filter does not know it is not read.
func (p *pinned) GetSorted(keys [][]byte, each func(i int, value []byte) error) error {
	if len(keys) == 0 {
		return nil
	}
	if err := p.failure.check(); err != nil {
		return err
	}
	it, err := p.snap.NewIter(&pebble.IterOptions{LowerBound: keys[0]})
	if err != nil {
		return unread(err)
	}
	for i, key := range keys {
		if it.SeekPrefixGE(key) {
			err = each(i, it.Value())
		} else {
			err = unread(it.Error()) // which the next seek forgets
		}
		if err != nil {
			_ = it.Close() // the first error matters
			return err
		}
	}
	return unread(it.Close())
}

func (p *pinned) Scan(start, end []byte) kv.Iterator {
	if err := p.failure.check(); err != nil {
		return failed{err}
	}
	it, err := p.ranges.take(p.snap)
	if err != nil {
		return failed{unread(err)}
	}
	it.SetBounds(kv.Clip(start), end)
	return &iterator{it: it, close: p.ranges.give}
}

func (p *pinned) Log(t id.Table, vnode uint16, from, to epoch.Epoch) (kv.LogIterator, error) {
	if err := p.failure.check(); err != nil {
		return nil, err
	}
	return newLogReader(p.snap, t, vnode, from, to)
}

// Close does nothing once the store has failed: Pebble's lock may be held for good.
func (p *pinned) Close() error {
	if p.failure.check() != nil {
		return nil
	}
	its := append(p.points.end(), p.ranges.end()...)
	return p.failure.run(func() error { return errors.Join(closeAll(its), p.snap.Close()) })
}

// Rest implements kv.Pinned.
func (p *pinned) Rest() {
	if its := append(p.points.end(), p.ranges.end()...); len(its) > 0 && p.failure.check() == nil {
		_ = p.failure.run(func() error { return closeAll(its) }) // what they have met was told to who used them
	}
}

// get copies the value, because Pebble's bytes are only lent.
func get(r pebble.Reader, key []byte) ([]byte, bool, error) {
	v, closer, err := r.Get(key)
	if err == pebble.ErrNotFound {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, unread(err)
	}
	value := append(make([]byte, 0, len(v)), v...)
	return value, true, unread(closer.Close())
}

// iterator is Pebble's own, turned into one that starts before the first row.
type iterator struct {
	it      *pebble.Iterator
	close   func(*pebble.Iterator) error
	started bool
}

func newIterator(r pebble.Reader, start, end []byte) kv.Iterator {
	it, err := r.NewIter(&pebble.IterOptions{LowerBound: kv.Clip(start), UpperBound: end})
	if err != nil {
		return failed{unread(err)}
	}
	return &iterator{it: it, close: (*pebble.Iterator).Close}
}

func (i *iterator) Next() bool {
	if i.started {
		return i.it.Next()
	}
	i.started = true
	return i.it.First()
}

func (i *iterator) Key() []byte   { return i.it.Key() }
func (i *iterator) Value() []byte { return i.it.Value() }

// Close also returns the errors that ended the iteration: Pebble's Close reports them.
func (i *iterator) Close() error {
	it := i.it
	i.it = nil // another may use it from here on
	return unread(i.close(it))
}

// failed is an iterator that could not be opened.
type failed struct{ err error }

func (f failed) Next() bool    { return false }
func (f failed) Key() []byte   { return nil }
func (f failed) Value() []byte { return nil }
func (f failed) Close() error  { return f.err }

// metaReader reads the meta space as it is now.
type metaReader struct{ *base }

func (m metaReader) Scan(start, end []byte) kv.Iterator { return m.base.Scan(kv.ClipMeta(start, end)) }
