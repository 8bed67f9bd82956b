package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// emitOnClose makes a query of EMIT ON WINDOW CLOSE: its rows are those of the query that no later row can change, which is
// a condition like any other. A column with a watermark says so once it is below: of a group by it, that it is whole; of a
// row over a window ordered by it, that the rows up to it are all there.
func (b *Binder) emitOnClose(n plan.Node) (plan.Node, error) {
	switch n := n.(type) {
	case *plan.Project, *plan.Filter, *plan.ProjectSet:
		in, err := b.emitOnClose(n.Inputs()[0])
		if err != nil {
			return nil, err
		}
		return n.WithInputs([]plan.Node{in}), nil
	case *plan.Window:
		return b.closedWindow(n)
	}
	of, err := b.marksOf(n)
	if err != nil {
		return nil, err
	}
	t, _ := n.(*plan.TopN) // rows of other partitions do not matter, others of the same do
	for i, m := range of {
		if len(m) > 0 && (t == nil || slices.Contains(t.Partition, i)) {
			return b.below(n, columnOf(n, i), m)
		}
	}
	return nil, errs.EmitNeedsWatermark.New()
}

func columnOf(n plan.Node, i int) *expr.Col {
	f := n.Schema()[i]
	return &expr.Col{Index: i, T: f.Type, Name: f.Name}
}

// below keeps the rows whose key is below all marks.
func (b *Binder) below(n plan.Node, key expr.Expr, of marks) (plan.Node, error) {
	var conds []expr.Expr
	for _, m := range of {
		cond, err := b.Funcs.Operator("<", key, m)
		if err != nil {
			return nil, err
		}
		conds = append(conds, cond)
	}
	return &plan.Filter{Input: n, Cond: expr.And(conds...)}, nil
}

// closedWindow keeps the rows of window functions whose values are final. Functions that look ahead get others beside them
// that tell the time of the last row they look at.
func (b *Binder) closedWindow(n *plan.Window) (plan.Node, error) {
	of, err := b.marksOf(n.Input)
	if err != nil {
		return nil, err
	}
	for _, p := range n.Partition {
		if len(of[p]) > 0 {
			return b.below(n, columnOf(n, p), of[p])
		}
	}
	if len(n.Order) == 0 || n.Order[0].Desc || len(of[n.Order[0].Col]) == 0 {
		return nil, errs.EmitNeedsWatermark.New()
	}
	c := closing{b: b, in: identity(n.Input), calls: slices.Clone(n.Calls), at: columnOf(n, n.Order[0].Col)}
	for _, call := range n.Calls {
		if err := c.call(call); err != nil {
			return nil, err
		}
	}
	return c.close(n, of[n.Order[0].Col])
}

// closing collects what has to be below a watermark before a row's window functions are final.
type closing struct {
	b     *Binder
	in    *plan.Project // of the window: what it has, and offsets
	calls []plan.WindowCall
	at    *expr.Col // the time of a row
	later []reach   // times that are later than that
}

// reach is the value of a call, the one after those of the query in order, and what is added to it; nil adds nothing. Without
// a call it is the time of the row.
type reach struct {
	call int // -1: none
	plus expr.Expr
}

// call finds how far ahead a function looks.
func (c *closing) call(w plan.WindowCall) error {
	switch w.Name {
	case "row_number", "rank", "dense_rank", "lag":
		return nil
	case "lead":
		if w.IgnoreNulls {
			return open("lead() IGNORE NULLS")
		}
		c.ahead(w.Args[1:min(2, len(w.Args))])
		return nil
	case "ntile", "percent_rank", "cume_dist":
		return open(w.Name + "()")
	}
	return c.frame(w.Frame)
}

func open(what string) error { return errs.EmitOpenFrame.New("what", what) }

// frame finds how far ahead a frame reaches.
func (c *closing) frame(f plan.Frame) error {
	end := f.End
	switch {
	case f.Mode == plan.FrameSession:
		c.add(plan.WindowCall{Name: "last_value", Args: []int{c.at.Index}, Frame: f}, &expr.Const{Value: f.Start.Offset, T: f.Start.T})
	case end.Kind < plan.Following:
	case end.Kind == plan.UnboundedFollowing || f.Mode == plan.FrameGroups:
		return open("a frame without a bound in time")
	case f.Mode == plan.FrameRange:
		c.later = append(c.later, reach{-1, &expr.Const{Value: end.Offset, T: end.T}})
	default:
		c.in.Exprs = append(c.in.Exprs, &expr.Const{Value: types.NewInt(end.Offset.Int()), T: types.Int4})
		c.in.Names = append(c.in.Names, "ahead")
		c.ahead([]int{len(c.in.Exprs) - 1})
	}
	return nil
}

// ahead adds the time of a row further on; offset is the column that tells how many, none for the next row.
func (c *closing) ahead(offset []int) {
	c.add(plan.WindowCall{Name: "lead", Args: append([]int{c.at.Index}, offset...)}, nil)
}

func (c *closing) add(w plan.WindowCall, plus expr.Expr) {
	w.T, w.Field = c.at.T, "closed"
	c.later = append(c.later, reach{len(c.calls), plus})
	c.calls = append(c.calls, w)
}

// close makes the window with its condition, and takes away what was added to it.
func (c *closing) close(n *plan.Window, of marks) (plan.Node, error) {
	wide := *n
	wide.Input, wide.Calls = c.in, c.calls
	first := len(c.in.Exprs) // call of the output
	out, err := c.b.below(&wide, c.at, of)
	for _, s := range c.later {
		var key expr.Expr = c.at
		if s.call >= 0 {
			key = columnOf(&wide, first+s.call)
		}
		if err == nil && s.plus != nil {
			key, err = c.b.Funcs.Operator("+", key, s.plus)
		}
		if err != nil {
			return nil, err
		}
		out, err = c.b.below(out, key, of)
	}
	if err != nil {
		return nil, err
	}
	width := len(n.Input.Schema())
	p := &plan.Project{Input: out}
	for i, f := range n.Schema() {
		at := i
		if i >= width {
			at += first - width
		}
		p.Exprs, p.Names = append(p.Exprs, &expr.Col{Index: at, T: f.Type, Name: f.Name}), append(p.Names, f.Name)
	}
	return p, nil
}
