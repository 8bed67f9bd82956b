package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// distinctAliases refuses two items of one name, unless they are relations of two schemas.
func distinctAliases(s, t *scope) error {
	for _, c := range t.cols {
		same := func(d scopeCol) bool {
			return d.table == c.table && (d.schema == c.schema || d.schema == "" || c.schema == "")
		}
		if c.table != "" && slices.ContainsFunc(s.cols, same) {
			return errs.DuplicateAlias.New("name", c.table)
		}
	}
	return nil
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
	if ref, ok := j.Right.(*ast.TableRef); ok && processTime(ref.AsOf) {
		return b.temporalJoin(j, ref, l, ls, outer)
	}
	r, rs, err := b.item(j.Right, within)
	if err != nil {
		return nil, nil, err
	}
	if err := distinctAliases(ls, rs); err != nil {
		return nil, nil, err
	}
	refersLeft := false
	if within == ls {
		if r, refersLeft, err = raised(r, kind, ls); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case j.AsOf && refersLeft:
		return nil, nil, errs.Unsupported.New("feature", "ASOF JOIN of a lateral item").At(int(j.Pos))
	case j.AsOf:
		return b.asof(j, l, r, ls.join(rs))
	}
	return b.joined(j, l, r, ls, rs, outer, refersLeft)
}

// joined joins two sides that are bound.
func (b *Binder) joined(j *ast.Join, l, r plan.Node, ls, rs, outer *scope, refersLeft bool) (plan.Node, *scope, error) {
	kind := joinKinds[j.Kind]
	using := j.Using
	if j.Natural {
		using = commonColumns(ls, rs)
	}
	if len(using) > 0 {
		n, s, err := b.using(kind, l, r, ls, rs, using, outer, refersLeft)
		if err == nil && j.UsingAlias != "" {
			s.aliasMerged(j.UsingAlias, len(using))
		}
		return n, s, err
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
	n, err := b.outerJoin(j, kind, l, r, s, refersLeft)
	return n, s, err
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
	conds := conditions(c)
	if j, ok := x.in.(*plan.Join); ok && !hasForeign(c) {
		x.in = MakeJoin(plan.Inner, j.Left, j.Right, conds)
	} else if len(conds) > 0 {
		x.in = &plan.Filter{Input: x.in, Cond: expr.And(conds...)}
	}
	return nil
}

// conditions are the parts of a condition, but for the constant true.
func conditions(c expr.Expr) []expr.Expr {
	return slices.DeleteFunc(slices.Clone(expr.Conjuncts(c)), func(e expr.Expr) bool {
		k, ok := e.(*expr.Const)
		return ok && k.T.Kind == types.KindBool && !k.Value.IsNull() && k.Value.Bool()
	})
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
		eq, err := context{b: b}.compare("=", id.Pos, le, re)
		if err != nil {
			return nil, nil, err
		}
		conds = append(conds, eq)
		m, err := b.mergedColumn(kind, le, re)
		if err != nil {
			return nil, nil, err
		}
		merged = append(merged, m)
		merging := scopeCol{name: id.Name, t: m.Type(), index: len(out.cols)}
		switch m {
		case le:
			merging.origin = lc.origin
		case re:
			merging.origin = rc.origin
		}
		out.cols = append(out.cols, merging)
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

// aliasMerged gives the first n columns, those that USING has merged, a table's name beside their own.
func (s *scope) aliasMerged(table string, n int) {
	for _, c := range s.cols[:n] {
		s.cols = append(s.cols, scopeCol{table: table, name: c.name, t: c.t, index: c.index, merged: true, starless: true})
	}
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
