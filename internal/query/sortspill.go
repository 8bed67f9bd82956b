package query

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/spill"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// spill writes the rows that are in memory as a sorted run.
func (s *sorter) spill() error {
	if s.runs == nil {
		s.runs = spill.NewRuns(s.dir)
	}
	s.sortRows()
	rows := s.rows
	if s.most >= 0 {
		rows = rows[:min(s.most, int64(len(rows)))]
	}
	err := s.runs.Add(func(yield func(key, row []byte) bool) {
		var buf []byte
		for _, r := range rows {
			buf = keyenc.AppendRow(buf[:0], s.chunks[r.chunk].Cols, int(r.row))
			if !yield(r.key, buf) {
				return
			}
		}
	})
	s.chunks, s.rows, s.bytes = nil, nil, 0
	s.meter.Note(s.runs.Size())
	return err
}

// emitRuns merges the runs. The rows that are in memory become the last of them, so that who takes the rows has the memory.
func (s *sorter) emitRuns(limit, offset int64, out stream.Out) error {
	if err := s.spill(); err != nil {
		return err
	}
	p, full := rowsOut{types: s.types, out: out}, false
	err := s.runs.Each(func(_, row []byte) error {
		if limit == 0 {
			full = true
			return errEnough
		}
		if offset > 0 {
			offset--
			return nil
		}
		limit--
		return p.add(row)
	})
	if err != nil && !full { // whoever takes the rows may have enough too, and must be told
		return err
	}
	return p.flush()
}

// rowsOut makes chunks of stored rows.
type rowsOut struct {
	types []types.T
	out   stream.Out
	cols  []*chunk.Vec
	n     int
}

func (p *rowsOut) add(row []byte) error {
	if p.cols == nil {
		for _, t := range p.types {
			p.cols = append(p.cols, chunk.NewVec(t, 0))
		}
	}
	if err := keyenc.DecodeInto(p.cols, row); err != nil {
		return err
	}
	if p.n++; p.n < chunk.RowsMax {
		return nil
	}
	return p.flush()
}

func (p *rowsOut) flush() error {
	if p.n == 0 {
		return nil
	}
	c := chunk.New(nil, p.cols, p.n)
	p.cols, p.n = nil, 0
	return p.out.Chunk(c)
}
