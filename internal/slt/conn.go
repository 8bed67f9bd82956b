package slt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

// Output is what one SQL text gave: rows, or a row count when there are none.
type Output struct {
	Rows  [][]string
	Count uint64
}

// SQLError is an error of the server, in the wording the suite's error regexes expect.
type SQLError struct {
	Text  string
	State string
	Lost  bool // the connection is gone
	Slow  bool // the record's time limit ran out
}

func (e *SQLError) Error() string { return e.Text }

// Conn is one session.
type Conn struct {
	pg       *pgconn.PgConn
	extended bool
}

// Dial opens a session. A query whose context ends is cancelled on the server first.
func Dial(ctx context.Context, dsn, database string, extended bool) (*Conn, error) {
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	if database != "" {
		cfg.Database = database
	}
	cfg.BuildContextWatcherHandler = func(pg *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: pg, DeadlineDelay: 3 * time.Second}
	}
	pg, err := pgconn.ConnectConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return &Conn{pg: pg, extended: extended}, nil
}

// Close ends the session.
func (c *Conn) Close() {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	c.pg.Close(ctx)
}

// Dead tells whether the session can take no more SQL.
func (c *Conn) Dead() bool { return c.pg.IsClosed() }

// Run sends one SQL text. With several statements in it, all run, and the rows
// are those of the first.
func (c *Conn) Run(ctx context.Context, sql string) (Output, error) {
	var out Output
	var err error
	if c.extended {
		rr := c.pg.ExecParams(ctx, sql, nil, nil, nil, nil)
		out, err = readResult(rr)
	} else {
		mrr := c.pg.Exec(ctx, sql)
		for n := 0; mrr.NextResult(); n++ {
			o, _ := readResult(mrr.ResultReader())
			if n == 0 {
				out = o
			}
		}
		err = mrr.Close()
	}
	if err != nil {
		return out, c.wrap(ctx, err)
	}
	return out, nil
}

func readResult(rr *pgconn.ResultReader) (Output, error) {
	var out Output
	for rr.NextRow() {
		vals := rr.Values()
		row := make([]string, len(vals))
		for i, v := range vals {
			switch {
			case v == nil:
				row[i] = "NULL"
			case len(v) == 0:
				row[i] = "(empty)"
			default:
				row[i] = string(v)
			}
		}
		out.Rows = append(out.Rows, row)
	}
	tag, err := rr.Close()
	out.Count = uint64(tag.RowsAffected())
	return out, err
}

func (c *Conn) wrap(ctx context.Context, err error) *SQLError {
	slow := ctx.Err() != nil
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		e := &SQLError{Text: pgErrorText(pe), State: pe.Code, Slow: slow}
		// A server that goes away says so with one of these before it closes the session.
		e.Lost = c.Dead() || pe.Severity == "FATAL" || pe.Severity == "PANIC" || strings.HasPrefix(pe.Code, "57P")
		return e
	}
	return &SQLError{Text: "connection: " + err.Error(), Lost: c.Dead(), Slow: slow}
}

func pgErrorText(pe *pgconn.PgError) string {
	s := fmt.Sprintf("db error: %s: %s", pe.Severity, pe.Message)
	if pe.Detail != "" {
		s += "\nDETAIL: " + pe.Detail
	}
	if pe.Hint != "" {
		s += "\nHINT: " + pe.Hint
	}
	return s
}
