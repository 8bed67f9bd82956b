package capture

import (
	"encoding/binary"
	"iter"

	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/types"
)

// heldBlock is the size of a block of held rows.
const heldBlock = 256 << 10

// held are rows of a table that were read, in the form in which they are stored: a fifth of what they take as values, and
// nothing for the collector to look into.
type held struct {
	dml    *dml.Table
	blocks [][]byte // key and row, each behind its length
	rows   int
	size   int // of what is in the blocks
	meter  mem.Meter
	key    []byte
	row    []byte
}

// add encodes a row.
func (h *held) add(row types.Row) {
	h.key, h.row = h.dml.AppendKey(h.key[:0], row), h.dml.AppendRow(h.row[:0], row)
	need := len(h.key) + len(h.row) + 2*binary.MaxVarintLen64
	n := len(h.blocks)
	if n == 0 || cap(h.blocks[n-1])-len(h.blocks[n-1]) < need {
		h.blocks = append(h.blocks, make([]byte, 0, max(heldBlock, need)))
		h.meter.Note(h.meter.Held() + int64(cap(h.blocks[n])))
		n++
	}
	b := &h.blocks[n-1]
	before := len(*b)
	for _, part := range [][]byte{h.key, h.row} {
		*b = append(binary.AppendUvarint(*b, uint64(len(part))), part...)
	}
	h.rows, h.size = h.rows+1, h.size+len(*b)-before
}

// all gives the stored keys and rows.
func (h *held) all() iter.Seq2[[]byte, []byte] {
	return func(yield func(key, row []byte) bool) {
		for _, b := range h.blocks {
			for len(b) > 0 {
				var parts [2][]byte
				for i := range parts {
					n, width := binary.Uvarint(b)
					parts[i], b = b[width:width+int(n)], b[width+int(n):]
				}
				if !yield(parts[0], parts[1]) {
					return
				}
			}
		}
	}
}

// values gives the rows.
func (h *held) values() iter.Seq2[types.Row, error] {
	return func(yield func(types.Row, error) bool) {
		for _, b := range h.all() {
			if row, err := h.dml.Decode(b); !yield(row, err) || err != nil {
				return
			}
		}
	}
}
