package state

import (
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Cursor decodes a stored key, such as where a scan stands: the key columns, or all columns of a multiset. It returns
// their positions too.
func (f *RelationFormat) Cursor(key []byte) (cols []int, row types.Row, err error) {
	if f.Multiset() {
		for i := range f.Types {
			cols = append(cols, i)
		}
		row, err = keyenc.DecodeRow(f.Types, key)
		return cols, row, err
	}
	for _, k := range f.Key {
		var d types.Datum
		if d, key, err = keyenc.DecodeKey(f.Types[k], key, keyenc.Order{}); err != nil {
			return nil, nil, err
		}
		row = append(row, d)
	}
	return f.Key, row, nil
}
