package plan

import "slices"

// Any reports whether a node of the tree is as wanted.
func Any(n Node, is func(Node) bool) bool {
	return is(n) || slices.ContainsFunc(n.Inputs(), func(in Node) bool { return Any(in, is) })
}

// MapInputs returns the node over what f makes of its inputs.
func MapInputs(n Node, f func(Node) Node) Node {
	ins := n.Inputs()
	if len(ins) == 0 {
		return n
	}
	out := make([]Node, len(ins))
	for i, in := range ins {
		out[i] = f(in)
	}
	return n.WithInputs(out)
}
