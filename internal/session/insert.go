package session

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/query"
	"github.com/tidemark-db/tidemark/internal/types"
)

// insert resolves the rows of an INSERT against what is there; rows of the statement itself count too.
func (s *Session) insert(ctx context.Context, n *plan.Insert, w *dml.Writer, done *written) error {
	in := inserter{s: s, n: n, t: s.d.table(n.Rel), w: w, done: done, text: s.TextContext(), late: s.d.lateness(n.Rel)}
	var err error
	if in.generated, err = s.binder(nil).Generated(n.Rel); err != nil {
		return err
	}
	if err := query.Run(ctx, n.Source, s.env(w.Reader), in.batch); err != nil {
		return err
	}
	s.tellLate(n.Rel, in.late)
	return s.movedKeys(in.t, w)
}

// inserter writes the rows of one INSERT.
type inserter struct {
	s    *Session
	n    *plan.Insert
	t    *dml.Table
	w    *dml.Writer
	done *written
	text types.Ctx // for errors

	generated []plan.Assign // columns that follow the others
	late      *lateness     // nil: the table has no watermark
}

// batch writes a chunk of rows. What their keys have in the table is read in one pass.
func (in *inserter) batch(c *chunk.Chunk) error {
	rows, refused := in.accepted(c)
	if in.n.Rel.RowID {
		for _, row := range rows {
			if err := in.put(nil, row); err != nil {
				return err
			}
		}
		return refused
	}
	olds, err := in.t.FindAll(in.w.Reader, rows)
	if err != nil {
		return err
	}
	met := in.meet(olds, rows)
	for i := range rows {
		if err := in.add(met, i); err != nil {
			return err
		}
	}
	return refused
}

// accepted are the rows of a chunk that the table may take, up to one that it must refuse.
func (in *inserter) accepted(c *chunk.Chunk) (rows []types.Row, refused error) {
	rel := in.n.Rel
	for i := range c.Rows() {
		row := c.Row(i)
		if in.late.leavesOut(row) {
			continue
		}
		if rel.RowID {
			first, err := in.s.d.rowIDs.take(1)
			if err != nil {
				return rows, err
			}
			row = slices.Clone(row)
			row[rel.Key[0]] = types.NewInt(first)
		}
		if err := checkRow(rel, row, in.text); err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// add writes a row over what is there.
func (in *inserter) add(met *meeting, i int) error {
	old, row := met.olds[i], met.rows[i]
	left, mine, err := in.w.Left(in.t, row)
	switch {
	case err != nil:
		return err
	case mine:
		return in.again(left, row)
	case old == nil:
		return in.put(nil, row)
	}
	return in.conflict(met, i)
}

func (in *inserter) put(old, row types.Row) error {
	if err := in.w.Put(dml.Change{Table: in.t, Old: old, New: row}); err != nil {
		return err
	}
	return in.done.add(row)
}

// again is a second row of the statement with the key of one that it has left.
func (in *inserter) again(left, row types.Row) error {
	switch c := in.n.OnConflict; {
	case c != nil && c.DoNothing:
		return nil
	case c != nil:
		return errs.ConflictTwice.New()
	}
	p := in.policy()
	if p == catalog.ConflictError {
		return duplicate(in.n.Rel, row, in.text)
	}
	next, err := in.resolved(p, left, row)
	if err != nil {
		return err
	}
	return in.w.Put(dml.Change{Table: in.t, Old: left, New: next})
}
