package pgcdc

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pglogrepl"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Read implements connector.Reader.
func (r *reader) Read(ctx context.Context, g connector.Range, each func(types.Row) error) (connector.Snapshot, error) {
	s, err := r.read(ctx, g, each)
	if err != nil {
		_, _ = r.sql.rows(context.WithoutCancel(ctx), "ROLLBACK") // the first error matters; a lost connection is found again
	}
	return s, err
}

func (r *reader) read(ctx context.Context, g connector.Range, each func(types.Row) error) (connector.Snapshot, error) {
	row, err := r.sql.one(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT txid_current_snapshot()")
	if err != nil {
		return connector.Snapshot{}, err
	}
	s, err := connector.ParseSnapshot(string(row[0]))
	if err != nil {
		return s, err
	}
	if err := r.rows(ctx, &g.Table, selectSQL(g), each); err != nil {
		return s, err
	}
	_, err = r.sql.rows(ctx, "COMMIT")
	return s, err
}

// rows runs a query for captured columns and parses what it gives, row by row.
func (r *reader) rows(ctx context.Context, c *connector.Capture, sql string, each func(types.Row) error) error {
	results := r.sql.conn.Exec(ctx, sql)
	for results.NextResult() {
		rr := results.ResultReader()
		for rr.NextRow() {
			row, err := parseRow(c, rr.Values())
			if err == nil {
				err = each(row)
			}
			if err != nil {
				_ = results.Close()
				return err
			}
		}
		if _, err := rr.Close(); err != nil {
			_ = results.Close()
			return r.o.failed(err)
		}
	}
	if err := results.Close(); err != nil {
		return r.o.failed(err)
	}
	return nil
}

func parseRow(c *connector.Capture, values [][]byte) (types.Row, error) {
	row := make(types.Row, len(c.Columns))
	for i, v := range values {
		if v == nil {
			continue
		}
		var err error
		if row[i], err = value(c, i, string(v)); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// selectSQL is the query of a range. Values are compared as the types that they have upstream: literals are untyped there.
func selectSQL(g connector.Range) string {
	var b strings.Builder
	b.WriteString("SELECT ")
	for i, c := range g.Table.Columns {
		if i > 0 {
			b.WriteString(", ")
		}
		if c.Gone {
			b.WriteString("NULL AS ")
		}
		b.WriteString(ident(c.Name))
	}
	b.WriteString(" FROM " + qualified(g.Table.Table))
	key := keyList(g.Table, true)
	switch {
	case g.Key != nil:
		b.WriteString(" WHERE (" + keyList(g.Table, false) + ") = (" + literals(g.Table, g.Key) + ")")
	case g.After != nil:
		b.WriteString(" WHERE (" + key + ") > (" + literals(g.Table, g.After) + ")")
	}
	if g.Limit > 0 {
		b.WriteString(" ORDER BY " + key + " LIMIT " + strconv.Itoa(g.Limit))
	}
	return b.String()
}

// keyList is the columns of the key, in the order that ranges have or in that of the key's own index.
func keyList(c connector.Capture, ranges bool) string {
	names := make([]string, len(c.Key))
	for i, k := range c.Key {
		names[i] = ident(c.Columns[k].Name)
		if ranges && c.Columns[k].Bytewise {
			names[i] += ` COLLATE "C"`
		}
	}
	return strings.Join(names, ", ")
}

func literals(c connector.Capture, values types.Row) string {
	out := make([]string, len(c.Key))
	for i, k := range c.Key {
		out[i] = literal(types.Format(c.Columns[k].Type, values[i], types.Ctx{}))
	}
	return strings.Join(out, ", ")
}

// Mark implements connector.Reader. The message is a transaction of its own, so that the server writes the log out up to it.
func (r *reader) Mark(ctx context.Context) (connector.Position, error) {
	row, err := r.sql.one(ctx, "SELECT pg_logical_emit_message(true, 'tidemark', '')")
	if err != nil {
		return 0, err
	}
	at, err := pglogrepl.ParseLSN(string(row[0]))
	return connector.Position(at), err
}

// Now implements connector.Reader.
func (r *reader) Now(ctx context.Context) (uint64, error) {
	return r.number(ctx, "SELECT txid_current()")
}

// Oldest implements connector.Reader.
func (r *reader) Oldest(ctx context.Context) (uint64, error) {
	return r.number(ctx, "SELECT txid_snapshot_xmin(txid_current_snapshot())")
}

func (r *reader) number(ctx context.Context, sql string) (uint64, error) {
	row, err := r.sql.one(ctx, sql)
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(string(row[0]), 10, 64)
}
