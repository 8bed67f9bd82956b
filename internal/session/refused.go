package session

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// opening is the words that a statement begins with, to call it by.
func opening(st ast.Stmt) string {
	words := strings.Fields(ast.Format(st))
	n := 0
	for n < min(len(words), openingWords) && strings.ToUpper(words[n]) == words[n] && strings.ToLower(words[n]) != words[n] {
		n++
	}
	return strings.Join(words[:n], " ")
}

// openingWords suffice to tell statements apart, as in REFRESH MATERIALIZED VIEW.
const openingWords = 3

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
