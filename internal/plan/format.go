package plan

import (
	"fmt"
	"strings"

	"github.com/tidemark-db/tidemark/internal/expr"
)

// Format prints a plan, one node a line, inputs indented below.
func Format(n Node) string {
	var b strings.Builder
	format(&b, n, 0)
	return b.String()
}

func format(b *strings.Builder, n Node, depth int) {
	fmt.Fprintf(b, "%s%s\n", strings.Repeat("  ", depth), describe(n))
	for _, in := range n.Inputs() {
		format(b, in, depth+1)
	}
}

// describe is a node in one line.
func describe(n Node) string {
	switch n := n.(type) {
	case *Scan:
		return "Scan " + n.Rel.Qualified() + " " + fieldNames(n)
	case *Values:
		return fmt.Sprintf("Values %d rows", len(n.Rows))
	case *Filter:
		return "Filter " + expr.String(n.Cond)
	case *Project:
		parts := make([]string, len(n.Exprs))
		for i, e := range n.Exprs {
			parts[i] = expr.String(e)
		}
		return "Project " + strings.Join(parts, ", ")
	case *ProjectSet:
		return fmt.Sprintf("ProjectSet %d calls", len(n.Calls))
	case *Join:
		return joinLine(n)
	case *Agg:
		return "Agg group=" + fmt.Sprint(n.Group) + " calls=" + strings.Join(n.Names, ", ")
	case *Union:
		return "Union"
	case *SetOp:
		return fmt.Sprintf("SetOp intersect=%t all=%t", n.Intersect, n.All)
	case *TopN:
		return fmt.Sprintf("TopN partition=%v order=%v limit=%d offset=%d", n.Partition, n.Order, n.Limit, n.Offset)
	case *Window:
		return fmt.Sprintf("Window partition=%v order=%v", n.Partition, n.Order)
	case *Sort:
		return fmt.Sprintf("Sort %v", n.Order)
	case *Limit:
		return fmt.Sprintf("Limit %d offset %d", n.Limit, n.Offset)
	case *Exchange:
		return fmt.Sprintf("Exchange fragment=%d keys=%v", n.Fragment, n.Keys)
	}
	return fmt.Sprintf("%T", n)
}

func joinLine(n *Join) string {
	kind := [...]string{"inner", "left", "right", "full", "semi", "anti", "null anti"}[n.Kind]
	s := fmt.Sprintf("Join %s keys=%v=%v", kind, n.LeftKeys, n.RightKeys)
	if n.Cond != nil {
		s += " cond=" + expr.String(n.Cond)
	}
	return s
}

func fieldNames(n Node) string {
	var names []string
	for _, f := range n.Schema() {
		names = append(names, f.Name)
	}
	return "(" + strings.Join(names, ", ") + ")"
}
