package bind

import (
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// from binds the FROM clause: its items are joined one after the other.
func (b *Binder) from(items []ast.TableExpr, outer *scope) (plan.Node, *scope, error) {
	if len(items) == 0 {
		return &plan.Values{Rows: [][]expr.Expr{{}}}, &scope{outer: outer}, nil
	}
	n, s, err := b.item(items[0], outer)
	if err != nil {
		return nil, nil, err
	}
	for _, item := range items[1:] {
		if n, s, err = b.join(&ast.Join{Pos: item.Position(), Kind: ast.CrossJoin, Right: item}, n, s, outer); err != nil {
			return nil, nil, err
		}
	}
	return n, s, nil
}

// item binds one item of FROM. Outer is what it may refer to.
func (b *Binder) item(item ast.TableExpr, outer *scope) (plan.Node, *scope, error) {
	switch item := item.(type) {
	case *ast.TableRef:
		return b.table(item, outer)
	case *ast.DerivedTable:
		n, names, err := b.query(item.Query, outer)
		if err != nil {
			return nil, nil, err
		}
		s, err := scopeOf(n, names, item.Alias, outer)
		return n, s.from(b.origins), err
	case *ast.Join:
		l, ls, err := b.item(item.Left, outer)
		if err != nil {
			return nil, nil, err
		}
		n, s, err := b.join(item, l, ls, outer)
		if err != nil || item.Alias.Name == "" {
			return n, s, err
		}
		return n, renamed(s, item.Alias), nil
	case *ast.TableFunc:
		return b.tableFunc(item, outer)
	}
	return nil, nil, errs.Unsupported.New("feature", "this item of FROM").At(int(item.Position()))
}

// renamed hides the names of a join's parts behind its alias.
func renamed(s *scope, a ast.Alias) *scope {
	out := &scope{outer: s.outer}
	k := 0
	for _, c := range s.cols {
		c.table, c.schema = a.Name, ""
		switch {
		case c.starless || c.merged:
			c.name, c.starless = "", true
		case k < len(a.Columns):
			c.name = a.Columns[k].Name
			k++
		}
		out.cols = append(out.cols, c)
	}
	return out
}

// scopeOf names the columns of a node by an alias.
func scopeOf(n plan.Node, names []string, a ast.Alias, outer *scope) (*scope, error) {
	fields := n.Schema()
	if len(a.Columns) > len(fields) {
		return nil, errs.InvalidColumnRef.New("what", fmt.Sprintf("table \"%s\" has %d columns available but %d columns specified", a.Name, len(fields), len(a.Columns)))
	}
	s := &scope{outer: outer}
	for i, f := range fields {
		name := f.Name
		if i < len(names) {
			name = names[i]
		}
		if i < len(a.Columns) {
			name = a.Columns[i].Name
		}
		s.cols = append(s.cols, scopeCol{table: a.Name, name: name, t: f.Type, index: i})
	}
	return s, nil
}

// table binds a relation, a view or a common table expression.
func (b *Binder) table(t *ast.TableRef, outer *scope) (plan.Node, *scope, error) {
	if t.Name.Schema() == "" {
		if c, ok := outer.findCTE(t.Name.Last()); ok {
			return b.useCTE(c, t, outer)
		}
	}
	rel, err := b.Relation(t.Name)
	if err != nil {
		return nil, nil, err
	}
	if t.AsOf != nil && t != b.temporal {
		return nil, nil, errs.Unsupported.New("feature", "FOR SYSTEM_TIME AS OF").At(int(t.AsOf.Pos))
	}
	alias := t.Alias
	if alias.Name == "" {
		alias.Name = rel.Name
	}
	if t != b.written {
		if err := b.may(rel, "SELECT", t.Name.Pos); err != nil {
			return nil, nil, err
		}
	}
	b.use(rel)
	b.noteTable(t, rel)
	if rel.Kind == catalog.KindView {
		return b.viewRows(rel, alias, t.Alias.Name == "", outer)
	}
	if rel.Kind == catalog.KindSource && !rel.Base() || rel.Kind == catalog.KindSink || rel.Kind == catalog.KindSubscription {
		return nil, nil, errs.WrongObject.New("what", "\""+rel.Name+"\" cannot be read from").At(int(t.Name.Pos))
	}
	cols := make([]int, len(rel.Columns))
	for i := range cols {
		cols[i] = i
	}
	n := &plan.Scan{Rel: rel, Cols: cols}
	s, err := scopeOf(n, nil, alias, outer)
	if err != nil {
		return nil, nil, err
	}
	for i, c := range rel.Columns {
		s.cols[i].starless, s.cols[i].rel, s.cols[i].attr, s.cols[i].origin = c.Hidden, rel, i, plan.Origin{Rel: rel, Col: i}
		if t.Alias.Name == "" {
			s.cols[i].schema = rel.Schema
		}
	}
	return n, s, nil
}

// viewRows binds a view in place; without an alias its columns may be qualified with the schema.
func (b *Binder) viewRows(rel *catalog.Relation, alias ast.Alias, qualified bool, outer *scope) (plan.Node, *scope, error) {
	n, err := b.view(rel)
	if err != nil {
		return nil, nil, err
	}
	names := make([]string, len(rel.Columns))
	for i, c := range rel.Columns {
		names[i] = c.Name
	}
	s, err := scopeOf(n, names, alias, outer)
	if err != nil {
		return nil, nil, err
	}
	for i := range s.cols {
		s.cols[i].origin = plan.Origin{Rel: rel, Col: i}
		if qualified {
			s.cols[i].schema = rel.Schema
		}
	}
	return n, s, nil
}

func (b *Binder) useCTE(c cte, t *ast.TableRef, outer *scope) (plan.Node, *scope, error) {
	if c.self != nil {
		return b.useSelf(c, t, outer)
	}
	n, names, err := b.cteRows(c, t.Name.Last())
	if err != nil {
		return nil, nil, err
	}
	origins := b.origins
	if by := outer.level() - c.scope.level(); by > 0 { // it stands deeper than where it was defined
		n = plan.MapOuter(n, func(o *plan.Outer, level int) expr.Expr {
			if o.Depth <= level {
				return o
			}
			return &plan.Outer{Depth: o.Depth + by, Index: o.Index, T: o.T, Name: o.Name}
		})
	}
	if len(c.columns) > len(names) {
		return nil, nil, errs.InvalidColumnRef.New("what", fmt.Sprintf("WITH query \"%s\" has %d columns available but %d columns specified", t.Name.Last(), len(names), len(c.columns))).At(int(c.pos))
	}
	names = slices.Clone(names)
	for i, id := range c.columns {
		if i < len(names) {
			names[i] = id.Name
		}
	}
	alias := t.Alias
	if alias.Name == "" {
		alias.Name = t.Name.Last()
	}
	s, err := scopeOf(n, names, alias, outer)
	return n, s.from(origins), err
}
