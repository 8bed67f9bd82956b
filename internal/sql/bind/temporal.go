package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// processTime reports whether FOR SYSTEM_TIME AS OF names the time at which a row is processed.
func processTime(a *ast.AsOf) bool {
	if a == nil || a.Version {
		return false
	}
	call, ok := a.Expr.(*ast.FuncCall)
	return ok && call.Name.Schema() == "" && call.Name.Last() == "proctime" && len(call.Args) == 0
}

// temporalJoin binds l JOIN t FOR SYSTEM_TIME AS OF PROCTIME(): a join whose left rows meet the right ones of when they
// come. In a query that is now.
func (b *Binder) temporalJoin(j *ast.Join, ref *ast.TableRef, l plan.Node, ls, outer *scope) (plan.Node, *scope, error) {
	if kind := joinKinds[j.Kind]; kind != plan.Inner && kind != plan.Left || j.AsOf {
		return nil, nil, errs.TemporalJoinKind.New().At(int(j.Pos))
	}
	if _, ok := outer.findCTE(ref.Name.Last()); ok && ref.Name.Schema() == "" {
		return nil, nil, errs.TemporalJoinKey.New().At(int(ref.AsOf.Pos))
	}
	b.temporal = ref
	r, rs, err := b.table(ref, outer)
	b.temporal = nil
	if err != nil {
		return nil, nil, err
	}
	if _, stored := r.(*plan.Scan); !stored {
		return nil, nil, errs.TemporalJoinKey.New().At(int(ref.AsOf.Pos))
	}
	if err := distinctAliases(ls, rs); err != nil {
		return nil, nil, err
	}
	n, s, err := b.joined(j, l, r, ls, rs, outer, false)
	if err != nil {
		return nil, nil, err
	}
	return markTemporal(n), s, nil
}

// markTemporal marks the join below projections and filters.
func markTemporal(n plan.Node) plan.Node {
	switch n := n.(type) {
	case *plan.Join:
		j := *n
		j.Temporal = true
		return &j
	case *plan.Project, *plan.Filter:
		return n.WithInputs([]plan.Node{markTemporal(n.Inputs()[0])})
	}
	return n
}
