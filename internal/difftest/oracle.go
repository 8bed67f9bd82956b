package difftest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Oracle is a schema of a PostgreSQL that answers what is right.
type Oracle struct{ conn *pgconn.PgConn }

// statementMax bounds a statement of the oracle; views that take longer are given up.
const statementMax = 3 * time.Second

// schemaName is where a history lives; it is emptied for the next one.
const schemaName = "difftest"

// Connect opens a connection of its own.
func Connect(ctx context.Context, dsn string) (*Oracle, error) {
	conn, err := pgconn.Connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	o := &Oracle{conn}
	setup := fmt.Sprintf("SET client_min_messages = error; SET jit = off; SET max_parallel_workers_per_gather = 0; SET statement_timeout = %d; SET search_path = %s",
		statementMax.Milliseconds(), schemaName)
	_, err = o.Exec(ctx, setup)
	return o, err
}

// Close ends the connection.
func (o *Oracle) Close(ctx context.Context) error { return o.conn.Close(ctx) }

// Reset makes the schema empty.
func (o *Oracle) Reset(ctx context.Context) error {
	_, err := o.Exec(ctx, fmt.Sprintf("ROLLBACK; DROP SCHEMA IF EXISTS %s CASCADE; CREATE SCHEMA %[1]s", schemaName))
	return err
}

// Exec runs a text and returns the rows of its last statement.
func (o *Oracle) Exec(ctx context.Context, sql string) (Rows, error) {
	results := o.conn.Exec(ctx, sql)
	var out Rows
	for results.NextResult() {
		out = read(results.ResultReader())
	}
	return out, results.Close()
}

func read(r *pgconn.ResultReader) Rows {
	var out Rows
	for _, f := range r.FieldDescriptions() {
		out.Types = append(out.Types, f.DataTypeOID)
	}
	for r.NextRow() {
		row := make([]string, len(r.Values()))
		for i, v := range r.Values() {
			if row[i] = string(v); v == nil {
				row[i] = nullText
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// sqlState is the SQLSTATE of an error of PostgreSQL, "" for any other.
func sqlState(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
