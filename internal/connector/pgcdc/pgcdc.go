// Package pgcdc captures changes from PostgreSQL 10 and later: history by reads in key order, changes from a logical
// replication slot with the plugin pgoutput.
//
// It is a connector.System. What depends on bytes alone (options, types, messages) is pure; the one goroutine is that of an
// open reader.
package pgcdc

import (
	"context"
	"strings"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/mem"
)

// Name is what option connector says.
const Name = "postgres-cdc"

// System is PostgreSQL as an upstream. The zero value is ready.
type System struct{}

// Open implements connector.System.
func (System) Open(ctx context.Context, o connector.Options, at connector.Position, tables []connector.Capture, memory *mem.Budget) (connector.Reader, error) {
	opts, err := parseOptions(o)
	if err != nil {
		return nil, err
	}
	return openReader(ctx, opts, at, tables, memory)
}

// ident quotes a name for the upstream.
func ident(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// qualified quotes schema.table.
func qualified(table string) string {
	schema, name, _ := strings.Cut(table, ".")
	return ident(schema) + "." + ident(name)
}

// literal quotes a text for the upstream; standard_conforming_strings is on in every session.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
