package keyenc

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// DecodeKey reads a value from the front of a key and returns what follows it. Values that compare equal have one key,
// so that the value read may be another one than was written: see types.DecodeOrdered. Who needs the exact value keeps
// it as a compact row beside the key.
func DecodeKey(t types.T, b []byte, o Order) (d types.Datum, rest []byte, err error) {
	if len(b) == 0 {
		return types.Null, nil, errs.RowCorrupt.New("what", "key is too short")
	}
	switch marker := b[0]; {
	case marker == o.nullMarker():
		return types.Null, b[1:], nil
	case marker != notNull:
		return types.Null, nil, errs.RowCorrupt.New("what", "key has an unknown marker")
	}
	b = b[1:]
	encoded := b
	if o.Desc {
		encoded = bytes.Clone(b)
		invert(encoded)
	}
	d, after, ok := types.DecodeOrdered(t, encoded)
	if !ok {
		return types.Null, nil, errs.RowCorrupt.New("what", "key does not fit its type")
	}
	return d, b[len(b)-len(after):], nil
}
