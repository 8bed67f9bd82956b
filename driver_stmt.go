package tidemark

import (
	"context"
	"database/sql/driver"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/types"
)

// sqlStmt is a prepared statement of database/sql. It lives in memory alone, so closing it has nothing to do.
type sqlStmt struct {
	c *sqlConn
	p *session.Prepared
}

var (
	_ driver.StmtExecContext  = (*sqlStmt)(nil)
	_ driver.StmtQueryContext = (*sqlStmt)(nil)
)

func (s *sqlStmt) Close() error  { return nil }
func (s *sqlStmt) NumInput() int { return len(s.p.ParamTypes()) }

// Exec is not called by database/sql, which prefers ExecContext.
func (s *sqlStmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), named(args))
}

func (s *sqlStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	res, err := call(s.c.conn, ctx, func(ctx context.Context) (Result, error) {
		return s.c.conn.execute(ctx, s.p, positional(args))
	})
	return sqlResult{res}, err
}

// Query is not called by database/sql, which prefers QueryContext.
func (s *sqlStmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), named(args))
}

func (s *sqlStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := s.c.conn.query(ctx, func(context.Context) (*session.Prepared, error) { return s.p, nil }, positional(args))
	if err != nil {
		return nil, err
	}
	return &sqlRows{rows}, nil
}

func named(args []driver.Value) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, a := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return out
}

// sqlRows are Rows as database/sql wants them.
type sqlRows struct{ rows *Rows }

var (
	_ driver.RowsColumnTypeDatabaseTypeName = (*sqlRows)(nil)
	_ driver.RowsColumnTypeScanType         = (*sqlRows)(nil)
)

func (r *sqlRows) Columns() []string {
	out := make([]string, len(r.rows.shape))
	for i, c := range r.rows.shape {
		out[i] = c.Name
	}
	return out
}

func (r *sqlRows) Close() error { return r.rows.Close() }

// Next fills in the values of the next row; arrays, which database/sql has no value for, come as text.
func (r *sqlRows) Next(dest []driver.Value) error {
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	for i, col := range r.rows.shape {
		d := r.rows.chunk.Cols[i].Datum(r.rows.at)
		v := goValue(col.Type, d, r.rows.text)
		if _, list := v.([]any); list {
			v = types.Format(col.Type, d, r.rows.text)
		}
		dest[i] = v
	}
	return nil
}

// ColumnTypeDatabaseTypeName is the type's name in SQL without modifiers, in capitals as database/sql asks for.
func (r *sqlRows) ColumnTypeDatabaseTypeName(i int) string {
	return strings.ToUpper(types.TypeName(r.rows.shape[i].Type))
}

// ColumnTypeScanType is the Go type of the column's values.
func (r *sqlRows) ColumnTypeScanType(i int) reflect.Type {
	switch r.rows.shape[i].Type.Kind {
	case types.KindBool:
		return reflect.TypeFor[bool]()
	case types.KindInt2, types.KindInt4, types.KindInt8, types.KindOid:
		return reflect.TypeFor[int64]()
	case types.KindFloat4, types.KindFloat8:
		return reflect.TypeFor[float64]()
	case types.KindBytea:
		return reflect.TypeFor[[]byte]()
	case types.KindDate, types.KindTimestamp, types.KindTimestamptz:
		return reflect.TypeFor[time.Time]()
	}
	return reflect.TypeFor[string]()
}
