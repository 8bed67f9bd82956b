package session

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/types"
)

// BenchmarkPrepared runs prepared reads of a table of 100,000 rows on disk: of one row by its key, of 20 by the first
// column of a key and by an index.
func BenchmarkPrepared(b *testing.B) {
	_, s := opened(b, Options{Dir: b.TempDir()})
	exec(b, s, "CREATE TABLE t (id bigint PRIMARY KEY, g int, v bigint, s text)")
	exec(b, s, "CREATE TABLE m (g int, id int, v bigint, PRIMARY KEY (g, id))")
	exec(b, s, "INSERT INTO t SELECT i, i % 5000, i, 'row-' || i % 100 FROM generate_series(0, 99999) AS x(i)")
	exec(b, s, "INSERT INTO m SELECT i % 5000, i, i FROM generate_series(0, 99999) AS x(i)")
	exec(b, s, "CREATE INDEX tg ON t (g)")
	exec(b, s, "FLUSH")
	for _, c := range []struct {
		name, sql string
		rows      int
	}{
		{"point", "SELECT v FROM t WHERE id = $1", 1},
		{"prefix", "SELECT id, v FROM m WHERE g = $1", 20},
		{"index", "SELECT id, v FROM t WHERE g = $1", 20},
	} {
		b.Run(c.name, func(b *testing.B) {
			if err := s.Prepare(b.Context(), "", c.sql, nil); err != nil {
				b.Fatal(err)
			}
			p, _ := s.Statement("")
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if n := executed(b, s, p, int64(i*7919%5000)); n != c.rows {
					b.Fatal(n, "rows")
				}
			}
		})
	}
}

// executed runs a prepared statement as a client of the extended protocol does, and counts its rows.
func executed(b *testing.B, s *Session, p *Prepared, param int64) (rows int) {
	r, err := s.Execute(b.Context(), p, []types.Datum{types.NewInt(param)})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for {
		c, err := r.Next(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if c == nil {
			break
		}
		rows += c.Rows()
	}
	if _, err := r.Finish(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := s.Sync(b.Context()); err != nil {
		b.Fatal(err)
	}
	return rows
}
