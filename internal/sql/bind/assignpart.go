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

// assignments are the columns that SET gives a value; true when it does so part by part.
type assignments map[int]bool

// note finds a column and refuses a second value for it, or for what a part belongs to.
func (a assignments) note(rel *catalog.Relation, id ast.Ident, part bool) (int, error) {
	col, err := columnIndex(rel, id)
	if err != nil {
		return 0, err
	}
	if parts, given := a[col]; given && !(parts && part) {
		return 0, errs.MultipleAssignments.New("column", id.Name)
	}
	a[col] = part
	return col, nil
}

// assignPart adds the assignment of a part to those of whole columns; further parts of a column go into the same value.
func (c context) assignPart(done []plan.Assign, clause ast.SetClause, rel *catalog.Relation, set assignments) ([]plan.Assign, error) {
	col, err := set.note(rel, clause.Columns[0], true)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(done, func(a plan.Assign) bool { return a.Col == col })
	if i < 0 {
		i = len(done)
		done = append(done, plan.Assign{Col: col, Value: &expr.Col{Index: col, T: rel.Columns[col].Type, Name: rel.Columns[col].Name}})
	}
	done[i].Value, err = c.partOf(clause, done[i].Value, rel.Columns[col])
	return done, err
}

// partOf binds SET column[subscripts] = value: what the column holds, with the part replaced.
func (c context) partOf(set ast.SetClause, holds expr.Expr, col catalog.Column) (expr.Expr, error) {
	if col.Generated != "" {
		return nil, errs.GeneratedUpdate.New("column", col.Name)
	}
	var steps []ast.Expr
	for e := set.Part; ; {
		switch part := e.(type) {
		case *ast.Subscript:
			steps, e = append(steps, part), part.X
			continue
		case *ast.Slice:
			steps, e = append(steps, part), part.X
			continue
		}
		break
	}
	slices.Reverse(steps)
	return c.replaced(steps, holds, set)
}

// replaced is an array in which what the steps lead to has the clause's value.
func (c context) replaced(steps []ast.Expr, array expr.Expr, set ast.SetClause) (expr.Expr, error) {
	if len(steps) == 0 {
		return c.part(set, array.Type())
	}
	t, pos := array.Type(), steps[0].Position()
	if t.Kind != types.KindArray {
		return nil, errs.NotSubscriptable.New("type", types.SQLName(t)).At(int(set.Pos))
	}
	if s, ok := steps[0].(*ast.Slice); ok {
		return c.sliceReplaced(s, len(steps) > 1, array, set)
	}
	i, err := c.position(steps[0].(*ast.Subscript).Index)
	if err != nil {
		return nil, err
	}
	element, err := c.b.Funcs.Syntax("subscript", array, i)
	if err != nil {
		return nil, at(err, pos)
	}
	if element, err = c.replaced(steps[1:], element, set); err != nil {
		return nil, err
	}
	x, err := c.b.Funcs.Syntax("array with element", array, i, element)
	return x, at(err, pos)
}

func (c context) sliceReplaced(s *ast.Slice, deeper bool, array expr.Expr, set ast.SetClause) (expr.Expr, error) {
	if deeper {
		return nil, errs.Unsupported.New("feature", "assigning to a slice in several dimensions").At(int(s.Pos))
	}
	lo, hi, err := c.bounds(s)
	if err != nil {
		return nil, err
	}
	value, err := c.part(set, array.Type())
	if err != nil {
		return nil, err
	}
	x, err := c.b.Funcs.Syntax("array with slice", array, lo, hi, value)
	return x, at(err, s.Pos)
}

// part is the value of a clause as a part of the type t.
func (c context) part(set ast.SetClause, t types.T) (expr.Expr, error) {
	if _, ok := set.Value.(*ast.DefaultValue); ok {
		return nil, errs.ElementDefault.New().At(int(set.Pos))
	}
	x, err := c.expr(set.Value)
	if err != nil {
		return nil, err
	}
	if x.Type().Kind != types.KindUnknown && !c.b.Funcs.CanCast(x.Type(), t, expr.CastAssignment) {
		return nil, errs.SubscriptedMismatch.New("column", set.Columns[0].Name, "want", types.SQLName(t), "have", types.SQLName(x.Type())).
			At(int(set.Pos))
	}
	x, err = c.b.cast(x, t, expr.CastAssignment)
	return x, at(err, set.Value.Position())
}
