package inspect

import (
	"bytes"
	"fmt"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// rows checks every stored row of a relation.
func (x *checker) rows(rel *catalog.Relation) {
	f := state.FormatOf(rel)
	where := rel.Qualified()
	it := x.store.Reader().Scan(kv.TableRange(rel.Table))
	for it.Next() {
		_, v, key, _ := kv.TableOf(it.Key())
		row, n, err := decodeRow(f, key, it.Value())
		x.Rows += n
		if err == nil {
			err = inPlace(f, rel, vnode.ID(v), key, row)
		}
		if err != nil {
			x.found(where, err)
		}
	}
	if err := it.Close(); err != nil {
		x.found(where, err)
	}
}

// decodeRow reads a stored row, and how often it is there.
func decodeRow(f *state.RelationFormat, key, value []byte) (row types.Row, n int64, err error) {
	n = 1
	if f.Multiset() {
		if n, err = state.Count(value); err != nil {
			return nil, 0, err
		}
		if n <= 0 {
			return nil, 0, errs.RowCorrupt.New("what", fmt.Sprintf("a row that is there %d times", n))
		}
		value = key
	}
	row, err = keyenc.DecodeGrown(f.Types, value, f.Growth)
	return row, n, err
}

// inPlace reports a row that is not in the vnode or under the key that its columns say: no look-up would find it.
func inPlace(f *state.RelationFormat, rel *catalog.Relation, v vnode.ID, key []byte, row types.Row) error {
	want := vnode.ID(0)
	if f.Vnodes > 1 {
		want = f.VnodeOf(row)
	}
	if v != want {
		return errs.RowMisplaced.New("relation", rel.Name, "what", fmt.Sprintf("it is in vnode %d, and its columns say %d", v, want))
	}
	if !f.Multiset() && !bytes.Equal(key, f.AppendKeyRow(nil, row)) {
		return errs.RowMisplaced.New("relation", rel.Name, "what", "its key is not that of its columns")
	}
	return nil
}
