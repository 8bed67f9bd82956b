package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"os"
	"regexp"
	"strconv"

	_ "github.com/duckdb/duckdb-go/v2" // the driver
)

// open opens or makes a database on disk.
func open(path string) (*sql.DB, error) {
	return sql.Open("duckdb", fmt.Sprintf("%s?threads=%d", path, threads))
}

// copyFrom matches the one form of COPY that the benchmarks send.
var copyFrom = regexp.MustCompile(`^COPY (\w+) FROM STDIN$`)

// copyFile reads a file in COPY's text format; the rows of the benchmarks have nothing to escape.
func copyFile(ctx context.Context, db *sql.DB, table, file string) (rows int64, err error) {
	r, err := db.ExecContext(ctx, fmt.Sprintf(`COPY %s FROM '%s' (FORMAT csv, DELIMITER '\t', QUOTE '', ESCAPE '', HEADER false, NULLSTR '\N')`, table, file))
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// spool keeps what a client sends in a file until it is complete.
func spool(dir string, next func() ([]byte, error)) (name string, err error) {
	f, err := os.CreateTemp(dir, "copy-")
	if err != nil {
		return "", err
	}
	defer f.Close()
	for {
		data, err := next()
		if data == nil || err != nil {
			return f.Name(), err
		}
		if _, err := f.Write(data); err != nil {
			return f.Name(), err
		}
	}
}

// text adds a value as PostgreSQL prints it.
func text(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case int32:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case *big.Int:
		return v.Append(dst, 10), nil
	case string:
		return append(dst, v...), nil
	}
	return nil, fmt.Errorf("a result has a value of Go type %T, which is not printed yet", v)
}
