package difftest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Oracle says what is right.
type Oracle interface {
	// Exec runs a text and returns the rows of its last statement.
	Exec(ctx context.Context, sql string) (Rows, error)
}

// Postgres is a schema of a PostgreSQL, by a connection of its own.
type Postgres struct {
	conn   *pgconn.PgConn
	schema string
}

// readMax bounds what the oracle may take to answer a query or a view; what takes longer is given up. Other statements have
// all the time that a busy machine needs, as the database under test has.
const readMax = 30 * time.Second

// Connect opens a connection for histories in the given schema, one after the other.
func Connect(ctx context.Context, dsn, schema string) (*Postgres, error) {
	conn, err := pgconn.Connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	o := &Postgres{conn, schema}
	_, err = o.Exec(ctx, "SET client_min_messages = error; SET jit = off; SET max_parallel_workers_per_gather = 0; SET search_path = "+schema)
	return o, err
}

// bounded is a query for the oracle that fails when it takes longer than readMax, and bounds nothing that follows.
func bounded(query string) string {
	return fmt.Sprintf("SET LOCAL statement_timeout = %d; %s", readMax.Milliseconds(), query)
}

// Close ends the connection.
func (o *Postgres) Close(ctx context.Context) error { return o.conn.Close(ctx) }

// Reset makes the schema empty.
func (o *Postgres) Reset(ctx context.Context) error {
	_, err := o.Exec(ctx, fmt.Sprintf("ROLLBACK; RESET timezone; DROP SCHEMA IF EXISTS %s CASCADE; CREATE SCHEMA %[1]s", o.schema))
	return err
}

// Exec implements Oracle.
func (o *Postgres) Exec(ctx context.Context, sql string) (Rows, error) {
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
