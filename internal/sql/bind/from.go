package bind

import (
	"fmt"
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

// lateral reports whether an item may refer to those before it.
func lateral(item ast.TableExpr) bool {
	switch item := item.(type) {
	case *ast.DerivedTable:
		return item.Lateral
	case *ast.TableFunc:
		return true
	}
	return false
}

func distinctAliases(s, t *scope) error {
	for _, c := range t.cols {
		if c.table != "" && slices.ContainsFunc(s.cols, func(d scopeCol) bool { return d.table == c.table && d.schema == c.schema }) {
			return errs.DuplicateAlias.New("name", c.table)
		}
	}
	return nil
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
		return n, s, err
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
		s.cols[i].starless, s.cols[i].rel, s.cols[i].attr = c.Hidden, rel, i
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
	return n, s, err
}

var joinKinds = map[ast.JoinKind]plan.Kind{ast.InnerJoin: plan.Inner, ast.CrossJoin: plan.Inner, ast.LeftJoin: plan.Left,
	ast.RightJoin: plan.Right, ast.FullJoin: plan.Full}

// join binds JOIN with ON, USING or NATURAL, and the comma; the left side is bound.
func (b *Binder) join(j *ast.Join, l plan.Node, ls *scope, outer *scope) (plan.Node, *scope, error) {
	kind := joinKinds[j.Kind]
	within := outer
	if lateral(j.Right) {
		within = ls
	}
	r, rs, err := b.item(j.Right, within)
	if err != nil {
		return nil, nil, err
	}
	if err := distinctAliases(ls, rs); err != nil {
		return nil, nil, err
	}
	if j.AsOf {
		return nil, nil, errs.Unsupported.New("feature", "ASOF JOIN").At(int(j.Pos))
	}
	refersLeft := false
	if within == ls {
		if r, refersLeft, err = raised(r, kind, ls); err != nil {
			return nil, nil, err
		}
	}
	using := j.Using
	if j.Natural {
		using = commonColumns(ls, rs)
	}
	if len(using) > 0 {
		return b.using(kind, l, r, ls, rs, using, outer, refersLeft)
	}
	s := ls.join(rs)
	if j.On == nil {
		return makeJoin(kind, l, r, nil, refersLeft), s, nil
	}
	if kind == plan.Inner { // subqueries are allowed: the condition is one of WHERE
		x := &selection{b: b, in: makeJoin(kind, l, r, nil, refersLeft), s: s}
		if err := x.condOn(j.On); err != nil {
			return nil, nil, err
		}
		return pickWidth(x.in, s.width()), s, nil
	}
	on, err := b.condition(j.On, s, "JOIN/ON", "JOIN conditions")
	if err != nil {
		return nil, nil, err
	}
	return makeJoin(kind, l, r, expr.Conjuncts(on), refersLeft), s, nil
}

// raised checks that a lateral item which refers to its left side can be joined so. One that does not may be joined in any
// way; its references further out then stand one level higher.
func raised(r plan.Node, kind plan.Kind, ls *scope) (n plan.Node, left bool, err error) {
	table := ""
	plan.MapOuter(r, func(o *plan.Outer, level int) expr.Expr {
		if o.Depth == level+1 {
			left = true
			for _, c := range ls.cols {
				if c.index == o.Index && c.table != "" {
					table = c.table
				}
			}
		}
		return o
	})
	if left {
		if kind == plan.Right || kind == plan.Full {
			return nil, false, errs.LateralKind.New("name", table)
		}
		return r, true, nil
	}
	return plan.MapOuter(r, func(o *plan.Outer, level int) expr.Expr {
		if o.Depth <= level {
			return o
		}
		return &plan.Outer{Depth: o.Depth - 1, Index: o.Index, T: o.T, Name: o.Name}
	}), false, nil
}

// condOn binds the condition of an inner join.
func (x *selection) condOn(on ast.Expr) error {
	c, err := context{b: x.b, s: x.s, sel: x, where: "JOIN conditions"}.expr(on)
	if err == nil {
		c, err = x.b.boolean(c, on, "JOIN/ON")
	}
	if err != nil {
		return err
	}
	if j, ok := x.in.(*plan.Join); ok && !hasForeign(c) {
		x.in = MakeJoin(plan.Inner, j.Left, j.Right, expr.Conjuncts(c))
		return nil
	}
	x.in = &plan.Filter{Input: x.in, Cond: c}
	return nil
}

// pickWidth cuts the columns that subqueries have added.
func pickWidth(n plan.Node, width int) plan.Node {
	p := identity(n)
	if len(p.Exprs) == width {
		return n
	}
	p.Exprs, p.Names = p.Exprs[:width], p.Names[:width]
	return p
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
func (b *Binder) using(kind plan.Kind, l, r plan.Node, ls, rs *scope, names []ast.Ident, outer *scope, refersLeft bool) (plan.Node, *scope, error) {
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
	n := makeJoin(kind, l, r, conds, refersLeft)
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
		err = errs.UsingColumn.New("name", id.Name, "side", side)
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
