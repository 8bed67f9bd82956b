package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/query"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// write runs INSERT, UPDATE or DELETE.
func (s *Session) write(ctx context.Context, p *Prepared, params []types.Datum) (Result, error) {
	defer s.d.engine.Attend()()
	pl, err := s.plannedFor(p, params)
	if err != nil {
		return nil, err
	}
	values := func(e expr.Expr) expr.Expr { return withParams(e, pl.params, params) }
	source, _ := s.plan(pl, params)
	switch {
	case pl.insert != nil:
		n := &plan.Insert{Rel: pl.insert.Rel, Source: source, OnConflict: pl.insert.OnConflict.Map(values), Returning: pl.insert.Returning.Map(values)}
		return s.change(ctx, n.Rel, n.Returning, "INSERT 0", func(w *dml.Writer, done *written) error { return s.insert(ctx, n, w, done) })
	case pl.update != nil:
		n := &plan.Update{Rel: pl.update.Rel, Source: source, Returning: pl.update.Returning.Map(values)}
		return s.change(ctx, n.Rel, n.Returning, "UPDATE", func(w *dml.Writer, done *written) error { return s.update(ctx, n, w, done) })
	case pl.delete != nil:
		n := &plan.Delete{Rel: pl.delete.Rel, Source: source, Returning: pl.delete.Returning.Map(values)}
		return s.change(ctx, n.Rel, n.Returning, "DELETE", func(w *dml.Writer, done *written) error { return s.delete(ctx, n, w, done) })
	}
	return nil, errs.Internal.New("what", "a statement is no DML")
}

// written is what a statement has done so far: how many rows, and which if RETURNING asks for them.
type written struct {
	returning bool
	count     int
	rows      []types.Row
	meter     mem.Meter // of rows
	bytes     int64
}

func (w *written) add(row types.Row) error {
	w.count++
	if !w.returning {
		return nil
	}
	w.rows = append(w.rows, row)
	for _, d := range row {
		w.bytes += datumSize + int64(len(d.Bytes()))
	}
	return w.meter.Set(w.bytes)
}

const datumSize = 32

// change evaluates a statement in the sequencer and makes its result: a count, or the rows of RETURNING.
func (s *Session) change(ctx context.Context, rel *catalog.Relation, ret *plan.Returning, tag string,
	eval func(*dml.Writer, *written) error) (Result, error) {
	if err := s.d.refuseCaptured(rel); err != nil {
		return nil, err
	}
	var did written
	var returned *chunk.Chunk
	defer func() { did.meter.Close() }()
	err := s.d.seq.Exec(ctx, s.writes(), func(w *dml.Writer) error {
		did.meter.Close()
		did = written{returning: ret != nil, meter: mem.NewMeter(s.memory)}
		if err := eval(w, &did); err != nil {
			return err
		}
		var err error
		returned, err = s.returned(ctx, ret, did.rows, w.Reader)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &rowsResult{tag: Tag{Text: fmt.Sprintf("%s %d", tag, did.count)}}
	if ret == nil {
		return out, nil
	}
	out.columns, out.rows = returningColumns(ret), returned
	return out, nil
}

// rows runs the source of a statement.
func (s *Session) rows(ctx context.Context, n plan.Node, r kv.Reader, each func(types.Row) error) error {
	return query.Run(ctx, n, s.env(r), func(c *chunk.Chunk) error {
		for i := range c.Rows() {
			if err := each(c.Row(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkRow refuses NULL where the table does not take it.
func checkRow(rel *catalog.Relation, row types.Row, ctx types.Ctx) error {
	for i, c := range rel.Columns {
		if !c.NotNull || !row[i].IsNull() {
			continue
		}
		var vals []string
		for k, v := range row {
			if rel.Columns[k].Hidden {
				continue
			}
			if v.IsNull() {
				vals = append(vals, "null")
			} else {
				vals = append(vals, types.Format(rel.Columns[k].Type, v, ctx))
			}
		}
		return errs.NotNullViolation.New("column", c.Name, "table", rel.Name, "row", strings.Join(vals, ", ")).
			About(errs.Object{Schema: rel.Schema, Table: rel.Name, Column: c.Name})
	}
	return nil
}

// duplicate is PostgreSQL's error for a key that is there.
func duplicate(rel *catalog.Relation, row types.Row, ctx types.Ctx) error {
	var cols, vals []string
	for _, k := range rel.Key {
		cols = append(cols, rel.Columns[k].Name)
		vals = append(vals, types.Format(rel.Columns[k].Type, row[k], ctx))
	}
	constraint := rel.Name + "_pkey"
	return errs.UniqueViolation.New("constraint", constraint, "columns", strings.Join(cols, ", "), "values", strings.Join(vals, ", ")).
		About(errs.Object{Schema: rel.Schema, Table: rel.Name, Constraint: constraint})
}

// update pairs old and new rows. A row that several rows of FROM match is changed once.
func (s *Session) update(ctx context.Context, n *plan.Update, w *dml.Writer, done *written) error {
	t := s.d.table(n.Rel)
	width, text := len(n.Rel.Columns), s.TextContext()
	err := s.rows(ctx, n.Source, w.Reader, func(row types.Row) error {
		old, next := row[:width:width], row[width:2*width:2*width]
		if _, mine, err := w.Left(t, old); mine || err != nil {
			return err
		}
		if err := checkRow(n.Rel, next, text); err != nil {
			return err
		}
		if err := w.Put(dml.Change{Table: t, Old: old, New: next}); err != nil {
			return err
		}
		return done.add(row[width:])
	})
	if err != nil {
		return err
	}
	return s.movedKeys(t, w)
}

// movedKeys refuses a statement that gives a row the key of another.
func (s *Session) movedKeys(t *dml.Table, w *dml.Writer) error {
	return w.Moved(func(row types.Row, twice bool) error {
		left, there, err := w.Left(t, row)
		if err == nil && !there {
			left, _, err = t.Find(w.Reader, row)
		}
		if err == nil && (left != nil || twice) {
			err = duplicate(t.Rel, row, s.TextContext())
		}
		return err
	})
}

func (s *Session) delete(ctx context.Context, n *plan.Delete, w *dml.Writer, done *written) error {
	t := s.d.table(n.Rel)
	width := len(n.Rel.Columns)
	return s.rows(ctx, n.Source, w.Reader, func(row types.Row) error {
		old := row[:width:width]
		if _, mine, err := w.Left(t, old); mine || err != nil {
			return err
		}
		if err := w.Put(dml.Change{Table: t, Old: old}); err != nil {
			return err
		}
		return done.add(row)
	})
}

// truncate deletes all rows.
func (s *Session) truncate(ctx context.Context, st *ast.Truncate) (Result, error) {
	for _, t := range st.Tables {
		if _, err := s.write(ctx, &Prepared{stmt: &ast.Delete{Pos: st.Pos, Table: t}}, nil); err != nil {
			return nil, err
		}
	}
	return done("TRUNCATE TABLE"), nil
}
