package bind

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/types"
)

// parameter is one that an argument may be given to by name.
type parameter struct{ name, value string } // value: the default, empty without one

// builtinParameters are the parameters of the built-in functions whose names PostgreSQL documents.
var builtinParameters = map[string][][]parameter{
	"make_date":      {{{"year", ""}, {"month", ""}, {"day", ""}}},
	"make_time":      {{{"hour", ""}, {"min", ""}, {"sec", ""}}},
	"make_timestamp": {{{"year", ""}, {"month", ""}, {"mday", ""}, {"hour", ""}, {"min", ""}, {"sec", ""}}},
	"make_timestamptz": {
		{{"year", ""}, {"month", ""}, {"mday", ""}, {"hour", ""}, {"min", ""}, {"sec", ""}},
		{{"year", ""}, {"month", ""}, {"mday", ""}, {"hour", ""}, {"min", ""}, {"sec", ""}, {"timezone", ""}},
	},
	"make_interval": {{{"years", "0"}, {"months", "0"}, {"weeks", "0"}, {"days", "0"}, {"hours", "0"}, {"mins", "0"}, {"secs", "0.0"}}},
	"jsonb_set":     {{{"jsonb_in", ""}, {"path", ""}, {"replacement", ""}, {"create_if_missing", "true"}}},
	"jsonb_insert":  {{{"jsonb_in", ""}, {"path", ""}, {"replacement", ""}, {"insert_after", "false"}}},
}

// parameters are those of the functions of a name, the built-in ones first.
func (b *Binder) parameters(n ast.Name) [][]parameter {
	out := slices.Clip(builtinParameters[n.Last()])
	path := b.Path
	if schema := n.Schema(); schema != "" {
		path = []string{schema}
	}
	for _, schema := range path {
		for _, f := range b.Catalog.FunctionsNamed(schema, n.Last()) {
			var ps []parameter
			for _, p := range f.Params {
				ps = append(ps, parameter{p.Name, p.Default})
			}
			out = append(out, ps)
		}
	}
	return out
}

// positional returns the arguments of a call in the order of the parameters, with defaults between those that are given.
func (c context) positional(e *ast.FuncCall) ([]ast.Expr, error) {
	named := slices.IndexFunc(e.Args, func(a ast.Arg) bool { return a.Name != "" })
	if named < 0 {
		values := make([]ast.Expr, len(e.Args))
		for i, a := range e.Args {
			values[i] = a.Value
		}
		return values, nil
	}
	for i, a := range e.Args[named:] {
		if a.Name == "" {
			return nil, errs.Misplaced.New("problem", "positional argument cannot follow named argument").At(int(a.Value.Position()))
		}
		if slices.ContainsFunc(e.Args[named:named+i], func(o ast.Arg) bool { return o.Name == a.Name }) {
			return nil, errs.Misplaced.New("problem", "argument name \""+a.Name+"\" used more than once").At(int(a.Pos))
		}
	}
	for _, ps := range c.b.parameters(e.Name) {
		if values, ok, err := arranged(e.Args, named, ps); ok || err != nil {
			return values, err
		}
	}
	return nil, c.noParameters(e)
}

// arranged puts arguments, named ones from a position on, into the order of parameters; ok is false when they do not fit.
func arranged(args []ast.Arg, named int, ps []parameter) (values []ast.Expr, ok bool, err error) {
	if len(args) > len(ps) {
		return nil, false, nil
	}
	values = make([]ast.Expr, len(ps))
	for i, a := range args {
		if i >= named {
			i = slices.IndexFunc(ps, func(p parameter) bool { return p.name == a.Name })
		}
		if i < 0 || values[i] != nil {
			return nil, false, nil
		}
		values[i] = a.Value
	}
	for i, p := range ps {
		switch {
		case values[i] != nil:
		case p.value == "":
			return nil, false, nil
		default:
			if values[i], err = parser.ParseExpr(p.value); err != nil {
				return nil, false, err
			}
		}
	}
	return values, true, nil
}

// noParameters is the error of a call by names that no function of the name has.
func (c context) noParameters(e *ast.FuncCall) error {
	var parts []string
	for _, a := range e.Args {
		x, err := c.expr(a.Value)
		if err != nil {
			return err
		}
		name := types.BaseName(x.Type())
		if a.Name != "" {
			name = a.Name + " => " + name
		}
		parts = append(parts, name)
	}
	return errs.UndefinedFunction.New("signature", e.Name.Last()+"("+strings.Join(parts, ", ")+")").At(int(e.Pos))
}

// spreads reports whether the last argument is an array that stands for many.
func spreads(e *ast.FuncCall) bool { return len(e.Args) > 0 && e.Args[len(e.Args)-1].Variadic }

// spread binds f(a, VARIADIC array).
func (c context) spread(e *ast.FuncCall) (expr.Expr, error) {
	var args []expr.Expr
	for _, a := range e.Args {
		x, err := c.expr(a.Value)
		if err != nil {
			return nil, err
		}
		args = append(args, x)
	}
	f, to, err := c.b.Funcs.ResolveSpread(e.Name.Last(), expr.Types(args))
	if err != nil {
		return nil, at(err, e.Pos)
	}
	x, err := c.apply(f, to, args)
	return x, at(err, e.Pos)
}
