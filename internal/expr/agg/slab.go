package agg

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// grow makes a slab at least n long.
func grow[E any](s []E, n int) []E {
	if n <= len(s) {
		return s
	}
	if n <= cap(s) {
		return s[:n]
	}
	out := make([]E, n, max(2*cap(s), n))
	copy(out, s)
	return out
}

// sign is +1 for an insert and -1 for a delete of row i.
func sign(ops []chunk.Op, i int32) int64 {
	if ops == nil {
		return 1
	}
	return int64(ops[i])
}

// each runs f with slot, row and sign of every change.
func each(slots []int32, ops []chunk.Op, rows []int32, f func(slot, row int32, sign int64)) {
	for k, s := range slots {
		i := int32(k)
		if rows != nil {
			i = rows[k]
		}
		f(s, i, sign(ops, i))
	}
}

func corrupt() error { return errs.RowCorrupt.New("what", "state of an aggregate") }

// readVarint reads what binary.AppendVarint wrote.
func readVarint(b []byte) (int64, []byte, error) {
	v, n := binary.Varint(b)
	if n <= 0 {
		return 0, nil, corrupt()
	}
	return v, b[n:], nil
}

// readBytes reads a length and that many bytes.
func readBytes(b []byte) ([]byte, []byte, error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > uint64(len(b)-k) {
		return nil, nil, corrupt()
	}
	return b[k : k+int(n)], b[k+int(n):], nil
}

func appendBytes(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}
