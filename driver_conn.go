package tidemark

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/session"
)

// sqlConn is a Conn as database/sql uses it.
type sqlConn struct {
	conn  *Conn
	owner *Connector // of a connection that has a database for itself
}

var (
	_ driver.ExecerContext      = (*sqlConn)(nil)
	_ driver.QueryerContext     = (*sqlConn)(nil)
	_ driver.ConnPrepareContext = (*sqlConn)(nil)
	_ driver.ConnBeginTx        = (*sqlConn)(nil)
	_ driver.NamedValueChecker  = (*sqlConn)(nil)
	_ driver.SessionResetter    = (*sqlConn)(nil)
	_ driver.Validator          = (*sqlConn)(nil)
	_ driver.Pinger             = (*sqlConn)(nil)
)

func (c *sqlConn) Close() error {
	err := c.conn.Close()
	if c.owner != nil {
		err = errors.Join(err, c.owner.Close())
	}
	return err
}

// CheckNamedValue leaves every value to the parameter's type; names have no meaning in PostgreSQL's SQL.
func (c *sqlConn) CheckNamedValue(v *driver.NamedValue) error {
	if v.Name != "" {
		return public(errs.Unsupported.New("feature", "a named argument"))
	}
	return nil
}

func (c *sqlConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	res, err := c.conn.Exec(ctx, query, positional(args)...)
	return sqlResult{res}, err
}

func (c *sqlConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.conn.Query(ctx, query, positional(args)...)
	if err != nil {
		return nil, err
	}
	return &sqlRows{rows}, nil
}

func positional(args []driver.NamedValue) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a.Value
	}
	return out
}

func (c *sqlConn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

func (c *sqlConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	p, err := call(c.conn, ctx, func(ctx context.Context) (*session.Prepared, error) { return c.conn.prepare(ctx, query) })
	if err != nil {
		return nil, err
	}
	return &sqlStmt{c, p}, nil
}

func (c *sqlConn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// isolation levels that BEGIN is told by name.
var isolation = map[sql.IsolationLevel]string{
	sql.LevelDefault: "", sql.LevelReadUncommitted: " ISOLATION LEVEL READ UNCOMMITTED", sql.LevelReadCommitted: " ISOLATION LEVEL READ COMMITTED",
	sql.LevelRepeatableRead: " ISOLATION LEVEL REPEATABLE READ", sql.LevelSerializable: " ISOLATION LEVEL SERIALIZABLE",
}

func (c *sqlConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	level, ok := isolation[sql.IsolationLevel(o.Isolation)]
	if !ok {
		return nil, public(errs.IsolationUnsupported.New("level", sql.IsolationLevel(o.Isolation)))
	}
	begin := "BEGIN" + level
	if o.ReadOnly {
		begin += " READ ONLY"
	}
	_, err := c.conn.Exec(ctx, begin)
	return sqlTx{c.conn}, err
}

// ResetSession makes the session what a new one is.
func (c *sqlConn) ResetSession(ctx context.Context) error {
	if !c.IsValid() {
		return driver.ErrBadConn
	}
	_, err := c.conn.Exec(ctx, "DISCARD ALL")
	return err
}

// IsValid reports whether the session can be used again.
func (c *sqlConn) IsValid() bool {
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	return !c.conn.closed && c.conn.rows == nil && c.conn.s.TxStatus() == 'I'
}

func (c *sqlConn) Ping(ctx context.Context) error {
	_, err := c.conn.Exec(ctx, "")
	return err
}

// sqlTx ends a transaction. Its context is the one of BeginTx, which database/sql watches itself.
type sqlTx struct{ conn *Conn }

func (t sqlTx) Commit() error {
	res, err := t.conn.Exec(context.Background(), "COMMIT")
	if err == nil && res.Tag == "ROLLBACK" { // the way in which COMMIT tells that the transaction had failed
		return public(errs.TransactionFailed.New())
	}
	return err
}

func (t sqlTx) Rollback() error {
	_, err := t.conn.Exec(context.Background(), "ROLLBACK")
	return err
}

// sqlResult is a Result as database/sql wants it.
type sqlResult struct{ res Result }

func (sqlResult) LastInsertId() (int64, error) {
	return 0, public(errs.Unsupported.New("feature", "LastInsertId; use INSERT ... RETURNING").WithHint("use INSERT ... RETURNING"))
}

func (r sqlResult) RowsAffected() (int64, error) { return r.res.RowsAffected, nil }
