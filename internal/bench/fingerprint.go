package bench

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/zeebo/xxh3"
)

// fingerprint is the number of rows and the sum of their hashes: it does not depend on their order.
type fingerprint struct {
	rows int
	sum  uint64
}

// fingerprintOf reads all rows of a query in text form.
func fingerprintOf(ctx context.Context, c *pgx.Conn, sql string) (fingerprint, error) {
	var f fingerprint
	results := c.PgConn().Exec(ctx, sql)
	if !results.NextResult() {
		return f, fmt.Errorf("%s: %w", sql, results.Close())
	}
	r := results.ResultReader()
	var row []byte
	for r.NextRow() {
		row = row[:0]
		for _, v := range r.Values() {
			row = binary.AppendVarint(row, int64(len(v)))
			if v == nil {
				row = append(row, 'n')
			}
			row = append(row, v...)
		}
		f.rows++
		f.sum += xxh3.Hash(row)
	}
	if err := results.Close(); err != nil {
		return f, fmt.Errorf("%s: %w", sql, err)
	}
	return f, nil
}
