package session

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// insert resolves the rows of an INSERT against what is there; rows of the statement itself count too.
func (s *Session) insert(ctx context.Context, n *plan.Insert, w *dml.Writer, done *written) error {
	in := inserter{s: s, n: n, t: s.d.table(n.Rel), w: w, done: done, text: s.TextContext(), late: s.d.lateness(n.Rel)}
	var err error
	if in.generated, err = s.binder(nil).Generated(n.Rel); err != nil {
		return err
	}
	if err := s.rows(ctx, n.Source, w.Reader, in.add); err != nil {
		return err
	}
	s.tellLate(n.Rel, in.late)
	return nil
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

func (in *inserter) add(row types.Row) error {
	rel := in.n.Rel
	if in.late.leavesOut(row) {
		return nil
	}
	if rel.RowID {
		first, err := in.s.d.rowIDs.take(1)
		if err != nil {
			return err
		}
		row = slices.Clone(row)
		row[rel.Key[0]] = types.NewInt(first)
	}
	if err := checkRow(rel, row, in.text); err != nil {
		return err
	}
	if rel.RowID {
		return in.put(nil, row)
	}
	if left, mine, err := in.w.Left(in.t, row); mine || err != nil {
		if err != nil {
			return err
		}
		return in.again(left, row)
	}
	old, there, err := in.t.Find(in.w.Reader, row)
	if err != nil {
		return err
	}
	if there {
		return in.conflict(old, row)
	}
	return in.put(nil, row)
}

func (in *inserter) put(old, row types.Row) error {
	if err := in.w.Put(dml.Change{Table: in.t, Old: old, New: row}); err != nil {
		return err
	}
	return in.done.add(row)
}

// policy is what the table does with keys that are there. RisingWave's tables overwrite, append-only ones excepted.
func (in *inserter) policy() catalog.ConflictPolicy {
	p := in.n.Rel.OnConflict
	if p == catalog.ConflictError && !in.n.Rel.AppendOnly && in.s.vars.Bool("rw_compat") {
		return catalog.ConflictOverwrite
	}
	return p
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

// resolved is the row that stays under a key by the table's own policy.
func (in *inserter) resolved(p catalog.ConflictPolicy, old, row types.Row) (types.Row, error) {
	return in.whole(in.n.Rel.Resolve(p, old, row))
}

// whole computes the generated columns of a row that has values of several.
func (in *inserter) whole(row types.Row) (types.Row, error) {
	rows := []types.Row{row}
	err := in.s.generate(in.n.Rel, in.generated, rows)
	return rows[0], err
}

// conflict is a row whose key is in the table.
func (in *inserter) conflict(old, row types.Row) error {
	c := in.n.OnConflict
	if c == nil {
		p := in.policy()
		if p == catalog.ConflictError {
			return duplicate(in.n.Rel, row, in.text)
		}
		if p == catalog.ConflictIgnore {
			return nil
		}
		next, err := in.resolved(p, old, row)
		if err != nil {
			return err
		}
		return in.put(old, next)
	}
	if c.DoNothing {
		return nil
	}
	both := append(slices.Clone(old), row...)
	if c.Where != nil {
		ok, err := in.eval(c.Where, both)
		if err != nil || ok.IsNull() || !ok.Bool() {
			return err
		}
	}
	next := slices.Clone(old)
	for _, a := range c.Sets {
		v, err := in.eval(a.Value, both)
		if err != nil {
			return err
		}
		next[a.Col] = v
	}
	next, err := in.whole(next)
	if err != nil {
		return err
	}
	if err := checkRow(in.n.Rel, next, in.text); err != nil {
		return err
	}
	return in.put(old, next)
}

// eval computes an expression over one row that is the existing row, then the proposed one.
func (in *inserter) eval(e expr.Expr, row types.Row) (types.Datum, error) {
	ts := append(in.n.Rel.Types(), in.n.Rel.Types()...)
	b := chunk.NewBuilder(ts, 1)
	b.Append(chunk.Insert, row)
	v, err := e.Eval(in.s.exprCtx(), b.Take(), nil)
	if err != nil {
		return types.Null, err
	}
	return v.Datum(0), nil
}
