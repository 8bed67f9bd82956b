package bind

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// unnamed is what PostgreSQL calls a column that nothing gives a name.
const unnamed = "?column?"

// outputName is the name that PostgreSQL gives an output column without an alias.
func outputName(e ast.Expr) string {
	if name, _ := figureName(e); name != "" {
		return name
	}
	return unnamed
}

// figureName finds the name in an expression. A name that is weak, a type's or "case", gives way to one around it.
func figureName(e ast.Expr) (name string, weak bool) {
	switch e := e.(type) {
	case *ast.ColumnRef:
		return e.Parts[len(e.Parts)-1], false
	case *ast.FuncCall:
		return e.Name.Last(), false
	case *ast.Cast:
		if name, weak := figureName(e.X); name != "" && !weak {
			return name, false
		}
		return e.Type.Name, true
	case *ast.Case:
		if e.Else != nil {
			if name, weak := figureName(e.Else); name != "" && !weak {
				return name, false
			}
		}
		return "case", true
	case *ast.Field:
		return e.Name, false
	case *ast.Array, *ast.ArrayQuery:
		return "array", false
	case *ast.Row:
		return "row", false
	case *ast.Exists:
		return "exists", false
	case *ast.ValueKeyword:
		return e.Name, false
	case *ast.Collate:
		return figureName(e.X)
	case *ast.Subscript:
		return figureName(e.X)
	case *ast.Slice:
		return figureName(e.X)
	case *ast.AtTimeZone:
		return "timezone", false
	case *ast.Subquery:
		if s, ok := e.Query.Body.(*ast.Select); ok && len(s.Items) == 1 {
			if s.Items[0].Alias != "" {
				return s.Items[0].Alias, false
			}
			return figureName(s.Items[0].Expr)
		}
	}
	return "", true
}
