package bind

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// outputName is the name that PostgreSQL gives an output column without an alias.
func outputName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ColumnRef:
		return e.Parts[len(e.Parts)-1]
	case *ast.FuncCall:
		return e.Name.Last()
	case *ast.Cast:
		if name := outputName(e.X); name != "?column?" {
			return name
		}
		return e.Type.Name
	case *ast.Case:
		if e.Else != nil {
			if name := outputName(e.Else); name != "?column?" {
				return name
			}
		}
		return "case"
	case *ast.Field:
		return e.Name
	case *ast.Array, *ast.ArrayQuery:
		return "array"
	case *ast.Row:
		return "row"
	case *ast.Exists:
		return "exists"
	case *ast.ValueKeyword:
		return e.Name
	case *ast.Collate:
		return outputName(e.X)
	case *ast.Subscript:
		return outputName(e.X)
	case *ast.AtTimeZone:
		return "timezone"
	case *ast.BoolLit:
		return "bool"
	case *ast.Subquery:
		if s, ok := e.Query.Body.(*ast.Select); ok && len(s.Items) == 1 {
			if s.Items[0].Alias != "" {
				return s.Items[0].Alias
			}
			return outputName(s.Items[0].Expr)
		}
	}
	return "?column?"
}
