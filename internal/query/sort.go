package query

import (
	"bytes"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// sort orders the rows of its input and passes limit of them from offset on; limit -1 is all.
func (x *executor) sort(n *plan.Sort, limit, offset int64, out stream.Out) error {
	s := sorter{order: n.Order, types: types.FieldTypes(n.Input.Schema())}
	if err := x.run(n.Input, sink(s.add)); err != nil {
		return err
	}
	return s.emit(limit, offset, out)
}

// sorter keeps chunks and, for each row, its key and where it is.
type sorter struct {
	types  []types.T
	order  []plan.Order
	chunks []*chunk.Chunk
	rows   []sortRow
}

type sortRow struct {
	key        []byte
	chunk, row int32
}

func (s *sorter) add(c *chunk.Chunk) error {
	var arena []byte
	for i := range c.Rows() {
		from := len(arena)
		for _, o := range s.order {
			arena = keyenc.AppendKeyVec(arena, c.Cols[o.Col], i, keyenc.Order{Desc: o.Desc, NullsFirst: o.NullsFirst})
		}
		s.rows = append(s.rows, sortRow{arena[from:len(arena):len(arena)], int32(len(s.chunks)), int32(i)})
	}
	s.chunks = append(s.chunks, c)
	return nil
}

func (s *sorter) emit(limit, offset int64, out stream.Out) error {
	slices.SortStableFunc(s.rows, func(a, b sortRow) int { return bytes.Compare(a.key, b.key) })
	rows := s.rows[min(offset, int64(len(s.rows))):]
	if limit >= 0 {
		rows = rows[:min(limit, int64(len(rows)))]
	}
	for len(rows) > 0 {
		n := min(len(rows), chunk.RowsMax)
		b := chunk.NewBuilder(s.types, n)
		for _, r := range rows[:n] {
			b.AppendFrom(chunk.Insert, s.chunks[r.chunk], int(r.row))
		}
		if err := out.Chunk(b.Take()); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}
