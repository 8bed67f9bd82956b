package pgcdc

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pglogrepl"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Read implements connector.Reader. It has a session of its own, which an error ends: what is under way on it is in doubt.
func (r *reader) Read(ctx context.Context, g connector.Range, each func(types.Row) error) (snap connector.Snapshot, err error) {
	if r.reads == nil {
		if r.reads, err = r.o.session(ctx); err != nil {
			return snap, err
		}
	}
	if snap, err = r.reads.read(ctx, g, each); err != nil {
		r.reads.close()
		r.reads = nil
	}
	return snap, err
}

func (s *session) read(ctx context.Context, g connector.Range, each func(types.Row) error) (connector.Snapshot, error) {
	row, err := s.one(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT txid_current_snapshot()")
	if err != nil {
		return connector.Snapshot{}, err
	}
	snap, err := connector.ParseSnapshot(string(row[0]))
	if err != nil {
		return snap, err
	}
	bounds := boundsOf(g)
	if g.Limit > 0 {
		last, err := s.one(ctx, lastSQL(g, bounds))
		if err != nil {
			return snap, err
		}
		if last != nil {
			bounds = append(bounds, "("+keyList(g.Table, true)+") <= ("+literals(last)+")")
		}
	}
	rows := &copied{capture: &g.Table, each: each}
	if _, err := s.conn.CopyTo(ctx, rows, copySQL(g.Table, bounds)); rows.err != nil {
		return snap, rows.err
	} else if err != nil {
		return snap, s.o.failed(err)
	}
	_, err = s.rows(ctx, "COMMIT")
	return snap, err
}

// boundsOf are the conditions of a range. Values are compared as the types that they have upstream: literals are untyped
// there.
func boundsOf(g connector.Range) []string {
	switch {
	case g.Key != nil:
		return []string{"(" + keyList(g.Table, false) + ") = (" + literals(keyTexts(g.Table, g.Key)) + ")"}
	case g.After != nil:
		return []string{"(" + keyList(g.Table, true) + ") > (" + literals(keyTexts(g.Table, g.After)) + ")"}
	}
	return nil
}

// lastSQL finds the key of the last row of a limited range. Its index alone may answer, and with both ends known the rows
// are read as they lie in the table: to take them one by one in the order of a key that has nothing to do with it costs
// several times as much.
func lastSQL(g connector.Range, bounds []string) string {
	key := keyList(g.Table, true)
	return "SELECT " + keyList(g.Table, false) + from(g.Table, bounds) + " ORDER BY " + key + " LIMIT 1 OFFSET " + strconv.Itoa(g.Limit-1)
}

// copySQL gives the rows of a range away.
func copySQL(c connector.Capture, bounds []string) string {
	names := make([]string, len(c.Columns))
	for i, col := range c.Columns {
		if names[i] = ident(col.Name); col.Gone {
			names[i] = "NULL AS " + names[i]
		}
	}
	return "COPY (SELECT " + strings.Join(names, ", ") + from(c, bounds) + ") TO STDOUT"
}

// from is the end of a query for the rows of a table within bounds.
func from(c connector.Capture, bounds []string) string {
	sql := " FROM " + qualified(c.Table)
	if len(bounds) > 0 {
		sql += " WHERE " + strings.Join(bounds, " AND ")
	}
	return sql
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

// keyTexts prints the values of a key.
func keyTexts(c connector.Capture, values types.Row) [][]byte {
	out := make([][]byte, len(c.Key))
	for i, k := range c.Key {
		out[i] = []byte(types.Format(c.Columns[k].Type, values[i], types.Ctx{}))
	}
	return out
}

func literals(texts [][]byte) string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = literal(string(t))
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
