package opt

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// lookup makes look-ups of scans below equalities on leading key columns, of the relation itself or of an index on it.
func lookup(n plan.Node, o Options) plan.Node {
	if !o.Once {
		return n
	}
	if f, ok := n.(*plan.Filter); ok {
		if s, ok := f.Input.(*plan.Scan); ok && s.Rel.Job != 0 {
			return lookupIn(f, s, o)
		}
	}
	return plan.MapInputs(n, func(in plan.Node) plan.Node { return lookup(in, o) })
}

// lookupIn chooses where to look: where most of the key is known, the relation itself among equals.
func lookupIn(f *plan.Filter, s *plan.Scan, o Options) plan.Node {
	conds := expr.Conjuncts(f.Cond)
	best, used := keyed(s, conds)
	if o.Indexes != nil && (best == nil || len(best.Key) < len(s.Rel.Key)) {
		for _, ix := range o.Indexes(s.Rel) {
			on, ok := throughIndex(s, ix)
			if !ok {
				continue
			}
			if l, u := keyed(on, conds); l != nil && (best == nil || len(l.Key) > len(best.Key)) {
				best, used = l, u
			}
		}
	}
	if best == nil {
		return f
	}
	var rest []expr.Expr
	for i, c := range conds {
		if !used[i] {
			rest = append(rest, c)
		}
	}
	return filter(best, rest)
}

// throughIndex reads the same columns from an index; ok is false when it lacks one.
func throughIndex(s *plan.Scan, ix *catalog.Relation) (out *plan.Scan, ok bool) {
	out = &plan.Scan{Rel: ix}
	for _, c := range s.Cols {
		col := s.Rel.Columns[c]
		i := slices.IndexFunc(ix.Columns, func(x catalog.Column) bool { return x.Name == col.Name && x.Type.Equal(col.Type) })
		if i < 0 {
			return nil, false
		}
		out.Cols = append(out.Cols, i)
	}
	return out, true
}

// keyed finds the equalities that fix leading columns of the key; used marks their conditions. nil: not even the first.
func keyed(s *plan.Scan, conds []expr.Expr) (l *plan.Lookup, used []bool) {
	l, used = &plan.Lookup{Rel: s.Rel, Cols: s.Cols}, make([]bool, len(conds))
	for _, k := range s.Rel.Key {
		at := slices.Index(s.Cols, k)
		i := -1
		var value expr.Expr
		for j := 0; j < len(conds) && at >= 0 && i < 0; j++ {
			if v, ok := equated(conds[j], at); ok {
				i, value = j, v
			}
		}
		if i < 0 {
			break
		}
		l.Key, used[i] = append(l.Key, value), true
	}
	if len(l.Key) == 0 {
		return nil, nil
	}
	return l, used
}

// equated returns the value that a condition demands of a column, if it is the same for all rows and finding it by key
// is the same as comparing.
func equated(c expr.Expr, col int) (value expr.Expr, ok bool) {
	call, isCall := c.(*expr.Call)
	if !isCall || call.Fn.Name != "=" || len(call.Args) != 2 {
		return nil, false
	}
	for i, side := range call.Args {
		x, isCol := sameKey(side).(*expr.Col)
		other := call.Args[1-i]
		if isCol && x.Index == col && comparesAsKey(side.Type(), other.Type()) &&
			len(expr.Columns(other)) == 0 && expr.VolatilityOf(other) != expr.Volatile {
			return other, true
		}
	}
	return nil, false
}

// sameKey looks through casts that leave a value's key as it is: to a wider integer, from varchar to text.
func sameKey(e expr.Expr) expr.Expr {
	c, ok := e.(*expr.Call)
	if !ok || c.Fn.Kind != expr.KindCast || len(c.Args) == 0 {
		return e
	}
	from, to := c.Args[0].Type(), c.T
	switch {
	case integer(from) && integer(to) && types.Size(from) <= types.Size(to):
		return c.Args[0]
	case from.Kind == types.KindVarchar && to.Kind == types.KindText:
		return c.Args[0]
	}
	return e
}

// comparesAsKey reports whether values of two types are equal if and only if their keys are.
func comparesAsKey(a, b types.T) bool {
	return a.SameKind(b) || integer(a) && integer(b) || characters(a) && characters(b)
}

func integer(t types.T) bool {
	return t.Kind == types.KindInt2 || t.Kind == types.KindInt4 || t.Kind == types.KindInt8
}

func characters(t types.T) bool { return t.Kind == types.KindText || t.Kind == types.KindVarchar }
