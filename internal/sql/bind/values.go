package bind

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// values binds VALUES: columns get the common type of their values.
func (b *Binder) values(v *ast.Values, outer *scope) (plan.Node, []string, error) {
	r := rowsOf{b: b, outer: outer}
	for _, row := range v.Rows {
		if len(row) != len(v.Rows[0]) {
			return nil, nil, errs.ColumnCount.New("what", "VALUES lists must all be the same length").At(int(row[0].Position()))
		}
		if err := r.add(row, func(c context, _ int, e ast.Expr) (expr.Expr, error) { return c.expr(e) }); err != nil {
			return nil, nil, err
		}
	}
	var names []string
	var fields []types.Field
	for j := range v.Rows[0] {
		col := make([]expr.Expr, len(v.Rows))
		pos := make([]ast.Pos, len(v.Rows))
		for i := range v.Rows {
			col[i], pos[i] = r.rows[i][j], v.Rows[i][j].Position()
		}
		t, err := context{b: b}.unify("VALUES", col, pos...)
		if err != nil {
			return nil, nil, err
		}
		for i := range v.Rows {
			r.rows[i][j] = col[i]
		}
		names = append(names, "column"+strconv.Itoa(j+1))
		fields = append(fields, types.Field{Name: names[j], Type: t})
	}
	return r.node(fields), names, nil
}

// rowsOf collects rows of expressions. Rows with subqueries are projections of what these give.
type rowsOf struct {
	b     *Binder
	outer *scope
	rows  [][]expr.Expr
	over  []plan.Node // what each row is computed from
	any   bool        // some row has a subquery
}

// add binds a row, each value by bind.
func (r *rowsOf) add(row []ast.Expr, bind func(c context, i int, e ast.Expr) (expr.Expr, error)) error {
	one := plan.Node(&plan.Values{Rows: [][]expr.Expr{{}}})
	x := &selection{b: r.b, in: one, s: &scope{outer: r.outer}}
	out := make([]expr.Expr, len(row))
	for i, e := range row {
		var err error
		if out[i], err = bind(context{b: r.b, s: x.s, sel: x, where: "VALUES"}, i, e); err != nil {
			return err
		}
	}
	r.rows, r.over, r.any = append(r.rows, out), append(r.over, x.in), r.any || x.in != one
	return nil
}

// node is the relation of the rows.
func (r *rowsOf) node(fields []types.Field) plan.Node {
	if !r.any {
		return &plan.Values{Rows: r.rows, Fields: fields}
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	u := &plan.Union{}
	for i, row := range r.rows {
		u.Ins = append(u.Ins, &plan.Project{Input: r.over[i], Exprs: row, Names: names})
	}
	if len(u.Ins) == 1 {
		return u.Ins[0]
	}
	return u
}
