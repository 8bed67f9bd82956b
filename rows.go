package tidemark

import (
	"context"
	"database/sql"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Column describes a column of rows.
type Column struct {
	Name string
	Type string // as SQL writes it, such as character varying(10)
	OID  uint32 // PostgreSQL's number of the type
}

// Rows are the rows of a query. They come while they are read:
//
//	for rows.Next() { err := rows.Scan(&name, &total) }
//	err := rows.Err()
type Rows struct {
	conn   *Conn
	ctx    context.Context
	cancel context.CancelFunc
	r      session.Result // nil: no statement, or the end was reached
	last   func() error   // what else ends with the rows
	shape  shape
	text   types.Ctx

	chunk  *chunk.Chunk
	at     int // row of the chunk
	count  int64
	result Result
	err    error
}

func newRows(ctx context.Context, cancel context.CancelFunc, c *Conn, r session.Result) *Rows {
	out := &Rows{conn: c, ctx: ctx, cancel: cancel, r: r, text: c.s.TextContext()}
	if r != nil {
		out.shape = shapeOf(r.Columns())
	}
	return out
}

// Columns describes the columns; a statement without rows has none.
func (r *Rows) Columns() []Column { return r.shape.columns() }

// Next moves to the next row. After the last, or an error, it returns false and the rows are closed.
func (r *Rows) Next() bool {
	ok := r.next()
	if !ok {
		r.end()
	}
	return ok
}

func (r *Rows) next() bool {
	r.conn.mu.Lock()
	defer r.conn.mu.Unlock()
	if r.r == nil {
		return false
	}
	r.at++
	for r.chunk == nil || r.at >= r.chunk.Rows() {
		c, err := r.r.Next(r.ctx)
		if err != nil || c == nil {
			r.finishLocked(err)
			return false
		}
		r.chunk, r.at = c, 0
		r.count += int64(c.Rows())
	}
	return true
}

// finishLocked ends the statement: after its last row, at an early Close, or with an error.
func (r *Rows) finishLocked(err error) {
	var tag session.Tag
	if err == nil {
		tag, err = r.r.Finish(r.ctx)
	}
	r.r.Close()
	if err == nil {
		err = r.conn.s.Sync(r.ctx)
	}
	if err != nil {
		r.conn.s.Abort()
		r.err = r.conn.db.failure(r.ctx, err)
	} else {
		r.result = resultOf(tag, r.count)
	}
	r.r, r.chunk, r.conn.rows = nil, nil, nil
}

// abandonLocked ends rows whose connection is closed under them.
func (r *Rows) abandonLocked() {
	if r.r == nil {
		return
	}
	r.r.Close()
	r.r, r.chunk, r.conn.rows = nil, nil, nil
	r.err = public(errs.ShuttingDown.New())
	r.cancel()
}

// Close ends the statement; what it has written is committed unless a transaction is open. It may be called twice.
func (r *Rows) Close() error {
	r.conn.mu.Lock()
	if r.r != nil {
		r.finishLocked(r.ctx.Err())
	}
	r.conn.mu.Unlock()
	r.end()
	return r.err
}

// end lets go of what the rows hold, once.
func (r *Rows) end() {
	r.cancel()
	if last := r.last; last != nil {
		r.last = nil
		_ = last() // closing a session does not fail
	}
}

// Err is the error that ended Next, nil at the end of the rows.
func (r *Rows) Err() error { return r.err }

// Result is the command tag and count, once the rows were read to their end or closed.
func (r *Rows) Result() Result { return r.result }

// Values returns the current row as Go values.
func (r *Rows) Values() ([]any, error) {
	if r.chunk == nil {
		return nil, public(errs.ScanCount.New("want", 0, "got", len(r.shape)))
	}
	return r.shape.values(r.chunk, r.at, r.text), nil
}

// Scan reads the current row into pointers, one a column: to a Go value of the column's kind, to a pointer to one for
// NULL, to a string for the text form of any type, to any, or to a sql.Scanner.
func (r *Rows) Scan(dest ...any) error {
	if r.chunk == nil {
		return public(errs.ScanCount.New("want", 0, "got", len(dest)))
	}
	return public(r.shape.scan(r.chunk, r.at, r.text, dest))
}

// Row is the first row of a query.
type Row struct {
	rows *Rows
	err  error
}

// Scan reads the row as Rows.Scan does. Without a row it returns sql.ErrNoRows.
func (r *Row) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	if err := r.rows.Scan(dest...); err != nil {
		_ = r.rows.Close() // the error of Scan tells more
		return err
	}
	return r.rows.Close()
}
