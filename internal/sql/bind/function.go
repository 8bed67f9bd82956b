package bind

import (
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/types"
)

// arguments are what the parameters of a function in SQL stand for in its body: expressions over the rows of the call.
type arguments struct {
	f      *catalog.Function
	values []expr.Expr
}

// named finds the argument that a name in the body means; columns come first, as in PostgreSQL. f.name says the same.
func (a *arguments) named(ref *ast.ColumnRef, depth int) (expr.Expr, bool) {
	if a == nil || len(ref.Parts) > 2 || len(ref.Parts) == 2 && ref.Parts[0] != a.f.Name {
		return nil, false
	}
	name := ref.Parts[len(ref.Parts)-1]
	i := slices.IndexFunc(a.f.Params, func(p catalog.Param) bool { return p.Name == name })
	if i < 0 {
		return nil, false
	}
	return deeper(a.values[i], depth), true
}

func (a *arguments) numbered(e *ast.Param, depth int) (expr.Expr, error) {
	if e.Number < 1 || e.Number > len(a.values) {
		return nil, errs.UndefinedParameter.New("n", e.Number).At(int(e.Pos))
	}
	return deeper(a.values[e.Number-1], depth), nil
}

// arguments finds those that $1 means here, and how many blocks are between.
func (s *scope) arguments() (*arguments, int) {
	depth := 0
	for ; s != nil; s = s.outer {
		if s.args != nil {
			return s.args, depth
		}
		if s.counts() {
			depth++
		}
	}
	return nil, 0
}

// deeper makes an expression over the rows of a block one for a block inside it.
func deeper(e expr.Expr, by int) expr.Expr {
	if by == 0 {
		return e
	}
	return expr.Rewrite(e, func(e expr.Expr) expr.Expr {
		switch e := e.(type) {
		case *expr.Col:
			return &plan.Outer{Depth: by, Index: e.Index, T: e.T, Name: e.Name}
		case *plan.Outer:
			return &plan.Outer{Depth: e.Depth + by, Index: e.Index, T: e.T, Name: e.Name}
		}
		return e
	})
}

// function finds the function in SQL that a call means: one that takes the arguments, with the most of the very types. Built-in
// functions come first, unless the name has a schema.
func (b *Binder) function(n ast.Name, args []expr.Expr) *catalog.Function {
	path := b.Path
	if schema := n.Schema(); schema != "" {
		path = []string{schema}
	} else if _, _, err := b.Funcs.Resolve(n.Last(), expr.Types(args)); err == nil {
		return nil
	}
	var best *catalog.Function
	score := -1
	for _, schema := range path {
		for _, f := range b.Catalog.FunctionsNamed(schema, n.Last()) {
			if n, ok := b.takes(f, args); ok && n > score {
				best, score = f, n
			}
		}
	}
	return best
}

// takes reports whether a function can be called with arguments, and how many have the very type.
func (b *Binder) takes(f *catalog.Function, args []expr.Expr) (same int, ok bool) {
	if len(args) > len(f.Params) || len(args) < len(f.Params) && f.Params[len(args)].Default == "" {
		return 0, false
	}
	for i, a := range args {
		t := a.Type()
		switch {
		case t.SameKind(f.Params[i].Type):
			same++
		case t.Kind != types.KindUnknown && !b.Funcs.CanCast(t, f.Params[i].Type, expr.CastImplicit):
			return 0, false
		}
	}
	return same, true
}

// callDepthMax bounds functions that call functions.
const callDepthMax = 32

// inline binds the body of a function in place of a call.
func (c context) inline(f *catalog.Function, args []expr.Expr, pos ast.Pos) (expr.Expr, error) {
	b := c.b
	if b.callDepth++; b.callDepth > callDepthMax {
		return nil, errs.TooComplex.New("limit", callDepthMax).At(int(pos))
	}
	defer func() { b.callDepth-- }()
	if !slices.Contains(b.called, f) {
		b.called = append(b.called, f)
	}
	in := &arguments{f: f}
	for i, p := range f.Params {
		var x expr.Expr
		var err error
		if i < len(args) {
			x = args[i]
		} else if x, err = b.defaultArgument(p); err != nil {
			return nil, err
		}
		if x, err = b.cast(x, p.Type, expr.CastImplicit); err != nil {
			return nil, at(err, pos)
		}
		in.values = append(in.values, x)
	}
	x, err := c.body(in, pos)
	if err != nil {
		return nil, err
	}
	if x.Type().Kind != types.KindUnknown && !b.Funcs.CanCast(x.Type(), f.Returns, expr.CastAssignment) {
		return nil, errs.ReturnType.New("want", types.SQLName(f.Returns), "have", types.SQLName(x.Type()))
	}
	if x, err = b.cast(x, f.Returns, expr.CastAssignment); err != nil || !f.Strict {
		return x, err
	}
	return b.nullForNull(x, in.values)
}

func (b *Binder) defaultArgument(p catalog.Param) (expr.Expr, error) {
	e, err := parser.ParseExpr(p.Default)
	if err != nil {
		return nil, err
	}
	return b.expr(e, &scope{})
}

// nullForNull is an expression that is NULL where any argument is.
func (b *Binder) nullForNull(x expr.Expr, args []expr.Expr) (expr.Expr, error) {
	out := &expr.Case{Else: x, T: x.Type()}
	for _, a := range args {
		null, err := b.Funcs.Syntax("is null", a)
		if err != nil {
			return nil, err
		}
		out.Whens = append(out.Whens, expr.When{Cond: null, Then: expr.Null(x.Type())})
	}
	return out, nil
}

// body binds what the function computes: a bare expression in place, any other query as a subquery.
func (c context) body(in *arguments, pos ast.Pos) (expr.Expr, error) {
	frame := &scope{args: in, ctes: map[string]cte{}}
	if in.f.Expression {
		e, err := parser.ParseExpr(in.f.Body)
		if err != nil {
			return nil, err
		}
		return c.inBody(frame, e)
	}
	q, err := parseQuery(in.f.Body)
	if err != nil {
		return nil, err
	}
	if e, ok := bareExpression(q); ok {
		if x, err := c.inBody(frame, e); err == nil || c.sel == nil {
			return x, err
		}
	}
	n, _, err := c.b.query(q, frame)
	if err != nil {
		return nil, err
	}
	if len(n.Schema()) != 1 {
		return nil, errs.SubqueryColumns.New("what", "must return only one column").At(int(pos))
	}
	return c.value(&plan.Limit{Input: n, Limit: 1}, pos)
}

// inBody binds an expression of a body where the call stands: without aggregates, which would be of the caller's rows.
func (c context) inBody(frame *scope, e ast.Expr) (expr.Expr, error) {
	c.s, c.sel = frame, nil
	return c.expr(e)
}

// bareExpression is the expression of a query that is nothing but SELECT of one.
func bareExpression(q *ast.Query) (ast.Expr, bool) {
	sel, ok := q.Body.(*ast.Select)
	if !ok || q.With != nil || len(q.OrderBy) > 0 || q.Limit != nil || q.Offset != nil || len(sel.Items) != 1 || len(sel.From) > 0 ||
		sel.Where != nil || len(sel.GroupBy) > 0 || sel.Having != nil || sel.Distinct {
		return nil, false
	}
	if _, star := sel.Items[0].Expr.(*ast.Star); star {
		return nil, false
	}
	return sel.Items[0].Expr, true
}

// CreateFunction binds CREATE FUNCTION of a function in SQL; its body is bound for arguments of the types.
func (b *Binder) CreateFunction(s *ast.CreateFunction, schema string) (*catalog.Function, error) {
	if s.Language != "sql" || s.Aggregate || s.Returns == nil || s.Temporary {
		return nil, errs.Unsupported.New("feature", "a function that is not in SQL, or returns a table").At(int(s.Pos))
	}
	f := &catalog.Function{Schema: schema, Name: s.Name.Last(), Definition: ast.Format(s),
		Strict: slices.Contains(s.Behavior, "STRICT") || slices.Contains(s.Behavior, "RETURNS NULL ON NULL INPUT")}
	var err error
	if f.Returns, err = Type(s.Returns); err != nil {
		return nil, err
	}
	for _, p := range s.Params {
		if p.Mode != "" && p.Mode != "IN" {
			return nil, errs.Unsupported.New("feature", p.Mode+" parameters").At(int(p.Pos))
		}
		t, err := Type(p.Type)
		if err != nil {
			return nil, err
		}
		param := catalog.Param{Name: p.Name, Type: t}
		if p.Default != nil {
			param.Default = ast.FormatExpr(p.Default)
		}
		f.Params = append(f.Params, param)
	}
	switch {
	case s.Return != nil:
		f.Body, f.Expression = ast.FormatExpr(s.Return), true
	case len(s.As) == 1:
		f.Body = s.As[0]
	default:
		return nil, errs.InvalidFunction.New("what", "no function body specified").At(int(s.Pos))
	}
	return f, b.checkBody(f)
}

// checkBody binds the body for NULLs, inside a query of its own.
func (b *Binder) checkBody(f *catalog.Function) error {
	x := &selection{b: b, in: &plan.Values{Rows: [][]expr.Expr{{}}}, s: &scope{}}
	var args []expr.Expr
	for _, p := range f.Params {
		args = append(args, expr.Null(p.Type))
	}
	_, err := context{b: b, s: x.s, sel: x}.inline(f, args, 0)
	if e, ok := errs.As(err); ok {
		e.Position = 0 // it is one in the body, not in the statement
		return fmt.Errorf("function %s: %w", f.Name, e)
	}
	return err
}
