package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/types"
)

// names remembers what the names in a query mean, by the nodes they stand in, so that its text can be written anew when
// something is renamed.
type names struct {
	tables  map[*ast.TableRef]*catalog.Relation
	columns map[*ast.ColumnRef]scopeCol
	stars   map[*ast.Star][]scopeCol
	selects []*ast.Select
}

func newNames() *names {
	return &names{tables: map[*ast.TableRef]*catalog.Relation{}, columns: map[*ast.ColumnRef]scopeCol{}, stars: map[*ast.Star][]scopeCol{}}
}

// noting binds a query and returns what its names mean.
func (b *Binder) noting(q *ast.Query) (*names, plan.Node, []string, error) {
	b.names = newNames()
	n, out, err := b.query(q, nil)
	noted := b.names
	b.names = nil
	return noted, n, out, err
}

// noteTable, noteColumn and noteStar are called where names are looked up. What a view's own text says is not noted.
func (b *Binder) noteTable(t *ast.TableRef, r *catalog.Relation) {
	if b.names != nil && b.viewDepth == 0 {
		b.names.tables[t] = r
	}
}

func (c context) noteColumn(e *ast.ColumnRef) {
	if c.b.names == nil || c.b.viewDepth > 0 {
		return
	}
	for s := c.s; s != nil; s = s.outer {
		if col, err := s.find(e); col != nil && err == nil {
			c.b.names.columns[e] = *col
			return
		}
	}
}

func (b *Binder) noteStar(star *ast.Star, cols []scopeCol) {
	if b.names != nil && b.viewDepth == 0 {
		b.names.stars[star] = cols
	}
}

func (b *Binder) noteSelect(s *ast.Select) {
	if b.names != nil && b.viewDepth == 0 && !slices.Contains(b.names.selects, s) {
		b.names.selects = append(b.names.selects, s)
	}
}

// frozen is the text of a query that means the same under any search path, and after columns were added to what it reads:
// relations are qualified, stars are the columns that they stand for. What can not be written so stays as it is.
func (b *Binder) frozen(as *ast.Query) (string, error) {
	before := ast.Format(as)
	stmt, err := parser.Parse(before)
	q, ok := stmt.(*ast.Query)
	if err != nil || !ok {
		return "", errs.Internal.New("what", "the text of a query is none").Wrap(err)
	}
	fresh := *b
	fresh.uses, fresh.positions = nil, nil
	n, root, out, err := fresh.noting(q)
	if err != nil {
		return "", err
	}
	for t, r := range n.tables {
		t.Name.Parts = []string{r.Schema, r.Name}
	}
	for e, c := range n.columns {
		if len(e.Parts) > 2 && c.table != "" {
			e.Parts = []string{c.table, c.name}
		}
	}
	for _, sel := range n.selects {
		sel.Items = n.expanded(sel.Items)
	}
	if !fresh.means(q, root, out) {
		return before, nil
	}
	return ast.Format(q), nil
}

// expanded replaces stars by columns.
func (n *names) expanded(items []ast.SelectItem) []ast.SelectItem {
	var out []ast.SelectItem
	for _, item := range items {
		star, ok := item.Expr.(*ast.Star)
		cols, noted := n.stars[star]
		if !ok || !noted {
			out = append(out, item)
			continue
		}
		for _, c := range cols {
			parts := []string{c.name}
			if c.table != "" {
				parts = []string{c.table, c.name}
			}
			out = append(out, ast.SelectItem{Pos: item.Pos, Expr: &ast.ColumnRef{Pos: star.Pos, Parts: parts}})
		}
	}
	return out
}

// means reports whether a query has the columns of a plan.
func (b *Binder) means(q *ast.Query, want plan.Node, names []string) bool {
	n, out, err := b.query(q, nil)
	if err != nil || !slices.Equal(out, names) {
		return false
	}
	return slices.EqualFunc(n.Schema(), want.Schema(), func(x, y types.Field) bool { return x.Type.Equal(y.Type) })
}

// Renaming is new names for relations and for columns of them.
type Renaming struct {
	Relations map[id.Relation]ast.Name
	Of        id.Relation    // of the columns
	Columns   map[int]string // by position
}

// Rename rewrites the names in a query; the binder's catalog has the old ones. A relation that goes by its own name keeps it
// as an alias, and a column of the output keeps its name. It reports whether anything changed.
func (b *Binder) Rename(q *ast.Query, r Renaming) (changed bool, err error) {
	n, _, _, err := b.noting(q)
	if err != nil {
		return false, err
	}
	for t, rel := range n.tables {
		name, ok := r.Relations[rel.ID]
		if !ok {
			continue
		}
		if t.Alias.Name == "" && name.Last() != rel.Name {
			t.Alias.Name = rel.Name
		}
		if t.Name.Schema() == "" && name.Schema() == rel.Schema {
			name = ast.Name{Parts: []string{name.Last()}}
		}
		t.Name.Parts, changed = name.Parts, true
	}
	renamed := map[*ast.ColumnRef]string{}
	for e, c := range n.columns {
		if c.rel == nil || c.rel.ID != r.Of {
			continue
		}
		if name, ok := r.Columns[c.attr]; ok && e.Parts[len(e.Parts)-1] == c.rel.Columns[c.attr].Name {
			renamed[e] = name
		}
	}
	if len(renamed) == 0 {
		return changed, nil
	}
	for _, sel := range n.selects {
		for i := range sel.Items {
			if e, ok := sel.Items[i].Expr.(*ast.ColumnRef); ok && renamed[e] != "" && sel.Items[i].Alias == "" {
				sel.Items[i].Alias = e.Parts[len(e.Parts)-1]
			}
		}
	}
	for e, name := range renamed {
		e.Parts = append(slices.Clone(e.Parts[:len(e.Parts)-1]), name)
	}
	return true, nil
}
