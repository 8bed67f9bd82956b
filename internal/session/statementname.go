package session

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// nameWords suffice to tell statements apart, as in REFRESH MATERIALIZED VIEW.
const nameWords = 3

// statementName is what to call a statement by, as PostgreSQL's command tags do: its verb and the kind of object, such as
// CREATE MATERIALIZED VIEW.
func statementName(st ast.Stmt) string {
	var name []string
	for word := range strings.FieldsSeq(strings.Replace(ast.Format(st), " OR REPLACE ", " ", 1)) {
		if len(name) == nameWords || !keyword(word) || len(name) > 0 && endsName(name[0], word) {
			break
		}
		name = append(name, word)
	}
	return strings.Join(name, " ")
}

func keyword(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// endsName reports whether what follows a verb is no kind of object.
func endsName(verb, word string) bool {
	return slices.Contains([]string{"GRANT", "REVOKE", "COMMENT", "INSERT", "UPDATE", "DELETE", "COPY"}, verb) ||
		slices.Contains([]string{"IF", "ON", "FOR", "FROM", "INTO", "AS"}, word)
}
