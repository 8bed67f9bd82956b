package bind

import (
	"fmt"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// selfReference is what a query of WITH RECURSIVE finds under its own name.
type selfReference struct {
	name    string
	work    *plan.Given // the rows of the round before; nil: the part may not refer to the query
	problem string      // then: what is wrong with it
	names   []string
	uses    int
	pos     ast.Pos // of the last one
}

// cteRows binds the query of a common table expression.
func (b *Binder) cteRows(c cte, name string) (plan.Node, []string, error) {
	if !c.recursive {
		return b.query(c.query, c.scope)
	}
	union, ok := c.query.Body.(*ast.SetOp)
	if !ok || union.Kind != ast.Union {
		self := &selfReference{name: name, problem: "recursive query \"%s\" does not have the form non-recursive-term UNION [ALL] recursive-term"}
		return b.query(c.query, c.within(self))
	}
	n, names, err := b.recursion(c, union, name)
	if n == nil && err == nil {
		return b.query(c.query, c.scope) // it does not refer to itself
	}
	return n, names, err
}

// within is the scope of a part of the query, in which its name is itself.
func (c cte) within(self *selfReference) *scope {
	return &scope{outer: c.scope, ctes: map[string]cte{self.name: {scope: c.scope, pos: c.pos, self: self}}}
}

// useSelf binds a reference of a recursive query to itself.
func (b *Binder) useSelf(c cte, t *ast.TableRef, outer *scope) (plan.Node, *scope, error) {
	self := c.self
	self.uses, self.pos = self.uses+1, t.Name.Pos
	switch {
	case self.work == nil:
		return nil, nil, errs.InvalidRecursion.New("problem", fmt.Sprintf(self.problem, self.name)).At(int(self.pos))
	case self.uses > 1:
		return nil, nil, self.misplaced("more than once")
	}
	alias := t.Alias
	if alias.Name == "" {
		alias.Name = self.name
	}
	s, err := scopeOf(self.work, self.names, alias, outer)
	return self.work, s, err
}

func (s *selfReference) misplaced(where string) error {
	return errs.InvalidRecursion.New("problem", fmt.Sprintf("recursive reference to query \"%s\" must not appear %s", s.name, where)).At(int(s.pos))
}

// recursion binds both sides of the UNION; nil when the right one does not refer to the query.
func (b *Binder) recursion(c cte, union *ast.SetOp, name string) (plan.Node, []string, error) {
	first := &selfReference{name: name, problem: "recursive reference to query \"%s\" must not appear within its non-recursive term"}
	outer := c.within(first)
	if c.query.With != nil {
		var err error
		if outer, err = b.with(c.query.With, outer); err != nil {
			return nil, nil, err
		}
	}
	base, names, err := b.body(union.Left, outer, false)
	if err != nil {
		return nil, nil, err
	}
	self := &selfReference{name: name, work: &plan.Given{Fields: base.Schema()}, names: append([]string{}, names...)}
	for i, id := range c.columns {
		if i < len(self.names) {
			self.names[i] = id.Name
		}
	}
	outer = &scope{outer: outer, ctes: c.within(self).ctes}
	step, _, err := b.body(union.Right, outer, true)
	if err != nil || self.uses == 0 {
		return nil, nil, err
	}
	if err := self.check(step, union, c.query); err != nil {
		return nil, nil, err
	}
	if step, err = b.stepColumns(step, base, union, name); err != nil {
		return nil, nil, err
	}
	b.origins = nil
	return &plan.Recursive{Base: base, Step: step, Work: self.work, All: union.All}, names, nil
}

// check refuses what a step over the rows of one round does not mean.
func (s *selfReference) check(step plan.Node, union *ast.SetOp, q *ast.Query) error {
	switch {
	case len(q.OrderBy) > 0:
		return errs.Unsupported.New("feature", "ORDER BY in a recursive query").At(int(q.OrderBy[0].Expr.Position()))
	case q.Limit != nil:
		return errs.Unsupported.New("feature", "LIMIT in a recursive query").At(int(q.Limit.Position()))
	case q.Offset != nil:
		return errs.Unsupported.New("feature", "OFFSET in a recursive query").At(int(q.Offset.Position()))
	case union.Corresponding:
		return errs.Unsupported.New("feature", "CORRESPONDING in a recursive query").At(int(union.Pos))
	}
	if where := s.place(step); where != "" {
		return s.misplaced(where)
	}
	if s.aggregated(step) {
		return errs.InvalidRecursion.New("problem", "aggregate functions are not allowed in a recursive query's recursive term").At(int(itemPos(union.Right, 0)))
	}
	return nil
}

// reads reports whether a tree reads the rows of the round before.
func (s *selfReference) reads(n plan.Node) bool {
	return plan.Any(n, func(n plan.Node) bool { return n == plan.Node(s.work) })
}

// place names where in the step the query is referred to, if it must not be there.
func (s *selfReference) place(n plan.Node) string {
	for i, in := range n.Inputs() {
		if !s.reads(in) {
			continue
		}
		switch n := n.(type) {
		case *plan.Apply:
			if i == 1 && n.Kind != plan.Inner {
				return "within a subquery"
			}
		case *plan.Join:
			if n.Kind == plan.Full || n.Kind == plan.Left && i == 1 || n.Kind == plan.Right && i == 0 {
				return "within an outer join"
			}
			if i == 1 && n.Kind != plan.Inner && n.Kind != plan.Right {
				return "within a subquery"
			}
		case *plan.SetOp:
			if !n.Intersect {
				return "within EXCEPT"
			}
			return "within INTERSECT"
		}
		if where := s.place(in); where != "" {
			return where
		}
	}
	return ""
}

// aggregated reports whether the step aggregates over the rows of the round before; DISTINCT and GROUP BY alone may.
func (s *selfReference) aggregated(n plan.Node) bool {
	return plan.Any(n, func(n plan.Node) bool {
		a, ok := n.(*plan.Agg)
		return ok && len(a.Calls) > 0 && s.reads(a.Input)
	})
}

// stepColumns gives the rows of a round the types of the first one.
func (b *Binder) stepColumns(step, base plan.Node, union *ast.SetOp, name string) (plan.Node, error) {
	have, want := step.Schema(), base.Schema()
	if len(have) != len(want) {
		return nil, errs.ColumnCount.New("what", "each UNION query must have the same number of columns").At(int(itemPos(union.Right, 0)))
	}
	ts := make([]types.T, len(want))
	for i, f := range want {
		t, err := expr.CommonType("UNION", []types.T{f.Type, have[i].Type})
		if err != nil {
			return nil, at(err, itemPos(union.Right, i))
		}
		if !t.SameKind(f.Type) {
			return nil, errs.RecursionType.New("name", name, "n", i+1, "base", types.SQLName(f.Type), "overall", types.SQLName(t)).At(int(itemPos(union.Left, i)))
		}
		ts[i] = f.Type
	}
	return b.coerceColumns(step, ts, union.Right)
}
