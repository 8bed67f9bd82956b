package session

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// alterationName calls a change that relations do not take by its name.
func alterationName(a ast.AlterAction) string {
	switch a.(type) {
	case *ast.AddConstraint:
		return "a constraint that is added to a table"
	case *ast.DropConstraint, *ast.RenameConstraint:
		return "changing the constraints of a table"
	case *ast.ChangeOptions, *ast.ResetParameter:
		return "changing options after the creation"
	case *ast.AlterWatermark:
		return "changing a watermark"
	case *ast.ChangeQuery:
		return "changing the query of a view"
	case *ast.ChangeFormat, *ast.RefreshSchema, *ast.DropConnector:
		return "changing a connector"
	}
	return "this form of ALTER"
}

// oneOf is a kind of objects with its article.
func oneOf[K ~string](kind K) string {
	name := strings.ToLower(string(kind))
	if strings.ContainsRune("aeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
