package session

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// optionSwitch is the value of an option of a statement that is on or off, as PostgreSQL's commands read it; ok is false
// for other values.
func optionSwitch(o ast.Option) (on, ok bool) {
	switch strings.ToLower(o.Value.Text) {
	case "", "true", "on", "1":
		return true, true
	case "false", "off", "0":
		return false, true
	}
	return false, false
}
