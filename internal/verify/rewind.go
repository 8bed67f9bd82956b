package verify

import (
	"bytes"
	"errors"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// undoBytes bounds what is undone of one vnode.
const undoBytes = 64 << 20

// Rewind reads tables as they were at epochs before the view's, by undoing what their changelogs tell: a view that is
// behind is compared with what it has read. Other tables are read as they are. One goroutine may use it.
func Rewind(v kv.View, to map[id.Table]epoch.Epoch) kv.Reader {
	if len(to) == 0 {
		return v
	}
	return &rewound{view: v, to: to}
}

type rewound struct {
	view kv.View
	to   map[id.Table]epoch.Epoch
	// undo is the vnode whose changes are at hand, old what its changed keys had before, nil: nothing.
	undo []byte
	keys []string
	old  map[string][]byte
}

// Get is for completeness of kv.Reader: plans of views scan.
func (r *rewound) Get(key []byte) ([]byte, bool, error) {
	it := r.Scan(key, append(bytes.Clone(key), 0))
	if !it.Next() {
		return nil, false, it.Close()
	}
	value := bytes.Clone(it.Value())
	return value, true, it.Close()
}

// Scan reads a range that lies in one vnode.
func (r *rewound) Scan(start, end []byte) kv.Iterator {
	t, v, _, ok := kv.TableOf(start)
	from, behind := r.to[t]
	if !ok || !behind {
		return r.view.Scan(start, end)
	}
	if err := r.load(t, v, from); err != nil {
		return broken{err}
	}
	first, _ := slices.BinarySearch(r.keys, string(start))
	last, _ := slices.BinarySearch(r.keys, string(end))
	it := &rewinding{rewound: r, keys: r.keys[first:last], base: r.view.Scan(start, end)}
	it.more = it.base.Next()
	return it
}

// load reads the changelog of a vnode.
func (r *rewound) load(t id.Table, v uint16, from epoch.Epoch) error {
	vn := kv.AppendTable(nil, t, v)
	if bytes.Equal(vn, r.undo) {
		return nil
	}
	log, err := r.view.Log(t, v, from, r.view.Epoch())
	if errors.Is(err, kv.ErrLogGone) {
		return errs.VerifyLogGone.New("epoch", from)
	}
	if err != nil {
		return err
	}
	old, size := map[string][]byte{}, 0
	for log.Next() {
		if _, changed := old[string(log.Key())]; !changed {
			old[string(log.Key())] = bytes.Clone(log.Old())
			size += len(log.Key()) + len(log.Old())
		}
		if size > undoBytes {
			log.Close()
			return errs.VerifyBehind.New("epoch", from)
		}
	}
	if err := log.Close(); err != nil {
		return err
	}
	r.undo, r.old, r.keys = vn, old, slices.Sorted(maps.Keys(old))
	return nil
}

// rewinding merges rows as they are with what changed keys had before.
type rewinding struct {
	*rewound
	keys       []string
	base       kv.Iterator
	more       bool // base stands on a row
	onBase     bool // which is the current one
	key, value []byte
}

func (it *rewinding) Next() bool {
	if it.onBase {
		it.more, it.onBase = it.base.Next(), false
	}
	for len(it.keys) > 0 {
		k := it.keys[0]
		if it.more && string(it.base.Key()) < k {
			break
		}
		if it.more && string(it.base.Key()) == k {
			it.more = it.base.Next()
		}
		it.keys = it.keys[1:]
		if was := it.old[k]; was != nil {
			it.key, it.value = []byte(k), was
			return true
		}
	}
	if !it.more {
		return false
	}
	it.key, it.value, it.onBase = it.base.Key(), it.base.Value(), true
	return true
}

func (it *rewinding) Key() []byte   { return it.key }
func (it *rewinding) Value() []byte { return it.value }
func (it *rewinding) Close() error  { return it.base.Close() }

// broken is an iterator that could not be opened.
type broken struct{ err error }

func (broken) Next() bool     { return false }
func (broken) Key() []byte    { return nil }
func (broken) Value() []byte  { return nil }
func (b broken) Close() error { return b.err }
