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
	// at is the vnode whose changes are at hand, undo what its changed keys had before, by key.
	at   []byte
	undo []kv.Write
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
	first, last := r.position(start), r.position(end)
	return kv.Lay(r.view.Scan(start, end), r.undo[first:last], func(w kv.Write) (key, value []byte) { return w.Key, w.New })
}

// position is where a key is, or would be, among the changed ones.
func (r *rewound) position(key []byte) int {
	i, _ := slices.BinarySearchFunc(r.undo, key, func(w kv.Write, key []byte) int { return bytes.Compare(w.Key, key) })
	return i
}

// load reads the changelog of a vnode.
func (r *rewound) load(t id.Table, v uint16, from epoch.Epoch) error {
	vn := kv.AppendTable(nil, t, v)
	if bytes.Equal(vn, r.at) {
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
	r.at, r.undo = vn, make([]kv.Write, 0, len(old))
	for _, key := range slices.Sorted(maps.Keys(old)) {
		r.undo = append(r.undo, kv.Write{Key: []byte(key), New: old[key]})
	}
	return nil
}

// broken is an iterator that could not be opened.
type broken struct{ err error }

func (broken) Next() bool     { return false }
func (broken) Key() []byte    { return nil }
func (broken) Value() []byte  { return nil }
func (b broken) Close() error { return b.err }
