package expr

import (
	"fmt"
	"strings"

	"github.com/tidemark-db/tidemark/internal/types"
)

// String prints an expression much as SQL would write it, for EXPLAIN.
func String(e Expr) string {
	switch e := e.(type) {
	case nil:
		return ""
	case *Col:
		if e.Name != "" {
			return e.Name
		}
		return fmt.Sprintf("$%d", e.Index)
	case *Const:
		return constString(e)
	case *Param:
		return fmt.Sprintf("$param%d", e.N)
	case *Logic:
		word := " AND "
		if e.Or {
			word = " OR "
		}
		return "(" + joinStrings(e.Args, word) + ")"
	case *Coalesce:
		return "COALESCE(" + joinStrings(e.Args, ", ") + ")"
	case *Case:
		return caseString(e)
	case *Call:
		return callString(e)
	case fmt.Stringer:
		return e.String()
	}
	return fmt.Sprintf("%T", e)
}

func joinStrings(es []Expr, sep string) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = String(e)
	}
	return strings.Join(parts, sep)
}

func constString(e *Const) string {
	if e.Value.IsNull() {
		return "NULL"
	}
	text := types.Format(e.T, e.Value, types.Ctx{})
	switch e.T.Kind {
	case types.KindInt2, types.KindInt4, types.KindInt8, types.KindNumeric, types.KindOid, types.KindInt256:
		return text
	case types.KindBool:
		return map[string]string{"t": "true", "f": "false"}[text]
	case types.KindText, types.KindUnknown:
		return quoteLiteral(text)
	}
	return quoteLiteral(text) + "::" + types.SQLName(e.T)
}

func caseString(e *Case) string {
	var b strings.Builder
	b.WriteString("CASE")
	for _, w := range e.Whens {
		fmt.Fprintf(&b, " WHEN %s THEN %s", String(w.Cond), String(w.Then))
	}
	if e.Else != nil {
		b.WriteString(" ELSE " + String(e.Else))
	}
	return b.String() + " END"
}

func callString(e *Call) string {
	switch {
	case e.Fn.Kind == KindCast:
		return String(e.Args[0]) + "::" + types.SQLName(e.T)
	case e.Fn.Kind == KindOperator && len(e.Args) == 2:
		return fmt.Sprintf("(%s %s %s)", String(e.Args[0]), e.Fn.Name, String(e.Args[1]))
	case e.Fn.Kind == KindOperator:
		return fmt.Sprintf("(%s %s)", e.Fn.Name, String(e.Args[0]))
	case e.Fn.Kind == KindSyntax:
		return syntaxString(e)
	}
	return e.Fn.Name + "(" + joinStrings(e.Args, ", ") + ")"
}

func syntaxString(e *Call) string {
	switch name := e.Fn.Name; {
	case name == "array":
		return "ARRAY[" + joinStrings(e.Args, ", ") + "]"
	case name == "row":
		return "ROW(" + joinStrings(e.Args, ", ") + ")"
	case name == "not":
		return "(NOT " + String(e.Args[0]) + ")"
	case name == "subscript":
		return String(e.Args[0]) + "[" + String(e.Args[1]) + "]"
	case name == "slice":
		return String(e.Args[0]) + "[" + joinStrings(e.Args[1:], ":") + "]"
	case strings.HasPrefix(name, "is ") && len(e.Args) == 1:
		return "(" + String(e.Args[0]) + " " + strings.ToUpper(name) + ")"
	case strings.HasPrefix(name, "is "):
		return "(" + joinStrings(e.Args, " "+strings.ToUpper(name)+" ") + ")"
	}
	return e.Fn.Name + "(" + joinStrings(e.Args, ", ") + ")"
}
