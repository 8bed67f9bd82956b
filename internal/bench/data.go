package bench

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// The relations of B1 to B4, and S1: see docs/benchmarks.md.
const (
	createT = "CREATE TABLE t (id bigint PRIMARY KEY, g int, h int, a int, b int, c int, v bigint, s text)"
	createD = "CREATE TABLE d (h int PRIMARY KEY, cat int)"
)

// Groups of the data.
const (
	groupsG    = 100_000
	groupsH    = 1_000_000
	categories = 1000
	stringsS   = 5000
)

// loadRows is how many rows one COPY has: a statement is one transaction.
const loadRows = 50_000

// load makes the tables and copies the same bytes into all systems.
func load(ctx context.Context, f Field, rows int) error {
	var conns []*pgx.Conn
	err := each(f.systems(), func(s System) error {
		c, err := s.connect(ctx)
		if err != nil {
			return err
		}
		conns = append(conns, c)
		for _, sql := range []string{"DROP TABLE IF EXISTS t CASCADE", "DROP TABLE IF EXISTS d CASCADE", createT, createD} {
			if _, err := c.Exec(ctx, sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return nil
	})
	defer func() {
		for _, c := range conns {
			c.Close(ctx)
		}
	}()
	if err != nil {
		return err
	}
	if err := copyRows(ctx, conns, "COPY t FROM STDIN", rows, appendT); err != nil {
		return err
	}
	return copyRows(ctx, conns, "COPY d FROM STDIN", min(groupsH, rows), appendD)
}

// copyRows sends rows in batches to all connections.
func copyRows(ctx context.Context, conns []*pgx.Conn, sql string, rows int, row func([]byte, int) []byte) error {
	var buf []byte
	for from := 0; from < rows; from += loadRows {
		buf = buf[:0]
		for i := from; i < min(from+loadRows, rows); i++ {
			buf = row(buf, i)
		}
		for _, c := range conns {
			if _, err := c.PgConn().CopyFrom(ctx, bytes.NewReader(buf), sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
	}
	return nil
}

// appendT adds row i of t in COPY's text format. The multiplication shuffles the keys.
func appendT(dst []byte, i int) []byte {
	n := int64(i)
	for _, v := range []int64{n * 2654435761 % 4294967291, n * 7919 % groupsG, n * 7919 % groupsH, n % 1000, n % 77, n % 13, n} {
		dst = append(strconv.AppendInt(dst, v, 10), '\t')
	}
	dst = append(dst, "row-"...)
	return append(strconv.AppendInt(dst, n%stringsS, 10), '\n')
}

// appendD adds row i of d.
func appendD(dst []byte, i int) []byte {
	dst = append(strconv.AppendInt(dst, int64(i), 10), '\t')
	return append(strconv.AppendInt(dst, int64(i%categories), 10), '\n')
}

// keyOf is the key of row i of t.
func keyOf(i int) int64 { return int64(i) * 2654435761 % 4294967291 }
