package query

import (
	"bytes"
	"errors"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/spill"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// sort orders the rows of its input and passes limit of them from offset on; limit -1 is all.
func (x *executor) sort(n *plan.Sort, limit, offset int64, out stream.Out) error {
	s := sorter{order: n.Order, types: types.FieldTypes(n.Input.Schema()), most: -1, meter: mem.NewMeter(x.Memory), dir: x.Spill}
	defer s.meter.Close()
	if limit >= 0 {
		s.most = limit + offset
	}
	err := x.run(n.Input, sink(s.add))
	switch {
	case err == nil && s.runs == nil:
		err = s.emit(limit, offset, out)
	case err == nil:
		err = s.emitRuns(limit, offset, guard{x.cancel, out})
	}
	if s.runs != nil {
		err = errors.Join(err, s.runs.Close())
	}
	return err
}

// sorter keeps chunks and, for each row, its key and where it is. When they do not fit in memory they become sorted runs on
// disk; see sortspill.go.
type sorter struct {
	types  []types.T
	order  []plan.Order
	most   int64 // rows that are wanted; -1: all
	chunks []*chunk.Chunk
	rows   []sortRow
	bytes  int // of chunks and keys
	meter  mem.Meter
	dir    *spill.Dir  // nil: what does not fit is refused
	runs   *spill.Runs // what did not fit; nil: it did
}

type sortRow struct {
	key        []byte
	chunk, row int32
}

const sortRowSize = 32

func (s *sorter) add(c *chunk.Chunk) error {
	s.keep(c)
	if s.most >= 0 && int64(len(s.rows)) > 2*s.most+chunk.RowsMax {
		s.prune()
	}
	size := int64(s.bytes + cap(s.rows)*sortRowSize)
	if s.runs != nil {
		size += s.runs.Size()
	}
	if s.dir == nil {
		return s.meter.Set(size)
	}
	if fits(&s.meter, size) != nil {
		return s.spill()
	}
	return nil
}

func (s *sorter) keep(c *chunk.Chunk) {
	var arena []byte
	for i := range c.Rows() {
		from := len(arena)
		for _, o := range s.order {
			arena = keyenc.AppendKeyVec(arena, c.Cols[o.Col], i, keyenc.Order{Desc: o.Desc, NullsFirst: o.NullsFirst})
		}
		s.rows = append(s.rows, sortRow{arena[from:len(arena):len(arena)], int32(len(s.chunks)), int32(i)})
	}
	s.chunks = append(s.chunks, c)
	s.bytes += c.Size() + cap(arena)
}

// prune lets go of the rows that are too far back to be wanted. It is called when they are more than the others, so that
// it costs no more than what came since the last time.
func (s *sorter) prune() {
	s.sortRows()
	kept := s.gather(s.rows[:s.most])
	s.chunks, s.rows, s.bytes = nil, s.rows[:0], 0
	for _, c := range kept {
		s.keep(c)
	}
}

func (s *sorter) sortRows() {
	slices.SortStableFunc(s.rows, func(a, b sortRow) int { return bytes.Compare(a.key, b.key) })
}

// gather copies rows into chunks.
func (s *sorter) gather(rows []sortRow) (out []*chunk.Chunk) {
	for part := range slices.Chunk(rows, chunk.RowsMax) {
		out = append(out, s.chunkOf(part))
	}
	return out
}

func (s *sorter) chunkOf(rows []sortRow) *chunk.Chunk {
	b := chunk.NewBuilder(s.types, len(rows))
	for _, r := range rows {
		b.AppendFrom(chunk.Insert, s.chunks[r.chunk], int(r.row))
	}
	return b.Take()
}

func (s *sorter) emit(limit, offset int64, out stream.Out) error {
	s.sortRows()
	rows := s.rows[min(offset, int64(len(s.rows))):]
	if limit >= 0 {
		rows = rows[:min(limit, int64(len(rows)))]
	}
	for part := range slices.Chunk(rows, chunk.RowsMax) {
		if err := out.Chunk(s.chunkOf(part)); err != nil {
			return err
		}
	}
	return nil
}
