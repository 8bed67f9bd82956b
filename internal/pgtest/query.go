package pgtest

import (
	"context"
	"time"

	"github.com/tidemark-db/tidemark/internal/pgserver"
)

// queryMax bounds one statement of a test.
const queryMax = 5 * time.Minute

// Try runs one text of SQL, several statements allowed, and returns the rows of the last that has any, as text; NULL is
// "NULL".
func (s *Server) Try(sql string) ([][]string, error) {
	c, err := s.Dial()
	if err != nil {
		return nil, err
	}
	defer pgserver.CloseConn(c)
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
