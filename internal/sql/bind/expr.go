package bind

import (
	"strconv"
	"strings"

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
	return b.Funcs.Cast(e, to, c)
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
		return c.expr(e.X)
	case *ast.AtTimeZone:
		return c.call("timezone", e.Pos, e.Zone, e.X)
	case *ast.ValueKeyword:
		return c.keyword(e)
	case *ast.Array:
		return c.array(e)
	case *ast.Row:
		return c.row(e)
	case *ast.Subscript:
		return c.syntax("subscript", e.Pos, e.X, e.Index)
	case *ast.Slice:
		return c.slice(e)
	case *ast.Field:
		return c.field(e)
	case *ast.FuncCall:
		return c.funcCall(e)
	}
	return nil, errs.Unsupported.New("feature", "this expression").At(int(e.Position()))
}

func (c context) column(e *ast.ColumnRef) (expr.Expr, error) {
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

// number gives a constant the smallest of integer, bigint and numeric that holds it.
func number(e *ast.NumberLit) (expr.Expr, error) {
	text := strings.ReplaceAll(e.Text, "_", "")
	if n, err := strconv.ParseInt(text, 0, 64); err == nil && !leadingZero(text) || err == nil && strings.Trim(text, "0123456789") == "" {
		if leadingZero(text) {
			n, _ = strconv.ParseInt(text, 10, 64)
		}
		if n == int64(int32(n)) {
			return &expr.Const{Value: types.NewInt(n), T: types.Int4}, nil
		}
		return &expr.Const{Value: types.NewInt(n), T: types.Int8}, nil
	}
	d, err := types.Parse(types.Numeric, text, types.Ctx{})
	if err != nil {
		return nil, at(err, e.Pos)
	}
	return &expr.Const{Value: d, T: types.Numeric}, nil
}

func leadingZero(s string) bool {
	return len(s) > 1 && s[0] == '0' && strings.Trim(s, "0123456789") == ""
}

func (c context) param(e *ast.Param) (expr.Expr, error) {
	for len(c.b.Params) < e.Number {
		c.b.Params = append(c.b.Params, types.Unknown)
	}
	return &expr.Param{N: e.Number, T: c.b.Params[e.Number-1]}, nil
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

// apply finishes a call whose arguments are bound, and lets parameters take the types that it wants.
func (c context) apply(f *expr.Func, to []types.T, args []expr.Expr) (expr.Expr, error) {
	for i, a := range args {
		if p, ok := a.(*expr.Param); ok && p.T.Kind == types.KindUnknown {
			var err error
			if args[i], err = c.b.cast(p, to[i], expr.CastImplicit); err != nil {
				return nil, err
			}
		}
	}
	return c.b.Funcs.Apply(f, to, args)
}

// operator binds an operator; rows are compared element by element.
func (c context) operator(name string, pos ast.Pos, es ...ast.Expr) (expr.Expr, error) {
	args, err := c.list(es)
	if err != nil {
		return nil, err
	}
	if len(args) == 1 && name == "-" {
		if k, ok := args[0].(*expr.Const); ok && k.T.Kind == types.KindNumeric {
			if d, err := types.Parse(types.Int8, "-"+types.Format(k.T, k.Value, types.Ctx{}), types.Ctx{}); err == nil {
				return &expr.Const{Value: d, T: types.Int8}, nil // -9223372036854775808
			}
		}
	}
	f, to, err := c.b.Funcs.ResolveOperator(name, expr.Types(args))
	if err != nil {
		return nil, at(err, pos)
	}
	x, err := c.apply(f, to, args)
	return x, at(err, es[len(es)-1].Position())
}

// compared binds a special comparison whose sides get their common type.
func (c context) compared(name string, pos ast.Pos, l, r ast.Expr) (expr.Expr, error) {
	args, err := c.list([]ast.Expr{l, r})
	if err != nil {
		return nil, err
	}
	t, err := expr.CommonType("IS DISTINCT FROM", expr.Types(args))
	if err != nil {
		return nil, at(err, pos)
	}
	for i := range args {
		if args[i], err = c.b.cast(args[i], t, expr.CastImplicit); err != nil {
			return nil, at(err, pos)
		}
	}
	x, err := c.b.Funcs.Syntax(name, args...)
	return x, at(err, pos)
}

func (c context) logic(e *ast.Logic) (expr.Expr, error) {
	out := &expr.Logic{Or: e.Op == ast.Or}
	for _, a := range e.Args {
		x, err := c.expr(a)
		if err == nil {
			x, err = c.b.boolean(x, a, string(e.Op))
		}
		if err != nil {
			return nil, err
		}
		out.Args = append(out.Args, x)
	}
	return out, nil
}

func (c context) not(e *ast.Not) (expr.Expr, error) {
	x, err := c.expr(e.X)
	if err == nil {
		x, err = c.b.boolean(x, e.X, "NOT")
	}
	if err != nil {
		return nil, err
	}
	return c.b.Funcs.Syntax("not", x)
}

func (c context) test(e *ast.Test) (expr.Expr, error) {
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	name := "is " + strings.ToLower(string(e.Kind))
	if e.Not {
		name = "is not " + strings.ToLower(string(e.Kind))
	}
	if e.Kind != ast.IsNull {
		if x, err = c.b.boolean(x, e.X, "IS "+string(e.Kind)); err != nil {
			return nil, err
		}
	} else if x.Type().Kind == types.KindUnknown {
		if x, err = c.b.cast(x, types.Text, expr.CastImplicit); err != nil {
			return nil, err
		}
	}
	out, err := c.b.Funcs.Syntax(name, x)
	return out, at(err, e.Pos)
}

func (c context) match(e *ast.Match) (expr.Expr, error) {
	op := map[ast.LikeKind]string{ast.Like: "~~", ast.ILike: "~~*"}[e.Kind]
	var x expr.Expr
	var err error
	pattern := e.Pattern
	if e.Escape != nil && e.Kind != ast.SimilarTo {
		pattern = &ast.FuncCall{Pos: e.Pos, Name: ast.Name{Pos: e.Pos, Parts: []string{"like_escape"}}, Args: []ast.Arg{{Value: pattern}, {Value: e.Escape}}}
	}
	if e.Kind == ast.SimilarTo {
		op = "~"
		args := []ast.Arg{{Value: pattern}}
		if e.Escape != nil {
			args = append(args, ast.Arg{Value: e.Escape})
		}
		pattern = &ast.FuncCall{Pos: e.Pos, Name: ast.Name{Pos: e.Pos, Parts: []string{"similar_to_escape"}}, Args: args}
	}
	if x, err = c.operator(op, e.Pos, e.X, pattern); err != nil || !e.Not {
		return x, err
	}
	return c.b.Funcs.Syntax("not", x)
}

// between is two comparisons.
func (c context) between(e *ast.Between) (expr.Expr, error) {
	within := func(low, high ast.Expr) ast.Expr {
		return &ast.Logic{Pos: e.Pos, Op: ast.And, Args: []ast.Expr{
			&ast.Binary{Pos: e.Pos, Op: ast.Operator{Name: ">="}, Left: e.X, Right: low},
			&ast.Binary{Pos: e.Pos, Op: ast.Operator{Name: "<="}, Left: e.X, Right: high}}}
	}
	x := within(e.Low, e.High)
	if e.Symmetric {
		x = &ast.Logic{Pos: e.Pos, Op: ast.Or, Args: []ast.Expr{x, within(e.High, e.Low)}}
	}
	if e.Not {
		x = &ast.Not{Pos: e.Pos, X: x}
	}
	return c.expr(x)
}

// in is a disjunction of equalities; IN with a query is in subquery.go.
func (c context) in(e *ast.In) (expr.Expr, error) {
	if e.Query != nil {
		return c.inQuery(e)
	}
	args, err := c.list(append([]ast.Expr{e.X}, e.List...))
	if err != nil {
		return nil, err
	}
	out := &expr.Logic{Or: true}
	for i, a := range args[1:] {
		f, to, err := c.b.Funcs.ResolveOperator("=", expr.Types([]expr.Expr{args[0], a}))
		if err != nil {
			return nil, at(err, e.Pos)
		}
		x, err := c.apply(f, to, []expr.Expr{args[0], a})
		if err != nil {
			return nil, at(err, e.List[i].Position())
		}
		out.Args = append(out.Args, x)
	}
	x := expr.Expr(out)
	if len(out.Args) == 1 {
		x = out.Args[0]
	}
	if e.Not {
		return c.b.Funcs.Syntax("not", x)
	}
	return x, nil
}

func (c context) caseExpr(e *ast.Case) (expr.Expr, error) {
	out := &expr.Case{}
	var results []expr.Expr // ELSE first, as PostgreSQL looks for the common type
	var at []ast.Pos
	add := func(e ast.Expr) error {
		r, err := c.expr(e)
		results, at = append(results, r), append(at, e.Position())
		return err
	}
	if e.Else != nil {
		if err := add(e.Else); err != nil {
			return nil, err
		}
	}
	for _, w := range e.Whens {
		cond := w.Cond
		if e.Operand != nil {
			cond = &ast.Binary{Pos: w.Cond.Position(), Op: ast.Operator{Name: "="}, Left: e.Operand, Right: w.Cond}
		}
		x, err := c.expr(cond)
		if err == nil {
			x, err = c.b.boolean(x, cond, "CASE/WHEN")
		}
		if err == nil {
			err = add(w.Result)
		}
		if err != nil {
			return nil, err
		}
		out.Whens = append(out.Whens, expr.When{Cond: x})
	}
	t, err := c.unify("CASE", results, at...)
	if err != nil {
		return nil, err
	}
	if out.T = t; e.Else != nil {
		out.Else, results = results[0], results[1:]
	}
	for i := range out.Whens {
		out.Whens[i].Then = results[i]
	}
	return out, nil
}

// unify casts expressions to their common type.
func (c context) unify(what string, es []expr.Expr, pos ...ast.Pos) (types.T, error) {
	where := func(i int) ast.Pos { return pos[min(i, len(pos)-1)] }
	ts := expr.Types(es)
	t, err := expr.CommonType(what, ts)
	if err != nil {
		return t, at(err, where(clash(ts)))
	}
	for i := range es {
		if es[i], err = c.b.cast(es[i], t, expr.CastImplicit); err != nil {
			return t, at(err, where(i))
		}
	}
	return t, nil
}

// clash is the first type that does not go together with those before it.
func clash(ts []types.T) int {
	for i := range ts {
		if _, err := expr.CommonType("", ts[:i+1]); err != nil {
			return i
		}
	}
	return 0
}

// positionsOf are the positions of syntactic expressions, for unify.
func positionsOf(es []ast.Expr) []ast.Pos {
	out := make([]ast.Pos, len(es))
	for i, e := range es {
		out[i] = e.Position()
	}
	return out
}

func (c context) castExpr(e *ast.Cast) (expr.Expr, error) {
	t, err := Type(e.Type)
	if err != nil {
		return nil, err
	}
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	if e.Style == ast.CastTry {
		x, err = c.b.Funcs.TryCast(x, t)
	} else {
		x, err = c.b.cast(x, t, expr.CastExplicit)
	}
	pos := e.Pos
	if e.Style == ast.CastLiteral || e.Style == ast.CastColons {
		pos = e.X.Position()
	}
	return x, at(err, pos)
}

func (c context) keyword(e *ast.ValueKeyword) (expr.Expr, error) {
	name := map[string]string{"current_timestamp": "now", "localtimestamp": "localtimestamp", "user": "current_user",
		"current_role": "current_user", "current_catalog": "current_database"}[e.Name]
	if name == "" {
		name = e.Name
	}
	x, err := c.b.Funcs.Call(name)
	return x, at(err, e.Pos)
}

func (c context) array(e *ast.Array) (expr.Expr, error) {
	args, err := c.list(e.Elems)
	if err != nil {
		return nil, err
	}
	if len(args) > 0 {
		if _, err := c.unify("ARRAY", args, positionsOf(e.Elems)...); err != nil {
			return nil, err
		}
	}
	x, err := c.b.Funcs.Syntax("array", args...)
	return x, at(err, e.Pos)
}

func (c context) row(e *ast.Row) (expr.Expr, error) { return c.syntax("row", e.Pos, e.Elems...) }

func (c context) syntax(name string, pos ast.Pos, es ...ast.Expr) (expr.Expr, error) {
	args, err := c.list(es)
	if err != nil {
		return nil, err
	}
	x, err := c.b.Funcs.Syntax(name, args...)
	return x, at(err, pos)
}

func (c context) slice(e *ast.Slice) (expr.Expr, error) {
	bounds := []ast.Expr{e.Low, e.High}
	args := make([]expr.Expr, 3)
	var err error
	if args[0], err = c.expr(e.X); err != nil {
		return nil, err
	}
	for i, bound := range bounds {
		args[i+1] = expr.Null(types.Int4)
		if bound != nil {
			if args[i+1], err = c.expr(bound); err != nil {
				return nil, err
			}
		}
	}
	x, err := c.b.Funcs.Syntax("slice", args...)
	return x, at(err, e.Pos)
}

func (c context) field(e *ast.Field) (expr.Expr, error) {
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	return c.fieldOf(x, e.Name, e.Pos)
}

func (c context) fieldOf(x expr.Expr, name string, pos ast.Pos) (expr.Expr, error) {
	for i, f := range x.Type().Fields {
		if f.Name == name {
			out, err := c.b.Funcs.Syntax("field", x, &expr.Const{Value: types.NewInt(int64(i)), T: types.Int4})
			return out, at(err, pos)
		}
	}
	return nil, errs.UndefinedColumn.New("name", "\""+name+"\"").At(int(pos))
}

// Constant binds an expression that reads no column.
func (b *Binder) Constant(e ast.Expr) (expr.Expr, error) { return b.expr(e, &scope{}) }
