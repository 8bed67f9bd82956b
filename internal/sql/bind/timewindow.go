package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// timeWindowArgs are how many arguments the time windows take, without the optional offset: tumble(rows, column, size)
// and hop(rows, column, slide, size).
var timeWindowArgs = map[string]int{"tumble": 3, "hop": 4}

// timeWindow binds TUMBLE and HOP in FROM: the rows of a relation with the windows that a time of theirs lies in, in two
// more columns, window_start and window_end. With HOP a row is in several windows.
func (b *Binder) timeWindow(f *ast.TableFunc, outer *scope) (plan.Node, *scope, error) {
	c := f.Calls[0]
	least := timeWindowArgs[c.Name.Last()]
	if len(c.Args) < least || len(c.Args) > least+1 {
		return nil, nil, errs.UndefinedFunction.New("signature", c.Name.Last()+"()").At(int(c.Pos))
	}
	n, s, err := b.windowedRows(c, f.Alias, outer)
	if err != nil {
		return nil, nil, err
	}
	when, err := b.expr(unqualified(c.Args[1].Value, c.Args[0].Value), s)
	if err != nil {
		return nil, nil, err
	}
	if when.Type().Kind == types.KindDate {
		if when, err = b.cast(when, types.Timestamp, expr.CastImplicit); err != nil {
			return nil, nil, err
		}
	}
	if k := when.Type().Kind; k != types.KindTimestamp && k != types.KindTimestamptz {
		return nil, nil, errs.WrongType.New("what", "the time column of "+c.Name.Last(), "want", "timestamp", "have", types.SQLName(when.Type())).At(int(c.Args[1].Value.Position()))
	}
	var spans []expr.Expr // slide, size, offset
	for i, a := range c.Args[2:] {
		x, err := b.expr(a.Value, &scope{})
		if err == nil {
			x, err = b.cast(x, types.Interval, expr.CastAssignment)
		}
		if err == nil && i < least-2 {
			err = b.positive(x, c.Name.Last())
		}
		if err != nil {
			return nil, nil, at(err, a.Value.Position())
		}
		spans = append(spans, x)
	}
	if c.Name.Last() == "tumble" {
		spans = append([]expr.Expr{spans[0]}, spans...)
	}
	n, err = b.windows(n, when, spans)
	if err != nil {
		return nil, nil, at(err, c.Pos)
	}
	return n, withWindows(s, n), nil
}

// unqualified is a column of the rows without their name, which an alias hides from the other arguments.
func unqualified(column, rows ast.Expr) ast.Expr {
	col, ok := column.(*ast.ColumnRef)
	from, named := rows.(*ast.ColumnRef)
	if !ok || !named || len(col.Parts) < 2 || col.Parts[len(col.Parts)-2] != from.Parts[len(from.Parts)-1] {
		return column
	}
	return &ast.ColumnRef{Pos: col.Pos, Parts: col.Parts[len(col.Parts)-1:]}
}

// positive checks a slide or a size: windows that are empty or end before they begin hold no rows.
func (b *Binder) positive(x expr.Expr, window string) error {
	if !constant(x) {
		return nil
	}
	d, err := expr.EvalConst(b.Ctx, x)
	if err != nil || d.IsNull() || types.Compare(types.Interval, d, types.NewInterval(types.Iv{})) > 0 {
		return err
	}
	return errs.InvalidArgument.New("problem", "the windows of "+window+" must have a positive size and slide")
}

// windowedRows binds the relation or query that is the first argument.
func (b *Binder) windowedRows(c *ast.FuncCall, a ast.Alias, outer *scope) (plan.Node, *scope, error) {
	switch rows := c.Args[0].Value.(type) {
	case *ast.ColumnRef:
		return b.table(&ast.TableRef{Pos: rows.Pos, Name: ast.Name{Pos: rows.Pos, Parts: rows.Parts}, Alias: a}, outer)
	case *ast.Subquery:
		return b.item(&ast.DerivedTable{Pos: rows.Pos, Query: rows.Query, Alias: a}, outer)
	}
	return nil, nil, errs.Unsupported.New("feature", "this argument of "+c.Name.Last()).At(int(c.Args[0].Pos))
}

// windows adds the columns. The windows begin at multiples of the slide, shifted by the offset; the last one that a time is
// in is found by date_bin, the others are as many slides before as fit into the size.
func (b *Binder) windows(n plan.Node, when expr.Expr, spans []expr.Expr) (plan.Node, error) {
	slide, size := spans[0], spans[1]
	origin, err := b.Funcs.Cast(&expr.Const{Value: types.NewBytes("1970-01-01 00:00:00+00"), T: types.Unknown}, when.Type(), expr.CastImplicit)
	if err == nil && len(spans) > 2 {
		origin, err = b.Funcs.Operator("+", origin, spans[2])
	}
	if err != nil {
		return nil, err
	}
	last, err := b.Funcs.Call("date_bin", slide, when, origin)
	if err != nil {
		return nil, err
	}
	in := identity(n)
	width := len(in.Exprs)
	if expr.Equal(slide, size) {
		in.Exprs, in.Names = append(in.Exprs, last), append(in.Names, "window_start")
		n = in
	} else if n, err = b.hops(n, last, slide, size); err != nil {
		return nil, err
	}
	out := identity(n)
	end, err := b.Funcs.Operator("+", out.Exprs[width], size)
	if err != nil {
		return nil, err
	}
	out.Exprs, out.Names = append(out.Exprs, end), append(out.Names, "window_end")
	return out, nil
}

// hops repeats each row for its windows.
func (b *Binder) hops(n plan.Node, last, slide, size expr.Expr) (plan.Node, error) {
	first, err := b.Funcs.Operator("-", last, size)
	if err == nil {
		first, err = b.Funcs.Operator("+", first, slide)
	}
	if err != nil {
		return nil, err
	}
	fn, args, err := b.Funcs.ResolveSet("generate_series", []expr.Expr{first, last, slide})
	if err != nil {
		return nil, err
	}
	fields := fn.Fields(expr.Types(args))
	fields[0].Name = "window_start"
	return &plan.ProjectSet{Input: n, Calls: []plan.SetCall{{Fn: fn, Args: args, Fields: fields}}}, nil
}

// withWindows names the two columns behind those of the relation.
func withWindows(s *scope, n plan.Node) *scope {
	out := *s
	table := ""
	if len(s.cols) > 0 {
		table = s.cols[0].table
	}
	fields := n.Schema()
	for i := len(fields) - 2; i < len(fields); i++ {
		out.cols = append(out.cols, scopeCol{table: table, name: fields[i].Name, t: fields[i].Type, index: i})
	}
	return &out
}
