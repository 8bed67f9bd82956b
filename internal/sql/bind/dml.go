package bind

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// target finds the table that a statement writes to.
func (b *Binder) target(n ast.Name, privilege string) (*catalog.Relation, error) {
	rel, err := b.Relation(n)
	if err != nil {
		return nil, err
	}
	if rel.Kind != catalog.KindTable {
		return nil, errs.WrongObject.New("what", "cannot change "+rel.Kind.String()+" \""+rel.Name+"\"").At(int(n.Pos))
	}
	return rel, b.may(rel, privilege, n.Pos)
}

// Update binds UPDATE: the source has the old rows, then the new ones.
func (b *Binder) Update(s *ast.Update) (*plan.Update, error) {
	rel, sel, err := b.changed("UPDATE", s.Table, s.With, s.From, s.Where)
	if err != nil {
		return nil, err
	}
	p := &plan.Project{}
	for i, c := range rel.Columns {
		p.Exprs, p.Names = append(p.Exprs, &expr.Col{Index: i, T: c.Type, Name: c.Name}), append(p.Names, c.Name)
	}
	p.Exprs, p.Names = append(p.Exprs, p.Exprs...), append(p.Names, p.Names...)
	set := assignments{}
	for _, c := range s.Sets {
		if err := b.setInto(p, c, rel, sel, set); err != nil {
			return nil, err
		}
	}
	p.Input = sel.in
	for i := len(rel.Columns); len(s.Returning) > 0 && i < sel.s.width(); i++ {
		col := outputOf(sel.in, i)
		p.Exprs, p.Names = append(p.Exprs, col), append(p.Names, col.Name)
	}
	src, err := b.regenerate(p, rel)
	if err != nil {
		return nil, err
	}
	out := &plan.Update{Rel: rel, Source: src}
	if out.Returning, err = b.returning(s.Returning, sel.s); err != nil {
		return nil, err
	}
	return out, b.paramsKnown()
}

// setInto binds one SET clause; subqueries are allowed, and one of several columns for a list of columns.
func (b *Binder) setInto(p *plan.Project, c ast.SetClause, rel *catalog.Relation, sel *selection, set assignments) error {
	width := len(rel.Columns)
	ctx := context{b: b, s: sel.s, sel: sel, where: "UPDATE"}
	if c.Part != nil {
		col, err := set.note(rel, c.Columns[0], true)
		if err == nil {
			p.Exprs[width+col], err = ctx.partOf(c, p.Exprs[width+col], rel.Columns[col])
		}
		return err
	}
	bind, count, err := ctx.assigned(c)
	if err != nil {
		return err
	}
	if count != len(c.Columns) {
		return errs.ColumnCount.New("what", "number of columns does not match number of values").At(int(c.Pos))
	}
	for i, id := range c.Columns {
		col, err := set.note(rel, id, false)
		if err != nil {
			return err
		}
		if p.Exprs[width+col], err = bind(i, rel.Columns[col]); err != nil {
			return err
		}
	}
	return nil
}

// assigned returns what binds value i of a SET clause, and how many there are.
func (c context) assigned(set ast.SetClause) (bind func(i int, col catalog.Column) (expr.Expr, error), count int, err error) {
	values := []ast.Expr{set.Value}
	if row, ok := set.Value.(*ast.Row); ok && set.Tuple {
		values = row.Elems
	}
	if q, ok := set.Value.(*ast.Subquery); ok && set.Tuple {
		n, _, err := c.b.query(q.Query, c.sel.s)
		if err != nil {
			return nil, 0, err
		}
		row, err := c.rowValue(n, q.Pos)
		return func(i int, col catalog.Column) (expr.Expr, error) { return c.b.assign(c.b.Funcs.Field(row, i), col) }, len(n.Schema()), err
	}
	return func(i int, col catalog.Column) (expr.Expr, error) { return c.stored(values[i], col) }, len(values), nil
}

// rowValue is the one row of a plan as a struct.
func (c context) rowValue(n plan.Node, pos ast.Pos) (expr.Expr, error) {
	var names []string
	var cols []expr.Expr
	for i, f := range n.Schema() {
		names, cols = append(names, f.Name), append(cols, outputOf(n, i))
	}
	return c.value(&plan.Project{Input: n, Exprs: []expr.Expr{c.b.Funcs.Row(names, cols)}, Names: []string{"row"}}, pos)
}

// regenerate computes the generated columns of the new rows.
func (b *Binder) regenerate(p *plan.Project, rel *catalog.Relation) (plan.Node, error) {
	width := len(rel.Columns)
	sets, err := b.generated(rel, width)
	if err != nil || len(sets) == 0 {
		return p, err
	}
	out := identity(p)
	for _, a := range sets {
		out.Exprs[width+a.Col] = a.Value
	}
	return out, nil
}

// Delete binds DELETE.
func (b *Binder) Delete(s *ast.Delete) (*plan.Delete, error) {
	rel, sel, err := b.changed("DELETE", s.Table, s.With, s.Using, s.Where)
	if err != nil {
		return nil, err
	}
	width := len(rel.Columns)
	if len(s.Returning) > 0 {
		width = sel.s.width()
	}
	p := identity(sel.in)
	p.Exprs, p.Names = p.Exprs[:width], p.Names[:width]
	out := &plan.Delete{Rel: rel, Source: p}
	if out.Returning, err = b.returning(s.Returning, sel.s); err != nil {
		return nil, err
	}
	return out, b.paramsKnown()
}

// changed binds what UPDATE and DELETE have in common: the table's rows, joined with FROM or USING, that satisfy WHERE.
func (b *Binder) changed(privilege string, t *ast.TableRef, w *ast.With, from []ast.TableExpr, where ast.Expr) (*catalog.Relation, *selection, error) {
	rel, err := b.target(t.Name, privilege)
	if err != nil {
		return nil, nil, err
	}
	if rel.AppendOnly {
		return nil, nil, errs.AppendOnlyTable.New("table", rel.Name).At(int(t.Name.Pos))
	}
	var outer *scope
	if w != nil {
		if outer, err = b.with(w, nil); err != nil {
			return nil, nil, err
		}
	}
	b.written = t
	in, s, err := b.from(append([]ast.TableExpr{t}, from...), outer)
	if err != nil {
		return nil, nil, err
	}
	sel := &selection{b: b, in: in, s: s}
	if where != nil {
		if err := sel.where(where); err != nil {
			return nil, nil, err
		}
	}
	return rel, sel, nil
}
