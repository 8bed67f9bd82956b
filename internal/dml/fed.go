package dml

import (
	"errors"
	"iter"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/keyenc"
)

// Chunk is short for the chunks that tables take.
type Chunk = chunk.Chunk

// Fed is rows of one table.
type Fed struct {
	Job  id.Job
	Rows *Chunk
}

// fed makes the chunks that the tables take: of each change the old row as a delete, the new one as an insert. They are
// made as they are taken, so that only a few are there at a time.
func (j *journal) fed() iter.Seq2[Fed, error] {
	return func(yield func(Fed, error) bool) {
		f := feeder{yield: yield, tables: map[*Table]*fedRows{}, room: min(2*len(j.changes), chunk.RowsMax), decode: keyenc.DecodeIntoAlias}
		if j.filed {
			f.decode = keyenc.DecodeInto
		}
		err := j.net(func(first, last int32) error {
			if err := f.add(j.tables[j.changes[first].table], chunk.Delete, j.old(first)); err != nil {
				return err
			}
			return f.add(j.tables[j.changes[last].table], chunk.Insert, j.new(last))
		})
		f.finish(err)
	}
}

// feeder collects rows by table.
type feeder struct {
	yield  func(Fed, error) bool
	tables map[*Table]*fedRows
	order  []*Table // of their first change
	room   int      // of a chunk
	decode func(cols []*chunk.Vec, row []byte) error
}

type fedRows struct {
	cols []*chunk.Vec
	ops  []chunk.Op
}

// errTaken ends a feeder whose taker wants no more.
var errTaken = errors.New("no more rows are wanted")

// add takes a stored row, nil for none; where decode shares its memory it must not change any more.
func (f *feeder) add(t *Table, op chunk.Op, row []byte) error {
	if row == nil {
		return nil
	}
	r := f.tables[t]
	if r == nil {
		r = &fedRows{}
		f.tables[t], f.order = r, append(f.order, t)
	}
	if r.cols == nil {
		for _, ct := range t.Format.Types {
			r.cols = append(r.cols, chunk.NewVec(ct, f.room))
		}
	}
	if err := f.decode(r.cols, row); err != nil {
		return err
	}
	if r.ops = append(r.ops, op); len(r.ops) < chunk.RowsMax {
		return nil
	}
	return f.flush(t)
}

func (f *feeder) flush(t *Table) error {
	r := f.tables[t]
	if len(r.ops) == 0 {
		return nil
	}
	c := chunk.New(r.ops, r.cols, len(r.ops))
	if !slices.Contains(r.ops, chunk.Delete) {
		c.Ops = nil
	}
	*r = fedRows{}
	if !f.yield(Fed{t.Rel.Job, c}, nil) {
		return errTaken
	}
	return nil
}

// finish flushes what is left, or tells the error.
func (f *feeder) finish(err error) {
	for _, t := range f.order {
		if err == nil {
			err = f.flush(t)
		}
	}
	if err != nil && err != errTaken {
		f.yield(Fed{}, err)
	}
}
