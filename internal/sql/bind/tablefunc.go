package bind

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// lateral reports whether an item may refer to those before it.
func lateral(item ast.TableExpr) bool {
	switch item := item.(type) {
	case *ast.DerivedTable:
		return item.Lateral
	case *ast.TableFunc:
		return true
	case *ast.Join:
		return lateral(item.Left) || lateral(item.Right)
	}
	return false
}

// tableFunc binds set-returning functions in FROM.
func (b *Binder) tableFunc(f *ast.TableFunc, outer *scope) (plan.Node, *scope, error) {
	if _, ok := timeWindowArgs[f.Calls[0].Name.Last()]; ok && len(f.Calls) == 1 {
		return b.timeWindow(f, outer)
	}
	if rel, ok := relationCalls[f.Calls[0].Name.Last()]; ok && len(f.Calls) == 1 && len(f.Calls[0].Args) == 0 && !f.Ordinality {
		return b.relationCall(f, rel, outer)
	}
	one := plan.Node(&plan.Values{Rows: [][]expr.Expr{{}}})
	p := &plan.ProjectSet{Input: one, Ordinality: f.Ordinality}
	alias := f.Alias
	for _, c := range eachArray(f.Calls) {
		args, err := b.args(c, &scope{outer: outer}, nil)
		if err != nil {
			return nil, nil, err
		}
		call, ok, err := b.setCall(c, args)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			return b.scalarFrom(f, c, outer)
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

// eachArray makes a call of unnest() with several arrays into one call for each, whose rows stand beside each other.
func eachArray(calls []*ast.FuncCall) []*ast.FuncCall {
	var out []*ast.FuncCall
	for _, c := range calls {
		if c.Name.Last() != "unnest" || len(c.Args) < 2 {
			out = append(out, c)
			continue
		}
		for _, a := range c.Args {
			one := *c
			one.Args = []ast.Arg{a}
			out = append(out, &one)
		}
	}
	return out
}

// relationCalls are the functions whose rows are a system relation's.
var relationCalls = map[string]string{"pg_get_keywords": "pg_keywords", "pg_timezone_names": "pg_timezone_names", "pg_show_all_settings": "pg_settings"}

// relationCall reads the relation in place of the call.
func (b *Binder) relationCall(f *ast.TableFunc, rel string, outer *scope) (plan.Node, *scope, error) {
	t := &ast.TableRef{Name: ast.Name{Pos: f.Calls[0].Pos, Parts: []string{"pg_catalog", rel}}, Alias: f.Alias}
	if t.Alias.Name == "" {
		t.Alias.Name = f.Calls[0].Name.Last()
	}
	return b.table(t, outer)
}

// scalarFrom is a function of one value in FROM, built in or made by a user: a relation of one row.
func (b *Binder) scalarFrom(f *ast.TableFunc, c *ast.FuncCall, outer *scope) (plan.Node, *scope, error) {
	e, err := context{b: b, s: &scope{outer: outer}}.expr(c)
	if err != nil {
		return nil, nil, err
	}
	n := &plan.Project{Input: &plan.Values{Rows: [][]expr.Expr{{}}}, Exprs: []expr.Expr{e}, Names: []string{c.Name.Last()}}
	alias := f.Alias
	if alias.Name == "" {
		alias.Name = c.Name.Last()
	}
	s, err := scopeOf(n, []string{alias.Name}, alias, outer)
	return n, s, err
}
