package pgcatalog

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
)

// hiddenValue stands for the value of an option by which someone could log in elsewhere.
const hiddenValue = "'[hidden]'"

// secretWords are in the names of such options, as connectors call them.
var secretWords = []string{"password", "secret", "token", "credential", "access.key", "access_key", "private", "sasl.jaas", "auth"}

func secretOption(name string) bool {
	for _, word := range secretWords {
		if strings.Contains(strings.ToLower(name), word) {
			return true
		}
	}
	return false
}

// shown is a statement without the secrets that the options of its relation hold. rel may be nil.
func shown(sql string, rel *catalog.Relation) string {
	if rel == nil {
		return sql
	}
	for name, value := range rel.With {
		if value != "" && secretOption(name) {
			sql = strings.ReplaceAll(sql, "'"+strings.ReplaceAll(value, "'", "''")+"'", hiddenValue)
		}
	}
	return sql
}
