// Package sqltest runs scripts of SQL for the tests of the binder, the optimiser and the plan encoding: statements are
// bound against a catalog that the script itself creates.
//
//	w := sqltest.New()
//	w.Create("CREATE TABLE t (a int PRIMARY KEY)")
//	n, err := w.Bind("SELECT a FROM t")
package sqltest

import (
	"fmt"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/types"
)

// World is a catalog and what statements are bound with.
type World struct {
	Catalog *catalog.Snapshot
	Funcs   *expr.Registry
	Aggs    *agg.Registry
	Params  []types.T // of the last statement
	last    id.Relation
}

// New returns a world without relations.
func New() *World {
	return &World{Catalog: catalog.NewSnapshot("dev", catalog.Schema{ID: 1, Name: catalog.DefaultSchema}),
		Funcs: expr.NewRegistry(), Aggs: agg.NewRegistry(), last: 100}
}

func (w *World) binder() *bind.Binder {
	return &bind.Binder{Catalog: w.Catalog, Path: []string{catalog.DefaultSchema}, Funcs: w.Funcs, Aggs: w.Aggs, Ctx: &expr.Ctx{},
		System: func(string, string) (*catalog.Relation, bool) { return nil, false }}
}

// Create runs CREATE TABLE and CREATE [MATERIALIZED] VIEW statements.
func (w *World) Create(sql string) error {
	stmts, err := parser.ParseAll(sql, parser.Options{})
	if err != nil {
		return err
	}
	for _, s := range stmts {
		var rel *catalog.Relation
		switch st := s.Stmt.(type) {
		case *ast.CreateTable:
			rel, err = w.binder().CreateTable(st, catalog.DefaultSchema)
		case *ast.CreateView:
			var n plan.Node
			if rel, n, err = w.binder().CreateView(st, catalog.DefaultSchema); err == nil {
				rel.Key = plan.UniqueKey(n)
			}
		default:
			err = fmt.Errorf("%T is not a definition", st)
		}
		if err != nil {
			return err
		}
		w.last++
		rel.ID, rel.Job = w.last, id.Job(w.last)
		w.Catalog = w.Catalog.Edit()
		w.Catalog.Put(rel)
	}
	return nil
}

// Bind binds a query, the query of CREATE VIEW, or the source of INSERT, UPDATE and DELETE.
func (w *World) Bind(sql string) (plan.Node, error) {
	stmt, err := parser.Parse(sql)
	if err != nil {
		return nil, err
	}
	b := w.binder()
	defer func() { w.Params = b.Params }()
	switch st := stmt.(type) {
	case *ast.Query:
		q, err := b.Query(st)
		if err != nil {
			return nil, err
		}
		return q.Root, nil
	case *ast.CreateView:
		_, n, err := b.CreateView(st, catalog.DefaultSchema)
		return n, err
	case *ast.Insert:
		n, err := b.Insert(st)
		if err != nil {
			return nil, err
		}
		return n.Source, nil
	case *ast.Update:
		n, err := b.Update(st)
		if err != nil {
			return nil, err
		}
		return n.Source, nil
	case *ast.Delete:
		n, err := b.Delete(st)
		if err != nil {
			return nil, err
		}
		return n.Source, nil
	}
	return nil, fmt.Errorf("%T has no plan", stmt)
}

// Columns prints the names and types of a node's columns.
func Columns(n plan.Node) string {
	var parts []string
	for _, f := range n.Schema() {
		parts = append(parts, f.Name+" "+types.SQLName(f.Type))
	}
	return "columns: " + strings.Join(parts, ", ") + "\n"
}

// Failure prints an error as psql does: SQLSTATE, message, and where in the statement.
func Failure(sql string, err error) string {
	e, ok := errs.As(err)
	if !ok {
		return err.Error() + "\n"
	}
	s := e.Entry.SQLState + ": " + e.Message + "\n"
	if e.Position > 0 {
		s += strings.ReplaceAll(sql, "\n", " ") + "\n" + strings.Repeat(" ", e.Position-1) + "^\n"
	}
	if e.Detail != "" {
		s += "DETAIL: " + e.Detail + "\n"
	}
	return s
}
