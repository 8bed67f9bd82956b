package plan

import "github.com/tidemark-db/tidemark/internal/types"

func (n *Scan) Schema() []types.Field {
	out := make([]types.Field, len(n.Cols))
	for i, c := range n.Cols {
		out[i] = types.Field{Name: n.Rel.Columns[c].Name, Type: n.Rel.Columns[c].Type}
	}
	return out
}

func (n *Values) Schema() []types.Field { return n.Fields }
func (n *Filter) Schema() []types.Field { return n.Input.Schema() }

func (n *Project) Schema() []types.Field {
	out := make([]types.Field, len(n.Exprs))
	for i, e := range n.Exprs {
		out[i] = types.Field{Name: n.Names[i], Type: e.Type()}
	}
	return out
}

func (n *ProjectSet) Schema() []types.Field {
	out := append([]types.Field{}, n.Input.Schema()...)
	for _, c := range n.Calls {
		out = append(out, c.Fields...)
	}
	if n.Ordinality {
		out = append(out, types.Field{Name: "ordinality", Type: types.Int8})
	}
	return out
}

func (n *Join) Schema() []types.Field {
	if n.Kind == Semi || n.Kind == Anti || n.Kind == NullAnti {
		return n.Left.Schema()
	}
	return append(append([]types.Field{}, n.Left.Schema()...), n.Right.Schema()...)
}

func (n *Agg) Schema() []types.Field {
	in := n.Input.Schema()
	out := make([]types.Field, 0, len(n.Group)+len(n.Calls))
	for _, g := range n.Group {
		out = append(out, in[g])
	}
	for i, c := range n.Calls {
		out = append(out, types.Field{Name: n.Names[i], Type: c.T})
	}
	return out
}

func (n *Union) Schema() []types.Field { return n.Ins[0].Schema() }
func (n *SetOp) Schema() []types.Field { return n.Left.Schema() }

func (n *TopN) Schema() []types.Field {
	if n.RankCol == None {
		return n.Input.Schema()
	}
	return append(append([]types.Field{}, n.Input.Schema()...), types.Field{Name: "rank", Type: types.Int8})
}

func (n *Window) Schema() []types.Field {
	out := append([]types.Field{}, n.Input.Schema()...)
	for _, c := range n.Calls {
		out = append(out, types.Field{Name: c.Field, Type: c.T})
	}
	return out
}

func (n *Sort) Schema() []types.Field  { return n.Input.Schema() }
func (n *Limit) Schema() []types.Field { return n.Input.Schema() }

func (n *Apply) Schema() []types.Field {
	if n.Kind == Semi || n.Kind == Anti || n.Kind == NullAnti {
		return n.Left.Schema()
	}
	return append(append([]types.Field{}, n.Left.Schema()...), n.Right.Schema()...)
}

func (n *Scan) Inputs() []Node       { return nil }
func (n *Values) Inputs() []Node     { return nil }
func (n *Filter) Inputs() []Node     { return []Node{n.Input} }
func (n *Project) Inputs() []Node    { return []Node{n.Input} }
func (n *ProjectSet) Inputs() []Node { return []Node{n.Input} }
func (n *Join) Inputs() []Node       { return []Node{n.Left, n.Right} }
func (n *Agg) Inputs() []Node        { return []Node{n.Input} }
func (n *Union) Inputs() []Node      { return n.Ins }
func (n *SetOp) Inputs() []Node      { return []Node{n.Left, n.Right} }
func (n *TopN) Inputs() []Node       { return []Node{n.Input} }
func (n *Window) Inputs() []Node     { return []Node{n.Input} }
func (n *Sort) Inputs() []Node       { return []Node{n.Input} }
func (n *Limit) Inputs() []Node      { return []Node{n.Input} }
func (n *Apply) Inputs() []Node      { return []Node{n.Left, n.Right} }

func (n *Scan) WithInputs([]Node) Node   { return n }
func (n *Values) WithInputs([]Node) Node { return n }

func (n *Filter) WithInputs(in []Node) Node     { c := *n; c.Input = in[0]; return &c }
func (n *Project) WithInputs(in []Node) Node    { c := *n; c.Input = in[0]; return &c }
func (n *ProjectSet) WithInputs(in []Node) Node { c := *n; c.Input = in[0]; return &c }
func (n *Join) WithInputs(in []Node) Node       { c := *n; c.Left, c.Right = in[0], in[1]; return &c }
func (n *Agg) WithInputs(in []Node) Node        { c := *n; c.Input = in[0]; return &c }
func (n *Union) WithInputs(in []Node) Node      { return &Union{Ins: in} }
func (n *SetOp) WithInputs(in []Node) Node      { c := *n; c.Left, c.Right = in[0], in[1]; return &c }
func (n *TopN) WithInputs(in []Node) Node       { c := *n; c.Input = in[0]; return &c }
func (n *Window) WithInputs(in []Node) Node     { c := *n; c.Input = in[0]; return &c }
func (n *Sort) WithInputs(in []Node) Node       { c := *n; c.Input = in[0]; return &c }
func (n *Limit) WithInputs(in []Node) Node      { c := *n; c.Input = in[0]; return &c }
func (n *Apply) WithInputs(in []Node) Node      { c := *n; c.Left, c.Right = in[0], in[1]; return &c }
