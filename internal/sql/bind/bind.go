// Package bind turns syntax and a catalog into plans: it finds what names mean, gives every expression a type by
// PostgreSQL's rules, and reports what does not fit with PostgreSQL's words and positions.
package bind

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Binder binds the statements of one session against one catalog. It is used for one statement.
type Binder struct {
	Catalog *catalog.Snapshot
	Path    []string // schemas that unqualified names are looked for in
	Funcs   *expr.Registry
	Aggs    *agg.Registry
	System  func(schema, name string) (*catalog.Relation, bool) // relations of the system schemas
	Ctx     *expr.Ctx                                           // for folding constants
	Params  []types.T                                           // types of $1, $2 ...; Unknown ones are inferred
	// Access refuses what the user may not do with a relation that the statement names; nil: everything is allowed.
	Access func(r *catalog.Relation, privilege string) error

	viewDepth int
	callDepth int                   // of functions in SQL
	called    []*catalog.Function   // functions in SQL that the statement calls
	positions map[*expr.Col]ast.Pos // of columns, where they were written
	uses      []*catalog.Relation   // what the statement reads, for the dependencies of views
	names     *names                // nil: what names mean is not noted
	written   *ast.TableRef         // of UPDATE and DELETE, which need no right to read it
	origins   []plan.Origin         // of the output columns of the query that was bound last; nil: they are all computed
	temporal  *ast.TableRef         // the right side of a join that may be FOR SYSTEM_TIME AS OF PROCTIME()
}

// viewDepthMax bounds views upon views.
const viewDepthMax = 64

// Query is a bound query.
type Query struct {
	Root    plan.Node
	Origins []plan.Origin // of the output columns; nil: they are all computed
	Uses    []*catalog.Relation
}

// Query binds a query. The root's columns are the output columns.
func (b *Binder) Query(q *ast.Query) (*Query, error) {
	root, _, err := b.query(q, nil)
	if err != nil {
		return nil, err
	}
	if err := b.paramsKnown(); err != nil {
		return nil, err
	}
	return &Query{Root: root, Origins: b.origins, Uses: b.uses}, nil
}

// paramsKnown checks that every parameter has got a type.
func (b *Binder) paramsKnown() error {
	for i, t := range b.Params {
		if t.Kind == types.KindUnknown {
			b.Params[i] = types.Text
		}
	}
	return nil
}

// use records that the statement reads a relation.
func (b *Binder) use(r *catalog.Relation) {
	for _, u := range b.uses {
		if u.ID == r.ID {
			return
		}
	}
	b.uses = append(b.uses, r)
}

// may checks a privilege on a relation that the statement itself names; what a view reads is its owner's.
func (b *Binder) may(r *catalog.Relation, privilege string, pos ast.Pos) error {
	if b.Access == nil || b.viewDepth > 0 {
		return nil
	}
	return at(b.Access(r, privilege), pos)
}

// Relation finds a relation by name as a statement writes it.
func (b *Binder) Relation(n ast.Name) (*catalog.Relation, error) {
	if schema := n.Schema(); schema != "" {
		if r, ok := b.Catalog.Find(schema, n.Last()); ok {
			return r, nil
		}
		if r, ok := b.System(schema, n.Last()); ok {
			return r, nil
		}
		return nil, errs.UndefinedTable.New("name", n.String()).At(int(n.Pos))
	}
	for _, schema := range append([]string{"pg_catalog"}, b.Path...) {
		if r, ok := b.Catalog.Find(schema, n.Last()); ok {
			return r, nil
		}
		if r, ok := b.System(schema, n.Last()); ok {
			return r, nil
		}
	}
	for _, schema := range []string{"rw_catalog", "tm_catalog"} {
		if r, ok := b.System(schema, n.Last()); ok {
			return r, nil
		}
	}
	return nil, errs.UndefinedTable.New("name", n.String()).At(int(n.Pos))
}

// view binds the query of a view in place.
func (b *Binder) view(r *catalog.Relation) (plan.Node, error) {
	if b.viewDepth++; b.viewDepth > viewDepthMax {
		return nil, errs.TooComplex.New()
	}
	defer func() { b.viewDepth-- }()
	stmt, err := parser.Parse(r.Query)
	if err != nil {
		return nil, err
	}
	q, ok := stmt.(*ast.Query)
	if !ok {
		return nil, errs.Internal.New("what", "a view's text is not a query")
	}
	root, _, err := b.query(q, nil)
	return root, err
}

// at gives an error of the catalogue a position, unless it has one.
func at(err error, pos ast.Pos) error {
	if e, ok := errs.As(err); ok && e.Position == 0 {
		e.At(int(pos))
	}
	return err
}
