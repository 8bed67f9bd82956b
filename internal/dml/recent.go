package dml

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/google/btree"

	"github.com/tidemark-db/tidemark/internal/epoch"
)

// recent is what was sequenced and is not visible yet, in the order of the sequence. Small transactions share a tree. A
// large one is a layer of its own: its writes are held once, in its journal.
type recent struct {
	tree  *btree.BTreeG[write]
	all   []*sequenced
	large []*sequenced
}

// sequenced is a transaction in recent. It leaves once its epoch is visible.
type sequenced struct {
	seq     uint64
	epoch   epoch.Epoch // 0: not fed yet
	journal *journal
}

const (
	// recentDegree is the width of the tree.
	recentDegree = 32
	// largeFrom is from how many changes on a transaction is a layer: looking into a few more layers costs less than a tree
	// of that many writes.
	largeFrom = 4096
)

func newRecent() *recent {
	return &recent{tree: btree.NewG(recentDegree, func(a, b write) bool { return bytes.Compare(a.key, b.key) < 0 })}
}

func (r *recent) add(q *sequenced) {
	r.all = append(r.all, q)
	if len(q.journal.changes) >= largeFrom {
		r.large = append(r.large, q)
		return
	}
	_ = q.journal.net(func(_, last int32) error {
		r.tree.ReplaceOrInsert(write{key: q.journal.key(last), value: q.journal.new(last), seq: q.seq})
		return nil
	})
}

// fed notes the epoch of a transaction.
func (r *recent) fed(seq uint64, e epoch.Epoch) {
	if i, ok := slices.BinarySearchFunc(r.all, seq, func(q *sequenced, seq uint64) int { return cmp.Compare(q.seq, seq) }); ok {
		r.all[i].epoch = e
	}
}

// newest is the epoch of the last transaction that was fed, 0 when there is none.
func (r *recent) newest() (e epoch.Epoch) {
	for _, q := range r.all {
		e = max(e, q.epoch)
	}
	return e
}

// prune drops what the visible epoch holds.
func (r *recent) prune(visible epoch.Epoch) {
	for len(r.all) > 0 && r.all[0].epoch != 0 && r.all[0].epoch <= visible {
		q := r.all[0]
		r.all[0] = nil
		r.all = r.all[1:]
		if len(r.large) > 0 && r.large[0] == q {
			r.large = slices.Delete(r.large, 0, 1)
		} else {
			r.forget(q)
		}
		q.journal.close()
	}
}

// forget takes a small transaction's writes out of the tree.
func (r *recent) forget(q *sequenced) {
	_ = q.journal.net(func(_, last int32) error {
		if w, ok := r.tree.Get(write{key: q.journal.key(last)}); ok && w.seq == q.seq {
			r.tree.Delete(w)
		}
		return nil
	})
}

// get implements layer.
func (r *recent) get(key []byte) (write, bool) {
	w, ok := r.tree.Get(write{key: key})
	for _, q := range slices.Backward(r.large) {
		if ok && w.seq > q.seq {
			break
		}
		if i := q.journal.last(key, len(q.journal.changes)); i >= 0 {
			return write{key: key, value: q.journal.new(i), seq: q.seq}, true
		}
	}
	return w, ok
}

// within implements layer.
func (r *recent) within(start, end []byte) (out []write) {
	r.tree.AscendGreaterOrEqual(write{key: start}, func(w write) bool {
		if end != nil && bytes.Compare(w.key, end) >= 0 {
			return false
		}
		out = append(out, w)
		return true
	})
	if len(r.large) == 0 {
		return out
	}
	for _, q := range r.large {
		from := len(out)
		out = append(out, q.journal.within(start, end, len(q.journal.changes))...)
		for i := range out[from:] {
			out[from+i].seq = q.seq
		}
	}
	slices.SortFunc(out, func(a, b write) int {
		return cmp.Or(bytes.Compare(a.key, b.key), cmp.Compare(b.seq, a.seq)) // the newest first
	})
	return slices.CompactFunc(out, func(a, b write) bool { return bytes.Equal(a.key, b.key) })
}
