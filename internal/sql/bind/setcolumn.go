package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// setUse is a set-returning function of the select list. One whose arguments have others in them runs over their rows:
// its depth is one more than theirs.
type setUse struct {
	call  plan.SetCall
	depth int
}

// setColumn records a set-returning function of the select list; one of several columns gives a row.
func (c context) setColumn(e *ast.FuncCall, args []expr.Expr) (expr.Expr, error) {
	if c.sel == nil || c.where != "" || c.inAgg || c.inWindow {
		return nil, errs.SetMisplaced.New("where", c.place()).At(int(e.Pos))
	}
	call, _, err := c.b.setCall(e, args)
	if err != nil {
		return nil, err
	}
	x := c.sel
	use := setUse{call: call}
	for _, a := range args {
		expr.Walk(a, func(a expr.Expr) bool {
			if p, ok := a.(*placeholder); ok && p.stage == stageSet {
				use.depth = max(use.depth, x.sets[p.i].depth+1)
			}
			return true
		})
	}
	x.sets = append(x.sets, use)
	i := len(x.sets) - 1
	if len(call.Fields) == 1 {
		return &placeholder{stage: stageSet, i: i, t: call.Fields[0].Type}, nil
	}
	var names []string
	var cols []expr.Expr
	for k, f := range call.Fields {
		names, cols = append(names, f.Name), append(cols, &placeholder{stage: stageSet, i: i, col: k, t: f.Type})
	}
	return c.b.Funcs.Row(names, cols), nil
}

// setStage runs the set-returning functions of the select list, those of one depth side by side; their columns follow those
// of the input.
func (x *selection) setStage(n plan.Node) plan.Node {
	deepest := slices.MaxFunc(x.sets, func(a, b setUse) int { return a.depth - b.depth }).depth
	for depth := 0; depth <= deepest; depth++ {
		ps := &plan.ProjectSet{Input: n}
		width := len(n.Schema())
		at := map[int]int{}
		for i, u := range x.sets {
			if u.depth == depth {
				at[i] = width
				width += len(u.call.Fields)
				ps.Calls = append(ps.Calls, u.call)
			}
		}
		x.replace(stageSet, func(p *placeholder) expr.Expr {
			if first, ok := at[p.i]; ok {
				return &expr.Col{Index: first + p.col, T: p.t}
			}
			return p
		})
		n = ps
	}
	return n
}
