package plan

import (
	"fmt"
	"strings"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Format prints a plan, one node a line, inputs indented below.
func Format(n Node) string {
	return FormatWith(n, func(Node) string { return "" })
}

// FormatWith is Format with a note behind the line of each node.
func FormatWith(n Node, note func(Node) string) string {
	var b strings.Builder
	format(&b, n, 0, note)
	return b.String()
}

// Line is a node in one line, without its inputs.
func Line(n Node) string { return describe(n) }

func format(b *strings.Builder, n Node, depth int, note func(Node) string) {
	fmt.Fprintf(b, "%s%s%s\n", strings.Repeat("  ", depth), describe(n), note(n))
	for _, in := range n.Inputs() {
		format(b, in, depth+1, note)
	}
}

// describe is a node in one line. Expressions print columns by name, lists of columns too.
func describe(n Node) string {
	switch n := n.(type) {
	case *Scan:
		return "Scan " + n.Rel.Qualified() + " (" + names(n, allColumns(n)) + ")"
	case *Lookup:
		return lookupLine(n)
	case *Given:
		return givenLine(n)
	case *Values:
		return valuesLine(n)
	case *Filter:
		return "Filter " + expr.String(n.Cond)
	case *LookupJoin:
		return lookupJoinLine(n)
	case *TimeFilter:
		return timeFilterLine(n)
	case *Project:
		return projectLine(n)
	case *ProjectSet:
		return projectSetLine(n)
	case *Join:
		return joinLine(n)
	case *Apply:
		return clause("Apply "+n.Kind.String(), "on", exprOrEmpty(n.Cond)) + flag(n.Scalar, "scalar")
	case *Agg:
		return aggLine(n)
	case *Recursive:
		return "Recursive" + flag(n.All, "all")
	case *Union:
		return "Union"
	case *SetOp:
		return map[bool]string{true: "Intersect", false: "Except"}[n.Intersect] + flag(n.All, "all")
	case *TopN:
		return topNLine(n)
	case *Window:
		return windowLine(n)
	case *Sort:
		return "Sort " + orders(n.Input, n.Order)
	case *Limit:
		return limitLine(n)
	case *Exchange:
		return fmt.Sprintf("Exchange fragment=%d keys=%v", n.Fragment, n.Keys)
	}
	return fmt.Sprintf("%T", n)
}

// String names the kind as EXPLAIN prints it.
func (k JoinKind) String() string {
	return [...]string{"inner", "left", "right", "full", "semi", "anti", "null-aware anti"}[k]
}

func clause(line, word, text string) string {
	switch {
	case text == "":
		return line
	case word == "":
		return line + " " + text
	}
	return line + " " + word + " " + text
}

func flag(on bool, word string) string {
	if on {
		return " " + word
	}
	return ""
}

func exprOrEmpty(e expr.Expr) string {
	if e == nil {
		return ""
	}
	return expr.String(e)
}

func valuesLine(n *Values) string {
	rows := make([]string, 0, len(n.Rows))
	for _, r := range n.Rows {
		rows = append(rows, "("+exprList(r)+")")
		if len(rows) == valuesShown {
			rows = append(rows, fmt.Sprintf("... %d rows", len(n.Rows)))
			break
		}
	}
	return clause("Values", "", strings.Join(rows, ", "))
}

// valuesShown is how many rows of a VALUES are printed.
const valuesShown = 8

func exprList(es []expr.Expr) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = expr.String(e)
	}
	return strings.Join(parts, ", ")
}

func projectLine(n *Project) string {
	parts := make([]string, len(n.Exprs))
	for i, e := range n.Exprs {
		parts[i] = expr.String(e)
		if parts[i] != n.Names[i] {
			parts[i] += " AS " + n.Names[i]
		}
	}
	return "Project " + strings.Join(parts, ", ")
}

func projectSetLine(n *ProjectSet) string {
	parts := make([]string, len(n.Calls))
	for i, c := range n.Calls {
		parts[i] = c.Fn.Name + "(" + exprList(c.Args) + ")"
	}
	return "ProjectSet " + strings.Join(parts, ", ") + flag(n.Ordinality, "with ordinality") + flag(n.Outer, "outer")
}

func joinLine(n *Join) string {
	l, r := n.Left.Schema(), n.Right.Schema()
	var conds []string
	for i := range n.LeftKeys {
		op := " = "
		if i < len(n.NullSafe) && n.NullSafe[i] {
			op = " is not distinct from "
		}
		conds = append(conds, columnName(l, n.LeftKeys[i])+op+columnName(r, n.RightKeys[i]))
	}
	return clause(clause("Join "+n.Kind.String(), "on", strings.Join(conds, ", ")), "where", exprOrEmpty(n.Cond))
}

func aggLine(n *Agg) string {
	parts := make([]string, len(n.Calls))
	for i, c := range n.Calls {
		parts[i] = aggCall(&c, n.Input.Schema())
	}
	return clause(clause("Agg", "", strings.Join(parts, ", ")), "by", names(n.Input, n.Group))
}

func aggCall(c *agg.Call, in []types.Field) string {
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = columnName(in, a)
	}
	inner := strings.Join(args, ", ")
	if c.Fn.Name == "count" && len(args) == 0 {
		inner = "*"
	}
	if c.Distinct {
		inner = "distinct " + inner
	}
	if len(c.OrderBy) > 0 {
		os := make([]Order, len(c.OrderBy))
		for i, o := range c.OrderBy {
			os[i] = Order(o)
		}
		inner += " order by " + orderList(in, os)
	}
	s := c.Fn.Name + "(" + inner + ")"
	if c.Filter >= 0 {
		s += " filter " + columnName(in, c.Filter)
	}
	return s
}

func topNLine(n *TopN) string {
	s := "TopN"
	if n.Limit >= 0 {
		s += fmt.Sprintf(" %d", n.Limit)
	}
	s += flag(n.WithTies, "with ties")
	if n.Offset > 0 {
		s += fmt.Sprintf(" offset %d", n.Offset)
	}
	s = clause(clause(s, "by", names(n.Input, n.Partition)), "order", orders(n.Input, n.Order))
	return clause(s, "adds", [...]string{"", "row_number", "rank", "dense_rank"}[n.RankCol])
}

func windowLine(n *Window) string {
	in := n.Input.Schema()
	parts := make([]string, len(n.Calls))
	for i, c := range n.Calls {
		if c.Agg != nil {
			parts[i] = aggCall(c.Agg, in)
		} else {
			args := make([]string, len(c.Args))
			for k, a := range c.Args {
				args[k] = columnName(in, a)
			}
			parts[i] = c.Name + "(" + strings.Join(args, ", ") + ")"
		}
		if c.IgnoreNulls {
			parts[i] += " ignore nulls"
		}
		parts[i] += c.Frame.String()
	}
	return clause(clause("Window "+strings.Join(parts, ", "), "by", names(n.Input, n.Partition)), "order", orders(n.Input, n.Order))
}

// String prints a frame other than the default one, with a blank before it.
func (f Frame) String() string {
	if f.Mode == FrameRange && f.Start.Kind == UnboundedPreceding && f.End.Kind == CurrentRow && f.Exclude == ExcludeNone {
		return ""
	}
	if f.Mode == FrameSession {
		return " session with gap " + types.Format(f.Start.T, f.Start.Offset, types.Ctx{})
	}
	s := " " + [...]string{"range", "rows", "groups"}[f.Mode] + " " + f.Start.String() + " to " + f.End.String()
	return s + [...]string{"", " exclude current row", " exclude group", " exclude ties"}[f.Exclude]
}

// String prints one end of a frame.
func (b Bound) String() string {
	word := [...]string{"unbounded preceding", "preceding", "current row", "following", "unbounded following"}[b.Kind]
	if b.Kind == Preceding || b.Kind == Following {
		return types.Format(b.T, b.Offset, types.Ctx{}) + " " + word
	}
	return word
}

func limitLine(n *Limit) string {
	s := "Limit"
	switch {
	case n.LimitExpr != nil:
		s += " " + expr.String(n.LimitExpr)
	case n.Limit >= 0:
		s += fmt.Sprintf(" %d", n.Limit)
	}
	switch {
	case n.OffsetExpr != nil:
		s += " offset " + expr.String(n.OffsetExpr)
	case n.Offset > 0:
		s += fmt.Sprintf(" offset %d", n.Offset)
	}
	return s
}

// names lists columns of a node.
func names(n Node, cols []int) string {
	fields := n.Schema()
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = columnName(fields, c)
	}
	return strings.Join(parts, ", ")
}

func columnName(fields []types.Field, c int) string {
	if fields[c].Name == "" {
		return fmt.Sprintf("$%d", c)
	}
	return fields[c].Name
}

func orders(n Node, os []Order) string { return orderList(n.Schema(), os) }

func orderList(fields []types.Field, os []Order) string {
	parts := make([]string, len(os))
	for i, o := range os {
		parts[i] = columnName(fields, o.Col) + flag(o.Desc, "desc")
		if o.NullsFirst != o.Desc {
			parts[i] += map[bool]string{true: " nulls first", false: " nulls last"}[o.NullsFirst]
		}
	}
	return strings.Join(parts, ", ")
}
