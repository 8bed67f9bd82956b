package pgtest

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// queryMax bounds one statement of a test.
const queryMax = time.Minute

func (s *Server) dial() (*pgconn.PgConn, error) {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	return pgconn.Connect(ctx, s.DSN())
}

func closeConn(c *pgconn.PgConn) {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	_ = c.Close(ctx)
}

// Try runs one text of SQL, several statements allowed, and returns the rows of the last that has any, as text; NULL is
// "NULL".
func (s *Server) Try(sql string) ([][]string, error) {
	c, err := s.dial()
	if err != nil {
		return nil, err
	}
	defer closeConn(c)
	ctx, stop := context.WithTimeout(context.Background(), queryMax)
	defer stop()
	results, err := c.Exec(ctx, sql).ReadAll()
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, r := range results {
		if len(r.FieldDescriptions) > 0 {
			rows = texts(r.Rows)
		}
	}
	return rows, nil
}

func texts(rows [][][]byte) [][]string {
	out := make([][]string, len(rows))
	for i, row := range rows {
		out[i] = make([]string, len(row))
		for j, v := range row {
			if out[i][j] = string(v); v == nil {
				out[i][j] = "NULL"
			}
		}
	}
	return out
}

// Query is Try that fails the test on an error.
func (s *Server) Query(sql string) [][]string {
	s.t.Helper()
	rows, err := s.Try(sql)
	if err != nil {
		s.t.Fatalf("%s: %v", sql, err)
	}
	return rows
}

// Exec is Query without its rows.
func (s *Server) Exec(sql string) {
	s.t.Helper()
	s.Query(sql)
}
