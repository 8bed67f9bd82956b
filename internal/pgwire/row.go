package pgwire

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// rowEncoder writes rows of chunks as DataRow messages straight into the write buffer: nothing is allocated per row.
type rowEncoder struct {
	cols []columnEncoder
	text types.Ctx
}

// columnEncoder is how one column is written.
type columnEncoder struct {
	typ    types.T
	binary bool
	plain  bool // the value's bytes are its wire form in both formats
}

func newRowEncoder(cols []Column, formats []int16, text types.Ctx) *rowEncoder {
	e := &rowEncoder{cols: make([]columnEncoder, len(cols)), text: text}
	for i, col := range cols {
		k := col.Type.Kind
		e.cols[i] = columnEncoder{
			typ:    col.Type,
			binary: formatAt(formats, i) == formatBinary,
			plain:  k == types.KindText || k == types.KindVarchar,
		}
	}
	return e
}

// append writes row i of the chunk.
func (e *rowEncoder) append(dst []byte, ch *chunk.Chunk, i int) []byte {
	start := len(dst)
	dst = append(dst, 'D', 0, 0, 0, 0, byte(len(e.cols)>>8), byte(len(e.cols)))
	for j := range e.cols {
		dst = e.cols[j].append(dst, ch.Cols[j], i, e.text)
	}
	putInt32(dst[start+1:], len(dst)-start-1)
	return dst
}

// append writes value i of the column: its length, -1 for NULL, and its bytes.
func (c *columnEncoder) append(dst []byte, v *chunk.Vec, i int, text types.Ctx) []byte {
	if v.IsNull(i) {
		return appendInt32(dst, -1)
	}
	if c.plain {
		dst = appendInt32(dst, len(v.Strs[i]))
		return append(dst, v.Strs[i]...)
	}
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	if c.binary {
		dst = types.AppendBinary(dst, c.typ, v.Datum(i))
	} else {
		dst = types.Append(dst, c.typ, v.Datum(i), text)
	}
	putInt32(dst[start:], len(dst)-start-4)
	return dst
}

// sendRows sends rows from (included) to to (excluded).
func (c *connection) sendRows(e *rowEncoder, ch *chunk.Chunk, from, to int) error {
	for i := from; i < to && c.out.err == nil; i++ {
		c.out.buf = e.append(c.out.buf, ch, i)
		c.out.relieve()
	}
	return c.out.err
}

// append writes the tag.
func (t Tag) append(dst []byte, sent int) []byte {
	dst = append(dst, t.Text...)
	if t.CountRows {
		dst = strconv.AppendInt(append(dst, ' '), int64(sent), 10)
	}
	return dst
}
