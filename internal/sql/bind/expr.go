package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// context is where an expression stands.
type context struct {
	b     *Binder
	s     *scope
	sel   *selection // nil: no subqueries, aggregates or window functions
	where string     // a clause that takes no aggregates; empty: they are allowed

	inAgg, inWindow bool
	noWindow        string // a clause that takes no window functions
}

// expr binds an expression that can have neither aggregates nor subqueries.
func (b *Binder) expr(e ast.Expr, s *scope) (expr.Expr, error) {
	return context{b: b, s: s}.expr(e)
}

// condition binds a boolean expression outside of a SELECT block.
func (b *Binder) condition(e ast.Expr, s *scope, where, place string) (expr.Expr, error) {
	x, err := context{b: b, s: s, where: place}.expr(e)
	if err != nil {
		return nil, err
	}
	return b.boolean(x, e, where)
}

func (b *Binder) boolean(x expr.Expr, e ast.Expr, where string) (expr.Expr, error) {
	if x.Type().Kind == types.KindUnknown {
		return b.cast(x, types.Bool, expr.CastImplicit)
	}
	if x.Type().Kind != types.KindBool {
		return nil, errs.WrongType.New("what", "argument of "+where, "want", "boolean", "have", types.SQLName(x.Type())).At(int(e.Position()))
	}
	return x, nil
}

// expr binds an expression of the select list or ORDER BY.
func (x *selection) expr(e ast.Expr) (expr.Expr, error) {
	return context{b: x.b, s: x.s, sel: x}.expr(e)
}

func (x *selection) condition(e ast.Expr, where string) (expr.Expr, error) {
	c, err := context{b: x.b, s: x.s, sel: x, noWindow: where}.expr(e)
	if err != nil {
		return nil, err
	}
	return x.b.boolean(c, e, where)
}

// cast casts and lets a parameter without a type take the type.
func (b *Binder) cast(e expr.Expr, to types.T, c expr.CastContext) (expr.Expr, error) {
	if p, ok := e.(*expr.Param); ok && p.T.Kind == types.KindUnknown {
		b.Params[p.N-1] = to
		return &expr.Param{N: p.N, T: to}, nil
	}
	return b.Funcs.Cast(b.deepened(e, to), to, c)
}

// deepened gives a parameter that the client calls an array the dimensions of the type asked for: the protocol has one type
// for arrays of any number of them.
func (b *Binder) deepened(e expr.Expr, to types.T) expr.Expr {
	p, ok := e.(*expr.Param)
	if !ok {
		return e
	}
	t, deep := p.T, to
	for t.Kind == types.KindArray && deep.Kind == types.KindArray {
		t, deep = *t.Elem, *deep.Elem
	}
	if p.T.Kind != types.KindArray || deep.Kind != types.KindArray {
		return e
	}
	t = p.T
	for ; deep.Kind == types.KindArray; deep = *deep.Elem {
		t = types.ArrayOf(t)
	}
	b.Params[p.N-1] = t
	return &expr.Param{N: p.N, T: t}
}

// expr is the switch over the forms of expressions.
func (c context) expr(e ast.Expr) (expr.Expr, error) {
	switch e := e.(type) {
	case *ast.ColumnRef:
		return c.column(e)
	case *ast.NumberLit:
		return number(e)
	case *ast.StringLit:
		return &expr.Const{Value: types.NewBytes(e.Value), T: types.Unknown}, nil
	case *ast.BoolLit:
		return &expr.Const{Value: types.NewBool(e.Value), T: types.Bool}, nil
	case *ast.NullLit:
		return expr.Null(types.Unknown), nil
	case *ast.Param:
		return c.param(e)
	case *ast.Unary:
		return c.operator(e.Op.Name, e.Pos, e.X)
	case *ast.Binary:
		return c.operator(e.Op.Name, e.Pos, e.Left, e.Right)
	case *ast.Logic:
		return c.logic(e)
	case *ast.Not:
		return c.not(e)
	case *ast.Test:
		return c.test(e)
	case *ast.Distinct:
		name := "is distinct from"
		if e.Not {
			name = "is not distinct from"
		}
		return c.compared(name, e.Pos, e.Left, e.Right)
	case *ast.Match:
		return c.match(e)
	case *ast.Between:
		return c.between(e)
	case *ast.In:
		return c.in(e)
	case *ast.Quantified:
		return c.quantified(e)
	case *ast.Exists:
		return c.exists(e)
	case *ast.Subquery:
		return c.scalar(e)
	case *ast.ArrayQuery:
		return c.arrayQuery(e)
	case *ast.Case:
		return c.caseExpr(e)
	case *ast.Cast:
		return c.castExpr(e)
	case *ast.Collate:
		return c.collate(e)
	case *ast.AtTimeZone:
		return c.call("timezone", e.Pos, e.Zone, e.X)
	case *ast.ValueKeyword:
		return c.keyword(e)
	case *ast.FuncCall:
		return c.funcCall(e)
	}
	return c.composite(e)
}

// composite binds what makes arrays, rows and maps, and what takes parts of them.
func (c context) composite(e ast.Expr) (expr.Expr, error) {
	switch e := e.(type) {
	case *ast.Array:
		return c.array(e)
	case *ast.Row:
		return c.row(e)
	case *ast.MapLit:
		return c.mapLiteral(e)
	case *ast.Star:
		return c.starred(e)
	case *ast.Subscript:
		return c.subscript(e)
	case *ast.Slice:
		return c.slice(e)
	case *ast.Field:
		return c.field(e)
	}
	return nil, errs.Unsupported.New("feature", "this expression").At(int(e.Position()))
}

func (c context) column(e *ast.ColumnRef) (expr.Expr, error) {
	c.noteColumn(e)
	x, err := c.s.column(e)
	if col, ok := x.(*expr.Col); ok && err == nil {
		return c.b.column(col, e.Pos), nil
	}
	if row := c.wholeRow(e); err != nil && row != nil {
		return row, nil
	}
	if err == nil || len(e.Parts) < 2 {
		return x, err
	}
	// t.a.b may be field b of struct column t.a, or a.b field b of column a.
	if base, berr := c.s.column(&ast.ColumnRef{Pos: e.Pos, Parts: e.Parts[:len(e.Parts)-1]}); berr == nil && base.Type().Kind == types.KindStruct {
		return c.fieldOf(base, e.Parts[len(e.Parts)-1], e.Pos)
	}
	return nil, err
}

// wholeRow is the row of a table of this block whose name stands where a column is expected; nil when there is none.
func (c context) wholeRow(e *ast.ColumnRef) expr.Expr {
	if len(e.Parts) != 1 || c.s == nil {
		return nil
	}
	var names []string
	var cols []expr.Expr
	for _, s := range c.s.cols {
		if s.table == e.Parts[0] && !s.starless {
			names, cols = append(names, s.name), append(cols, c.b.column(&expr.Col{Index: s.index, T: s.t, Name: s.name}, e.Pos))
		}
	}
	if cols == nil {
		return nil
	}
	return c.b.Funcs.Row(names, cols)
}

// column remembers where a column was written, for errors found later.
func (b *Binder) column(c *expr.Col, pos ast.Pos) *expr.Col {
	if b.positions == nil {
		b.positions = map[*expr.Col]ast.Pos{}
	}
	b.positions[c] = pos
	return c
}

func (c context) list(es []ast.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(es))
	for i, e := range es {
		var err error
		if out[i], err = c.expr(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}
