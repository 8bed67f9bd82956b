package opt

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// lookupJoins makes look-ups of temporal joins: of the relation itself, or of an index on it.
func lookupJoins(n plan.Node, o Options) (plan.Node, error) {
	ins := slices.Clone(n.Inputs())
	for i := range ins {
		var err error
		if ins[i], err = lookupJoins(ins[i], o); err != nil {
			return nil, err
		}
	}
	if len(ins) > 0 {
		n = n.WithInputs(ins)
	}
	j, ok := n.(*plan.Join)
	if !ok || !j.Temporal {
		return n, nil
	}
	if j.Kind != plan.Inner && j.Kind != plan.Left {
		return nil, errs.TemporalJoinKind.New()
	}
	if !plan.AppendOnly(j.Left) {
		return nil, errs.TemporalJoinInput.New()
	}
	s, ok := j.Right.(*plan.Scan)
	if !ok {
		return nil, errs.TemporalJoinKey.New()
	}
	best := lookupBy(j, s, o.Funcs)
	if o.Indexes != nil {
		for _, ix := range o.Indexes(s.Rel) {
			on, ok := throughIndex(s, ix)
			if !ok {
				continue
			}
			if l := lookupBy(j, on, o.Funcs); l != nil && (best == nil || len(l.Keys) > len(best.Keys)) {
				best = l
			}
		}
	}
	if best == nil {
		return nil, errs.TemporalJoinKey.New()
	}
	return best, nil
}

// lookupBy joins by the leading key columns of a relation that are equated, if that leads to one vnode; what else is
// equated is a condition. nil: it does not.
func lookupBy(j *plan.Join, s *plan.Scan, funcs *expr.Registry) *plan.LookupJoin {
	l := &plan.LookupJoin{Input: j.Left, Kind: j.Kind, Rel: s.Rel, Cols: s.Cols}
	used := make([]bool, len(j.RightKeys))
	for _, k := range s.Rel.Key {
		i := slices.IndexFunc(j.RightKeys, func(c int) bool { return s.Cols[c] == k })
		if i < 0 || i < len(j.NullSafe) && j.NullSafe[i] {
			break
		}
		l.Keys, used[i] = append(l.Keys, j.LeftKeys[i]), true
	}
	found := s.Rel.Key[:len(l.Keys)]
	if len(found) == 0 || slices.ContainsFunc(s.Rel.DistKey, func(c int) bool { return !slices.Contains(found, c) }) {
		return nil
	}
	conds, err := equations(j, used, funcs)
	if err != nil {
		return nil
	}
	if conds = append(conds, expr.Conjuncts(j.Cond)...); len(conds) > 0 {
		l.Cond = expr.And(conds...)
	}
	return l
}

// equations states the keys of a join that were not used.
func equations(j *plan.Join, used []bool, funcs *expr.Registry) (conds []expr.Expr, err error) {
	l, r := j.Left.Schema(), j.Right.Schema()
	for i := range used {
		if used[i] {
			continue
		}
		lk, rk := j.LeftKeys[i], j.RightKeys[i]
		sides := []expr.Expr{&expr.Col{Index: lk, T: l[lk].Type, Name: l[lk].Name}, &expr.Col{Index: len(l) + rk, T: r[rk].Type, Name: r[rk].Name}}
		var eq expr.Expr
		if i < len(j.NullSafe) && j.NullSafe[i] {
			eq, err = funcs.Distinct(true, sides[0], sides[1])
		} else {
			eq, err = funcs.Operator("=", sides...)
		}
		if err != nil {
			return nil, err
		}
		conds = append(conds, eq)
	}
	return conds, nil
}
