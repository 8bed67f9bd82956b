package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// from binds the FROM clause: its items are joined one after the other.
func (b *Binder) from(items []ast.TableExpr, outer *scope) (plan.Node, *scope, error) {
	if len(items) == 0 {
		return &plan.Values{Rows: [][]expr.Expr{{}}}, &scope{outer: outer}, nil
	}
	var n plan.Node
	var s *scope
	for _, item := range items {
		m, t, err := b.item(item, outer, n, s)
		if err != nil {
			return nil, nil, err
		}
		if n == nil {
			n, s = m, t
			continue
		}
		if t == nil { // a lateral item has joined itself
			n = m
			continue
		}
		if err := distinctAliases(s, t, item.Position()); err != nil {
			return nil, nil, err
		}
		n, s = &plan.Join{Kind: plan.Inner, Left: n, Right: m}, s.join(t)
	}
	return n, s, nil
}

func distinctAliases(s, t *scope, pos ast.Pos) error {
	for _, c := range t.cols {
		if c.table != "" && slices.ContainsFunc(s.cols, func(d scopeCol) bool { return d.table == c.table && d.schema == c.schema }) {
			return errs.DuplicateAlias.New("name", c.table).At(int(pos))
		}
	}
	return nil
}

// item binds one item. left and ls are what stands before it, for LATERAL.
func (b *Binder) item(item ast.TableExpr, outer *scope, left plan.Node, ls *scope) (plan.Node, *scope, error) {
	switch item := item.(type) {
	case *ast.TableRef:
		return b.table(item, outer)
	case *ast.DerivedTable:
		n, names, err := b.query(item.Query, outer)
		if err != nil {
			return nil, nil, err
		}
		s, err := scopeOf(n, names, item.Alias, outer)
		return n, s, err
	case *ast.Join:
		return b.join(item, outer)
	case *ast.TableFunc:
		return b.tableFunc(item, outer)
	}
	return nil, nil, errs.Unsupported.New("feature", "this item of FROM").At(int(item.Position()))
}

// scopeOf names the columns of a node by an alias.
func scopeOf(n plan.Node, names []string, a ast.Alias, outer *scope) (*scope, error) {
	fields := n.Schema()
	if len(a.Columns) > len(fields) {
		return nil, errs.ColumnCount.New("what", "table \""+a.Name+"\" has too many column aliases").At(int(a.Pos))
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
	if t.AsOf != nil {
		return nil, nil, errs.Unsupported.New("feature", "FOR SYSTEM_TIME AS OF").At(int(t.AsOf.Pos))
	}
	alias := t.Alias
	if alias.Name == "" {
		alias.Name = rel.Name
	}
	b.use(rel)
	if rel.Kind == catalog.KindView {
		n, err := b.view(rel)
		if err != nil {
			return nil, nil, err
		}
		names := make([]string, len(rel.Columns))
		for i, c := range rel.Columns {
			names[i] = c.Name
		}
		s, err := scopeOf(n, names, alias, outer)
		return n, s, err
	}
	if rel.Kind == catalog.KindSource || rel.Kind == catalog.KindSink {
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
		s.cols[i].starless = c.Hidden
		if t.Alias.Name == "" {
			s.cols[i].schema = rel.Schema
		}
	}
	return n, s, nil
}

func (b *Binder) useCTE(c cte, t *ast.TableRef, outer *scope) (plan.Node, *scope, error) {
	n, names, err := b.query(c.query, c.scope)
	if err != nil {
		return nil, nil, err
	}
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
	return n, s, err
}

// join binds JOIN with ON, USING or NATURAL.
func (b *Binder) join(j *ast.Join, outer *scope) (plan.Node, *scope, error) {
	l, ls, err := b.item(j.Left, outer, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	r, rs, err := b.item(j.Right, outer, l, ls)
	if err != nil {
		return nil, nil, err
	}
	if err := distinctAliases(ls, rs, j.Right.Position()); err != nil {
		return nil, nil, err
	}
	if j.AsOf {
		return nil, nil, errs.Unsupported.New("feature", "ASOF JOIN").At(int(j.Pos))
	}
	kind := map[ast.JoinKind]plan.Kind{ast.InnerJoin: plan.Inner, ast.CrossJoin: plan.Inner, ast.LeftJoin: plan.Left,
		ast.RightJoin: plan.Right, ast.FullJoin: plan.Full}[j.Kind]
	s := ls.join(rs)
	using := j.Using
	if j.Natural {
		using = commonColumns(ls, rs)
	}
	if len(using) > 0 {
		return b.using(kind, l, r, ls, rs, using, outer)
	}
	var conds []expr.Expr
	if j.On != nil {
		on, err := b.condition(j.On, s, "JOIN/ON")
		if err != nil {
			return nil, nil, err
		}
		conds = expr.Conjuncts(on)
	}
	return b.makeJoin(kind, l, r, conds), s, nil
}

// commonColumns are the columns that both sides of a NATURAL join have.
func commonColumns(ls, rs *scope) []ast.Ident {
	var out []ast.Ident
	for _, c := range ls.cols {
		if !c.merged && !c.starless && slices.ContainsFunc(rs.cols, func(d scopeCol) bool { return d.name == c.name && !d.merged && !d.starless }) {
			out = append(out, ast.Ident{Name: c.name})
		}
	}
	return out
}

// using joins on columns of the same name and puts one merged column for each in front.
func (b *Binder) using(kind plan.Kind, l, r plan.Node, ls, rs *scope, names []ast.Ident, outer *scope) (plan.Node, *scope, error) {
	s := ls.join(rs)
	shift := ls.width()
	var conds, merged []expr.Expr
	out := &scope{outer: outer}
	for _, id := range names {
		lc, err := usingColumn(ls, id, "left")
		if err != nil {
			return nil, nil, err
		}
		rc, err := usingColumn(rs, id, "right")
		if err != nil {
			return nil, nil, err
		}
		le, re := &expr.Col{Index: lc.index, T: lc.t, Name: lc.name}, &expr.Col{Index: rc.index + shift, T: rc.t, Name: rc.name}
		eq, err := b.Funcs.Operator("=", le, re)
		if err != nil {
			return nil, nil, at(err, id.Pos)
		}
		conds = append(conds, expr.Conjuncts(eq)...)
		m, err := b.mergedColumn(kind, le, re)
		if err != nil {
			return nil, nil, err
		}
		merged = append(merged, m)
		out.cols = append(out.cols, scopeCol{name: id.Name, t: m.Type(), index: len(out.cols)})
		for i := range s.cols {
			if s.cols[i].index == lc.index || s.cols[i].index == rc.index+shift {
				s.cols[i].merged = true
			}
		}
	}
	n := b.makeJoin(kind, l, r, conds)
	p := &plan.Project{Input: n, Exprs: merged}
	for i := range merged {
		p.Names = append(p.Names, names[i].Name)
	}
	for i, f := range n.Schema() {
		p.Exprs, p.Names = append(p.Exprs, &expr.Col{Index: i, T: f.Type, Name: f.Name}), append(p.Names, f.Name)
	}
	for _, c := range s.cols {
		c.index += len(merged)
		out.cols = append(out.cols, c)
	}
	return p, out, nil
}

func usingColumn(s *scope, id ast.Ident, side string) (*scopeCol, error) {
	c, err := s.find(&ast.ColumnRef{Pos: id.Pos, Parts: []string{id.Name}})
	if err == nil && c == nil {
		err = errs.UndefinedColumn.New("name", "\""+id.Name+"\" specified in USING clause does not exist in "+side+" table").At(int(id.Pos))
	}
	return c, err
}

func (b *Binder) mergedColumn(kind plan.Kind, l, r expr.Expr) (expr.Expr, error) {
	switch kind {
	case plan.Right:
		return r, nil
	case plan.Full:
		t, err := expr.CommonType("JOIN/USING", []types.T{l.Type(), r.Type()})
		if err != nil {
			return nil, err
		}
		if l, err = b.Funcs.Cast(l, t, expr.CastImplicit); err != nil {
			return nil, err
		}
		if r, err = b.Funcs.Cast(r, t, expr.CastImplicit); err != nil {
			return nil, err
		}
		return &expr.Coalesce{Args: []expr.Expr{l, r}, T: t}, nil
	}
	return l, nil
}

// tableFunc binds set-returning functions in FROM.
func (b *Binder) tableFunc(f *ast.TableFunc, outer *scope) (plan.Node, *scope, error) {
	one := plan.Node(&plan.Values{Rows: [][]expr.Expr{{}}})
	p := &plan.ProjectSet{Input: one, Ordinality: f.Ordinality}
	alias := f.Alias
	for _, c := range f.Calls {
		args, err := b.args(c, &scope{outer: outer}, nil)
		if err != nil {
			return nil, nil, err
		}
		call, ok, err := b.setCall(c, args)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			return b.scalarFrom(f, c, args, outer)
		}
		if alias.Name == "" {
			alias.Name = c.Name.Last()
		}
		p.Calls = append(p.Calls, call)
	}
	names := []string(nil)
	if len(p.Calls) == 1 && len(p.Calls[0].Fields) == 1 {
		names = []string{alias.Name} // a function of one column is named by the alias
	}
	s, err := scopeOf(p, names, alias, outer)
	return p, s, err
}

// scalarFrom is a function of one value in FROM: a relation of one row.
func (b *Binder) scalarFrom(f *ast.TableFunc, c *ast.FuncCall, args []expr.Expr, outer *scope) (plan.Node, *scope, error) {
	e, err := b.Funcs.Call(c.Name.Last(), args...)
	if err != nil {
		return nil, nil, at(err, c.Pos)
	}
	n := &plan.Project{Input: &plan.Values{Rows: [][]expr.Expr{{}}}, Exprs: []expr.Expr{e}, Names: []string{c.Name.Last()}}
	alias := f.Alias
	if alias.Name == "" {
		alias.Name = c.Name.Last()
	}
	s, err := scopeOf(n, []string{alias.Name}, alias, outer)
	return n, s, err
}
