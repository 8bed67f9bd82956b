package tidemark

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/session"
)

// Result is what a statement without rows tells.
type Result struct {
	Tag          string // PostgreSQL's command tag, such as INSERT 0 1
	RowsAffected int64  // rows inserted, updated, deleted, copied or selected
}

// Exec runs a text of one or several statements, as one transaction unless it says otherwise, and returns the result of
// the last. With arguments for $1, $2, ... it takes one statement.
func (db *DB) Exec(ctx context.Context, sql string, args ...any) (Result, error) {
	c, err := db.Conn()
	if err != nil {
		return Result{}, err
	}
	res, err := c.Exec(ctx, sql, args...)
	return res, errors.Join(err, c.Close())
}

// Query runs one statement and returns its rows, which must be closed or read to their end.
func (db *DB) Query(ctx context.Context, sql string, args ...any) (*Rows, error) {
	c, err := db.Conn()
	if err != nil {
		return nil, err
	}
	rows, err := c.Query(ctx, sql, args...)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	rows.last = c.Close
	return rows, nil
}

// QueryRow runs one statement of which the first row is wanted; errors are returned by the row's Scan.
func (db *DB) QueryRow(ctx context.Context, sql string, args ...any) *Row {
	rows, err := db.Query(ctx, sql, args...)
	return &Row{rows, err}
}

// Conn is a session: it has settings and transactions of its own. It runs one statement at a time.
type Conn struct {
	db *DB
	mu sync.Mutex // held while a call runs
	s  *session.Session
	// rows are open; no other statement may run meanwhile.
	rows   *Rows
	closed bool
}

// Conn opens a session. It must be closed; an open transaction is then rolled back.
func (db *DB) Conn() (*Conn, error) {
	c := &Conn{db: db}
	c.mu.Lock() // a Close of the DB waits for the session
	defer c.mu.Unlock()
	if err := db.keep(c); err != nil {
		return nil, err
	}
	s, err := db.inner.NewSession(session.Startup{User: db.opts.User, Notice: c.notice})
	if err != nil {
		c.closed = true
		db.forget(c)
		return nil, public(err)
	}
	c.s = s
	return c, nil
}

func (c *Conn) notice(n session.Notice) {
	if c.db.opts.OnNotice != nil {
		c.db.opts.OnNotice(Notice(n))
	}
}

// Exec is DB.Exec in this session.
func (c *Conn) Exec(ctx context.Context, sql string, args ...any) (Result, error) {
	return call(c, ctx, func(ctx context.Context) (Result, error) {
		if len(args) == 0 {
			return c.simple(ctx, sql)
		}
		p, err := c.prepare(ctx, sql)
		if err != nil {
			return Result{}, err
		}
		return c.execute(ctx, p, args)
	})
}

// call runs fn as the one thing that the session does.
func call[T any](c *Conn, ctx context.Context, fn func(context.Context) (T, error)) (out T, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.readyLocked(); err != nil {
		return out, err
	}
	ctx, cancel := c.within(ctx)
	defer cancel()
	if out, err = fn(ctx); err != nil {
		c.s.Abort()
		err = c.db.failure(ctx, err)
	}
	return out, err
}

// errTimeout is why the context of a statement ends that takes longer than statement_timeout.
var errTimeout = errors.New("statement_timeout has passed")

// within makes the context of a statement end with the DB, and after statement_timeout.
func (c *Conn) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := c.db.within(ctx)
	limit := c.s.StatementTimeout()
	if limit == 0 {
		return ctx, cancel
	}
	ctx, stop := context.WithTimeoutCause(ctx, limit, errTimeout)
	return ctx, func() { stop(); cancel() }
}

func (c *Conn) readyLocked() error {
	switch {
	case c.closed:
		return public(errs.ShuttingDown.New())
	case c.rows != nil:
		return public(errs.ConnectionBusy.New())
	}
	return nil
}

// simple runs a text without arguments.
func (c *Conn) simple(ctx context.Context, sql string) (res Result, err error) {
	err = c.s.Simple(ctx, sql, func(r session.Result) error {
		res, err = drain(ctx, r)
		return err
	})
	return res, err
}

// prepare parses a statement. The session keeps it under the empty name only until the next one.
func (c *Conn) prepare(ctx context.Context, sql string) (*session.Prepared, error) {
	if err := c.s.Prepare(ctx, "", sql, nil); err != nil {
		return nil, err
	}
	p, _ := c.s.Statement("")
	return p, nil
}

// execute runs a prepared statement to its end.
func (c *Conn) execute(ctx context.Context, p *session.Prepared, args []any) (Result, error) {
	r, err := c.start(ctx, p, args)
	if err != nil || r == nil {
		return Result{}, err
	}
	defer r.Close()
	res, err := drain(ctx, r)
	if err != nil {
		return Result{}, err
	}
	return res, c.s.Sync(ctx)
}

// start begins to run a prepared statement; an empty one has no result.
func (c *Conn) start(ctx context.Context, p *session.Prepared, args []any) (session.Result, error) {
	params, err := datums(p.ParamTypes(), args, c.s.TextContext())
	if err != nil {
		return nil, err
	}
	r, err := c.s.Execute(ctx, p, params)
	if err != nil || r == nil {
		return nil, err
	}
	if err := withoutData(r); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// drain reads a result to its end.
func drain(ctx context.Context, r session.Result) (Result, error) {
	if err := withoutData(r); err != nil {
		return Result{}, err
	}
	var n int64
	for {
		c, err := r.Next(ctx)
		if err != nil {
			return Result{}, err
		}
		if c == nil {
			break
		}
		n += int64(c.Rows())
	}
	tag, err := r.Finish(ctx)
	return resultOf(tag, n), err
}

// resultOf reads the number of rows out of a tag such as INSERT 0 5.
func resultOf(tag session.Tag, rows int64) Result {
	if tag.CountRows {
		return Result{tag.Text + " " + strconv.FormatInt(rows, 10), rows}
	}
	n, err := strconv.ParseInt(tag.Text[strings.LastIndexByte(tag.Text, ' ')+1:], 10, 64)
	if err != nil {
		n = 0
	}
	return Result{tag.Text, n}
}

// Query is DB.Query in this session, which is busy until the rows are closed or read to their end.
func (c *Conn) Query(ctx context.Context, sql string, args ...any) (*Rows, error) {
	return c.query(ctx, func(ctx context.Context) (*session.Prepared, error) { return c.prepare(ctx, sql) }, args)
}

func (c *Conn) query(ctx context.Context, prepared func(context.Context) (*session.Prepared, error), args []any) (*Rows, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.readyLocked(); err != nil {
		return nil, err
	}
	ctx, cancel := c.within(ctx)
	var r session.Result
	p, err := prepared(ctx)
	if err == nil {
		r, err = c.start(ctx, p, args)
	}
	if err != nil {
		c.s.Abort()
		err = c.db.failure(ctx, err)
		cancel()
		return nil, err
	}
	rows := newRows(ctx, cancel, c, r)
	if r != nil {
		c.rows = rows
	}
	return rows, nil
}

// QueryRow is DB.QueryRow in this session.
func (c *Conn) QueryRow(ctx context.Context, sql string, args ...any) *Row {
	rows, err := c.Query(ctx, sql, args...)
	return &Row{rows, err}
}

// Close ends the session.
func (c *Conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	if c.rows != nil {
		c.rows.abandonLocked()
	}
	c.s.Close()
	c.db.forget(c)
	return nil
}
