package planenc

import (
	"fmt"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

func encodeNode(n plan.Node) (*node, error) {
	out := &node{}
	for _, in := range n.Inputs() {
		c, err := encodeNode(in)
		if err != nil {
			return nil, err
		}
		out.In = append(out.In, c)
	}
	var err error
	switch n := n.(type) {
	case *plan.Scan:
		out.Op, out.Rel, out.Cols = "scan", n.Rel.ID, n.Cols
	case *plan.Exchange:
		out.Op, out.Fragment, out.Keys, out.HasKeys, out.Fields = "exchange", n.Fragment, n.Keys, n.Keys != nil, n.Fields
	case *plan.Values:
		err = encodeValues(n, out)
	case *plan.Filter:
		out.Op = "filter"
		out.Cond, err = encodeExpr(n.Cond)
	case *plan.TimeFilter:
		err = encodeTimeFilter(n, out)
	case *plan.Project:
		out.Op, out.Names = "project", n.Names
		out.Exprs, err = encodeExprs(n.Exprs)
	case *plan.ProjectSet:
		out.Op, out.Ordinality, out.Outer = "projectset", n.Ordinality, n.Outer
		out.Sets, err = encodeSets(n.Calls)
	case *plan.Join:
		out.Op, out.Kind, out.LeftKeys, out.RightKeys, out.NullSafe = "join", int(n.Kind), n.LeftKeys, n.RightKeys, n.NullSafe
		if n.Cond != nil {
			out.Cond, err = encodeExpr(n.Cond)
		}
	case *plan.LookupJoin:
		err = encodeLookupJoin(n, out)
	case *plan.Agg:
		out.Op, out.Cols, out.Names = "agg", n.Group, n.Names
		for _, c := range n.Calls {
			out.Calls = append(out.Calls, encodeCall(c))
		}
	case *plan.Union:
		out.Op = "union"
	case *plan.SetOp:
		out.Op, out.Intersect, out.All = "setop", n.Intersect, n.All
	case *plan.TopN:
		out.Op, out.Partition, out.Order, out.Limit, out.Offset, out.Ties, out.Kind = "topn", n.Partition, n.Order, n.Limit, n.Offset, n.WithTies, int(n.RankCol)
	case *plan.Window:
		out.Op, out.Partition, out.Order = "window", n.Partition, n.Order
		for _, c := range n.Calls {
			out.Windows = append(out.Windows, encodeWindow(c))
		}
	default:
		return nil, fmt.Errorf("a plan with %T cannot be stored", n)
	}
	return out, err
}

func encodeValues(n *plan.Values, out *node) error {
	out.Op, out.Fields = "values", n.Fields
	for _, row := range n.Rows {
		es, err := encodeExprs(row)
		if err != nil {
			return err
		}
		out.Rows = append(out.Rows, es)
	}
	return nil
}

func encodeTimeFilter(n *plan.TimeFilter, out *node) (err error) {
	out.Op = "timefilter"
	if out.Bounds, err = encodeExprs(n.Bounds); err != nil {
		return err
	}
	if out.Exprs, err = encodeExprs(n.Keys); err != nil {
		return err
	}
	out.Cond, err = encodeExpr(n.Cond)
	return err
}

func encodeLookupJoin(n *plan.LookupJoin, out *node) (err error) {
	out.Op, out.Kind, out.Rel, out.Cols, out.LeftKeys = "lookupjoin", int(n.Kind), n.Rel.ID, n.Cols, n.Keys
	if n.Cond != nil {
		out.Cond, err = encodeExpr(n.Cond)
	}
	return err
}

func encodeCall(c agg.Call) call {
	out := call{Fn: c.Fn.ID(), Cols: c.Args, Distinct: c.Distinct, Filter: c.Filter, OrderBy: c.OrderBy, T: c.T, DirectTs: c.DirectTs}
	for i, d := range c.Direct {
		out.Direct = append(out.Direct, encodeDatum(c.DirectTs[i], d))
	}
	return out
}

func encodeWindow(c plan.WindowCall) windowCall {
	out := windowCall{Name: c.Name, Args: c.Args, T: c.T, Field: c.Field, IgnoreNulls: c.IgnoreNulls, Frame: frame{Mode: c.Frame.Mode, Exclude: c.Frame.Exclude,
		Start: encodeBound(c.Frame.Start), End: encodeBound(c.Frame.End)}}
	if c.Agg != nil {
		a := encodeCall(*c.Agg)
		out.Agg = &a
	}
	return out
}

func encodeBound(b plan.Bound) bound { return bound{b.Kind, encodeDatum(b.T, b.Offset), b.T} }

func encodeSets(calls []plan.SetCall) ([]setCall, error) {
	var out []setCall
	for _, c := range calls {
		args, err := encodeExprs(c.Args)
		if err != nil {
			return nil, err
		}
		out = append(out, setCall{c.Fn.ID(), args, c.Fields})
	}
	return out, nil
}

func encodeExprs(es []expr.Expr) ([]*scalar, error) {
	out := make([]*scalar, len(es))
	for i, e := range es {
		var err error
		if out[i], err = encodeExpr(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func encodeExpr(e expr.Expr) (*scalar, error) {
	out := &scalar{T: e.Type()}
	var err error
	switch e := e.(type) {
	case *expr.Col:
		out.Op, out.Index, out.Name = "col", e.Index, e.Name
		return out, nil
	case *expr.Const:
		d := encodeDatum(e.T, e.Value)
		out.Op, out.Value = "const", &d
		return out, nil
	case *expr.Call:
		out.Op, out.Name = "call", e.Fn.ID()
	case *expr.Logic:
		out.Op, out.Or = "logic", e.Or
	case *expr.Coalesce:
		out.Op = "coalesce"
	case *expr.Case:
		out.Op, out.Or = "case", e.Else != nil
	case *expr.Quantified:
		out.Op, out.Name, out.All = "quantified", e.Fn.Name, e.All
	case *expr.Transform:
		out.Op = "transform"
		if out.Body, err = encodeExpr(e.Body); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("an expression of %T cannot be stored", e)
	}
	out.Args, err = encodeExprs(expr.Children(e))
	return out, err
}

func encodeDatum(t types.T, d types.Datum) datum {
	if d.IsNull() {
		return datum{Null: true}
	}
	switch t.Phys() {
	case types.PhysBool:
		return datum{B: d.Bool()}
	case types.PhysInt:
		return datum{I: d.Int()}
	case types.PhysFloat:
		return datum{F: strconv.FormatFloat(d.Float(), 'x', -1, 64)}
	}
	return datum{S: []byte(d.Bytes())}
}
