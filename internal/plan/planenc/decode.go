package planenc

import (
	"fmt"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// arity is how many inputs a kind of node has; -1 is any.
var arity = map[string]int{"scan": 0, "exchange": 0, "values": 0, "filter": 1, "timefilter": 1, "lookupjoin": 1, "project": 1, "projectset": 1, "join": 2, "agg": 1,
	"union": -1, "setop": 2, "topn": 1, "window": 1}

func (r Resolver) node(n *node) (plan.Node, error) {
	if want, ok := arity[n.Op]; !ok || want >= 0 && want != len(n.In) {
		return nil, fmt.Errorf("plan node %q with %d inputs is not known", n.Op, len(n.In))
	}
	in := make([]plan.Node, len(n.In))
	for i, c := range n.In {
		var err error
		if in[i], err = r.node(c); err != nil {
			return nil, err
		}
	}
	switch n.Op {
	case "scan":
		rel, ok := r.Catalog.Relation(n.Rel)
		if !ok {
			return nil, fmt.Errorf("relation %d is not in the catalog", n.Rel)
		}
		return &plan.Scan{Rel: rel, Cols: n.Cols}, nil
	case "exchange":
		x := &plan.Exchange{Fragment: n.Fragment, Keys: n.Keys, Fields: n.Fields}
		if n.HasKeys && x.Keys == nil {
			x.Keys = []int{}
		}
		return x, nil
	case "values":
		return r.values(n)
	case "filter":
		cond, err := r.expr(n.Cond)
		return &plan.Filter{Input: in[0], Cond: cond}, err
	case "timefilter":
		return r.timeFilter(n, in[0])
	case "lookupjoin":
		return r.lookupJoin(n, in[0])
	case "project":
		es, err := r.exprs(n.Exprs)
		return &plan.Project{Input: in[0], Exprs: es, Names: n.Names}, err
	case "projectset":
		sets, err := r.sets(n.Sets)
		return &plan.ProjectSet{Input: in[0], Calls: sets, Ordinality: n.Ordinality, Outer: n.Outer}, err
	case "join":
		return r.join(n, in)
	case "agg":
		calls, err := r.calls(n.Calls)
		return &plan.Agg{Input: in[0], Group: n.Cols, Calls: calls, Names: n.Names}, err
	case "union":
		return &plan.Union{Ins: in}, nil
	case "setop":
		return &plan.SetOp{Intersect: n.Intersect, All: n.All, Left: in[0], Right: in[1]}, nil
	case "topn":
		return &plan.TopN{Input: in[0], Partition: n.Partition, Order: n.Order, Limit: n.Limit, Offset: n.Offset, WithTies: n.Ties, RankCol: plan.Rank(n.Kind)}, nil
	}
	return r.window(n, in[0])
}

func (r Resolver) timeFilter(n *node, in plan.Node) (plan.Node, error) {
	if len(n.Bounds) != len(n.Exprs) {
		return nil, fmt.Errorf("a filter by time has %d bounds for %d keys", len(n.Bounds), len(n.Exprs))
	}
	bounds, err := r.exprs(n.Bounds)
	if err != nil {
		return nil, err
	}
	keys, err := r.exprs(n.Exprs)
	if err != nil {
		return nil, err
	}
	cond, err := r.expr(n.Cond)
	return &plan.TimeFilter{Input: in, Bounds: bounds, Keys: keys, Cond: cond}, err
}

func (r Resolver) lookupJoin(n *node, in plan.Node) (plan.Node, error) {
	rel, ok := r.Catalog.Relation(n.Rel)
	if !ok {
		return nil, fmt.Errorf("relation %d is not in the catalog", n.Rel)
	}
	if len(n.LeftKeys) == 0 || len(n.LeftKeys) > len(rel.Key) {
		return nil, fmt.Errorf("a look-up has %d keys of %d", len(n.LeftKeys), len(rel.Key))
	}
	j := &plan.LookupJoin{Input: in, Kind: plan.Kind(n.Kind), Rel: rel, Cols: n.Cols, Keys: n.LeftKeys}
	if n.Cond == nil {
		return j, nil
	}
	var err error
	j.Cond, err = r.expr(n.Cond)
	return j, err
}

func (r Resolver) values(n *node) (plan.Node, error) {
	out := &plan.Values{Fields: n.Fields}
	for _, row := range n.Rows {
		es, err := r.exprs(row)
		if err != nil {
			return nil, err
		}
		out.Rows = append(out.Rows, es)
	}
	return out, nil
}

func (r Resolver) join(n *node, in []plan.Node) (plan.Node, error) {
	j := &plan.Join{Kind: plan.Kind(n.Kind), Left: in[0], Right: in[1], LeftKeys: n.LeftKeys, RightKeys: n.RightKeys, NullSafe: n.NullSafe}
	if n.Cond == nil {
		return j, nil
	}
	var err error
	j.Cond, err = r.expr(n.Cond)
	return j, err
}

func (r Resolver) window(n *node, in plan.Node) (plan.Node, error) {
	w := &plan.Window{Input: in, Partition: n.Partition, Order: n.Order}
	for _, c := range n.Windows {
		out := plan.WindowCall{Name: c.Name, Args: c.Args, T: c.T, Field: c.Field, IgnoreNulls: c.IgnoreNulls, Frame: plan.Frame{Mode: c.Frame.Mode, Exclude: c.Frame.Exclude,
			Start: c.Frame.Start.decode(), End: c.Frame.End.decode()}}
		if c.Agg != nil {
			calls, err := r.calls([]call{*c.Agg})
			if err != nil {
				return nil, err
			}
			out.Agg = &calls[0]
		}
		w.Calls = append(w.Calls, out)
	}
	return w, nil
}

func (b bound) decode() plan.Bound {
	return plan.Bound{Kind: b.Kind, Offset: b.Offset.decode(b.T), T: b.T}
}

func (r Resolver) calls(cs []call) ([]agg.Call, error) {
	var out []agg.Call
	for _, c := range cs {
		fn, err := r.aggregate(c.Fn)
		if err != nil {
			return nil, err
		}
		if len(c.Direct) != len(c.DirectTs) {
			return nil, fmt.Errorf("aggregate %s has %d direct arguments of %d types", c.Fn, len(c.Direct), len(c.DirectTs))
		}
		a := agg.Call{Args: c.Cols, Distinct: c.Distinct, Filter: c.Filter, OrderBy: c.OrderBy, T: c.T, DirectTs: c.DirectTs}
		for i, d := range c.Direct {
			a.Direct = append(a.Direct, d.decode(c.DirectTs[i]))
		}
		if a.Fn = fn; len(a.Direct) > 0 {
			if a.Fn, err = fn.WithDirect(a.Direct, a.DirectTs); err != nil {
				return nil, err
			}
		}
		out = append(out, a)
	}
	return out, nil
}

// aggregate finds an overload; the one behind scalar subqueries is in no registry.
func (r Resolver) aggregate(id string) (*agg.Func, error) {
	if id == agg.OnlyValue.ID() {
		return agg.OnlyValue, nil
	}
	return r.Aggs.ByID(id)
}

func (r Resolver) sets(cs []setCall) ([]plan.SetCall, error) {
	var out []plan.SetCall
	for _, c := range cs {
		fn, err := r.Funcs.SetByID(c.Fn)
		if err != nil {
			return nil, err
		}
		args, err := r.exprs(c.Args)
		if err != nil {
			return nil, err
		}
		out = append(out, plan.SetCall{Fn: fn, Args: args, Fields: c.Fields})
	}
	return out, nil
}

func (r Resolver) exprs(ss []*scalar) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(ss))
	for i, s := range ss {
		var err error
		if out[i], err = r.expr(s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r Resolver) expr(s *scalar) (expr.Expr, error) {
	if s == nil {
		return nil, fmt.Errorf("an expression is missing")
	}
	args, err := r.exprs(s.Args)
	if err != nil {
		return nil, err
	}
	switch s.Op {
	case "col":
		return &expr.Col{Index: s.Index, T: s.T, Name: s.Name}, nil
	case "const":
		if s.Value == nil {
			return nil, fmt.Errorf("a constant has no value")
		}
		return &expr.Const{Value: s.Value.decode(s.T), T: s.T}, nil
	case "call":
		fn, err := r.Funcs.ByID(s.Name)
		if err != nil {
			return nil, err
		}
		return &expr.Call{Fn: fn, Args: args, T: s.T}, nil
	case "logic":
		return &expr.Logic{Or: s.Or, Args: args}, nil
	case "coalesce":
		return &expr.Coalesce{Args: args, T: s.T}, nil
	case "case":
		return decodeCase(s, args)
	case "quantified":
		if len(args) != 2 {
			return nil, fmt.Errorf("a quantified comparison has %d parts", len(args))
		}
		return r.Funcs.Quantified(s.Name, s.All, args[0], args[1])
	case "transform":
		body, err := r.expr(s.Body)
		if err != nil {
			return nil, err
		}
		if len(args) == 0 || args[0].Type().Kind != types.KindArray {
			return nil, fmt.Errorf("a transformation has no array")
		}
		return &expr.Transform{Array: args[0], Body: body, Captured: args[1:]}, nil
	}
	return nil, fmt.Errorf("expression %q is not known", s.Op)
}

func decodeCase(s *scalar, args []expr.Expr) (expr.Expr, error) {
	c := &expr.Case{T: s.T}
	if s.Or {
		if len(args) == 0 {
			return nil, fmt.Errorf("a CASE has no parts")
		}
		c.Else, args = args[len(args)-1], args[:len(args)-1]
	}
	if len(args)%2 != 0 {
		return nil, fmt.Errorf("a CASE has an odd number of parts")
	}
	for i := 0; i < len(args); i += 2 {
		c.Whens = append(c.Whens, expr.When{Cond: args[i], Then: args[i+1]})
	}
	return c, nil
}

func (d datum) decode(t types.T) types.Datum {
	if d.Null {
		return types.Null
	}
	switch t.Phys() {
	case types.PhysBool:
		return types.NewBool(d.B)
	case types.PhysInt:
		return types.NewInt(d.I)
	case types.PhysFloat:
		f, _ := strconv.ParseFloat(d.F, 64) // what Encode wrote
		return types.NewFloat(f)
	}
	return types.NewBytes(string(d.S))
}
