package sim

import (
	"bytes"
	"fmt"

	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// progress is the records of a view's catch-ups, by input and range.
type progress []ranges

type ranges map[vnode.ID]*backfill.Record

// progress reads the records as readers see them.
func (v *view) progress(r kv.Reader) (progress, error) {
	out := make(progress, len(v.leaves))
	for i, l := range v.leaves {
		out[i] = ranges{}
		for n := range l.Vnodes {
			b, ok, err := r.Get(kv.AppendTable(nil, l.Table, uint16(n)))
			if err != nil {
				return nil, err
			}
			if !ok {
				return nil, fmt.Errorf("B4: input %d has no record of vnode %d", i, n)
			}
			if out[i][vnode.ID(n)], err = backfill.DecodeRecord(b); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// held reports whether an aggregation of the view holds back results: it has a mark, a row without a group, in all vnodes.
func (v *view) held(r kv.Reader) (bool, error) {
	for _, t := range v.groups {
		for n := range t.vnodes {
			if _, held, err := r.Get(kv.AppendTable(nil, t.id, uint16(n))); held || err != nil {
				return held, err
			}
		}
	}
	return false, nil
}

// passed reports whether the scan has passed a key: what the view shows are the rows for which it is true (B1).
func (r ranges) passed(v vnode.ID, key []byte) bool {
	switch rec := r[v]; rec.Phase {
	case backfill.NotStarted:
		return false
	case backfill.Scanning:
		return len(rec.ScanCursor) > 0 && bytes.Compare(key, rec.ScanCursor) <= 0
	}
	return true
}

// after says which record has gone back since before, if any has (B2).
func (p progress) after(before progress) error {
	for i := range before {
		for v, old := range before[i] {
			now := p[i][v]
			if now.Phase < old.Phase || bytes.Compare(now.ScanCursor, old.ScanCursor) < 0 || now.Rows < old.Rows || now.AsOf < old.AsOf || now.Generation < old.Generation {
				return fmt.Errorf("B2: the record of input %d, vnode %d went back from %+v to %+v", i, v, *old, *now)
			}
		}
	}
	return nil
}
