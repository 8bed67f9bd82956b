package main

import (
	"context"
	"fmt"
	"net"
	"reflect"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// A client loads a table, makes another of it, and reads texts as PostgreSQL sends them; what fails is told, and the next
// statement runs.
func TestConversation(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	db, err := open(dir + "/duckdb.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() {
		conn, err := ln.Accept()
		if err == nil {
			err = serve(ctx, conn, db, dir)
		}
		served <- err
	}()
	c, err := pgconn.Connect(ctx, fmt.Sprintf("postgres://bench@%s/bench?sslmode=disable", ln.Addr()))
	if err != nil {
		t.Fatal(err)
	}
	run := func(sql string) *pgconn.Result {
		t.Helper()
		r, err := c.Exec(ctx, sql).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return r[0]
	}
	run("CREATE TABLE t (id bigint PRIMARY KEY, g int, s text)")
	tag, err := c.CopyFrom(ctx, strings.NewReader("1\t10\ta'b\"\n2\t10\t\\N\n9000000000\t20\t\n"), "COPY t FROM STDIN")
	if err != nil || tag.RowsAffected() != 3 {
		t.Fatal(tag, err)
	}
	run("CREATE TABLE sums AS SELECT g, sum(id) AS s, count(*) AS n FROM t GROUP BY g")
	text := func(rows [][][]byte) (out [][]string) {
		for _, row := range rows {
			var line []string
			for _, v := range row {
				if v == nil {
					line = append(line, "NULL")
				} else {
					line = append(line, string(v))
				}
			}
			out = append(out, line)
		}
		return out
	}
	for sql, want := range map[string][][]string{
		"SELECT * FROM sums ORDER BY g": {{"10", "3", "2"}, {"20", "9000000000", "1"}},
		"SELECT * FROM t ORDER BY id":   {{"1", "10", `a'b"`}, {"2", "10", "NULL"}, {"9000000000", "20", ""}},
	} {
		if got := text(run(sql).Rows); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", sql, got, want)
		}
	}
	if _, err := c.Exec(ctx, "SELECT * FROM gone").ReadAll(); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("an error is told as %v", err)
	}
	if _, err := c.CopyFrom(ctx, strings.NewReader("1\t10\tagain\n"), "COPY t FROM STDIN"); err == nil {
		t.Error("a second row with the same key was taken")
	}
	run("DROP TABLE sums")
	c.Close(ctx)
	if err := <-served; err != nil {
		t.Error(err)
	}
}
