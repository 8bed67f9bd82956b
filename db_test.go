package tidemark_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tidemark-db/tidemark"
	"github.com/tidemark-db/tidemark/internal/leak"
	"github.com/tidemark-db/tidemark/internal/mem"
)

// TestMain fails when a test leaves a goroutine behind: Close must end everything.
func TestMain(m *testing.M) { leak.Main(m) }

// open opens a database that is closed with the test.
func open(t *testing.T, dir string) *tidemark.DB {
	t.Helper()
	db, err := tidemark.Open(dir, tidemark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func exec(t *testing.T, db *tidemark.DB, sql string, args ...any) tidemark.Result {
	t.Helper()
	res, err := db.Exec(t.Context(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return res
}

// rows returns the rows of a query as text, sorted.
func rows(t *testing.T, db *tidemark.DB, sql string, args ...any) string {
	t.Helper()
	rs, err := db.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	var out []string
	for rs.Next() {
		v, err := rs.Values()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(v...))
	}
	if rs.Err() != nil {
		t.Fatalf("%s: %v", sql, rs.Err())
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestTwoDatabasesShareNothing(t *testing.T) {
	a, b := open(t, tidemark.Memory), open(t, filepath.Join(t.TempDir(), "b"))
	exec(t, a, "create table t (id int primary key); insert into t values (1)")
	exec(t, b, "create table t (name text); insert into t values ('x')")
	if got := rows(t, a, "select * from t"); got != "1" {
		t.Error(got)
	}
	if got := rows(t, b, "select * from t"); got != "x" {
		t.Error(got)
	}
}

func TestOpenAgain(t *testing.T) {
	dir := t.TempDir()
	db, err := tidemark.Open(dir, tidemark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, db, "create table t (id int primary key, g int); create materialized view v as select g, count(*) as n from t group by g")
	exec(t, db, "insert into t values ($1, $2), ($3, 7)", 1, 7, 2)
	if _, err := tidemark.Open(dir, tidemark.Options{}); code(err) != "TM-ST-008" {
		t.Errorf("a directory is open once: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Error("Close twice:", err)
	}
	if _, err := db.Exec(t.Context(), "select 1"); state(err) != "57P01" {
		t.Errorf("after Close: %v", err)
	}
	if got := rows(t, open(t, dir), "select g, n from v"); got != "7 2" {
		t.Error(got)
	}
}

// code and state are what an error says of itself.
func code(err error) string {
	var e *tidemark.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func state(err error) string {
	var e interface{ SQLState() string }
	if errors.As(err, &e) {
		return e.SQLState()
	}
	return ""
}

func TestErrorsNameTheirWayOut(t *testing.T) {
	db := open(t, tidemark.Memory)
	_, err := db.Exec(t.Context(), "select * from nothing")
	var e *tidemark.Error
	if !errors.As(err, &e) || e.State != "42P01" || e.Position != 15 || e.Hint == "" || e.Message != `relation "nothing" does not exist` || e.Class != "user" {
		t.Errorf("%#v", e)
	}
	exec(t, db, "create table t (id int primary key)")
	if _, err := db.Exec(t.Context(), "insert into t values ($1)"); state(err) != "42P02" {
		t.Error("no argument:", err)
	}
	if _, err := db.Exec(t.Context(), "insert into t values ($1)", 1, 2); code(err) != "TM-EM-007" {
		t.Error("two arguments:", err)
	}
	if _, err := db.Exec(t.Context(), "insert into t values ($1)", struct{}{}); code(err) != "TM-EM-006" {
		t.Error("a struct:", err)
	}
	if _, err := db.Query(t.Context(), "select 1; select 2"); state(err) != "42601" {
		t.Error("two statements:", err)
	}
	if _, err := tidemark.Open("", tidemark.Options{Settings: map[string]string{"barrier_interval": "never"}}); state(err) != "22023" {
		t.Error("a setting:", err)
	}
}

func TestConnHasTransactions(t *testing.T) {
	db := open(t, tidemark.Memory)
	exec(t, db, "create table t (id int primary key)")
	c, err := db.Conn()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, sql := range []string{"begin", "insert into t values (1)", "insert into t values (2)"} {
		if _, err := c.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if got := rows(t, db, "select * from t"); got != "" {
		t.Error("before commit:", got)
	}
	rs, err := c.Query(t.Context(), "select id from t order by id")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(t.Context(), "select 1"); code(err) != "TM-EM-005" {
		t.Error("while rows are open:", err)
	}
	if err := rs.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(t.Context(), "insert into t values (1)"); state(err) != "23505" {
		t.Error(err)
	}
	if _, err := c.Exec(t.Context(), "select 1"); state(err) != "25P02" {
		t.Error("a failed transaction:", err)
	}
	if _, err := c.Exec(t.Context(), "rollback"); err != nil {
		t.Error(err)
	}
	if got := rows(t, db, "select * from t"); got != "" {
		t.Error("after rollback:", got)
	}
}

func TestRowsTellTheirTagEvenWhenClosedEarly(t *testing.T) {
	db := open(t, tidemark.Memory)
	exec(t, db, "create table t (id int primary key)")
	rs, err := db.Query(t.Context(), "insert into t values (1), (2) returning id")
	if err != nil {
		t.Fatal(err)
	}
	if !rs.Next() || rs.Close() != nil {
		t.Fatal(rs.Err())
	}
	if got := rs.Result(); got.Tag != "INSERT 0 2" || got.RowsAffected != 2 {
		t.Error(got)
	}
	if got := rows(t, db, "select count(*) from t"); got != "2" {
		t.Error("the statement is committed:", got)
	}
	if res := exec(t, db, "delete from t"); res.RowsAffected != 2 {
		t.Error(res)
	}
	if res := exec(t, db, "select * from generate_series(1, 3000)"); res.Tag != "SELECT 3000" {
		t.Error(res)
	}
}

func TestQueryRow(t *testing.T) {
	db := open(t, tidemark.Memory)
	var n int
	if err := db.QueryRow(t.Context(), "select $1::int + 1", 41).Scan(&n); err != nil || n != 42 {
		t.Error(n, err)
	}
	if err := db.QueryRow(t.Context(), "select 1 where false").Scan(&n); !errors.Is(err, sql.ErrNoRows) {
		t.Error(err)
	}
	if err := db.QueryRow(t.Context(), "select 1/0").Scan(&n); state(err) != "22012" {
		t.Error(err)
	}
	if err := db.QueryRow(t.Context(), "select 'x'").Scan(&n); code(err) != "TM-EM-008" {
		t.Error(err)
	}
}

func TestContextEndsCalls(t *testing.T) {
	db := open(t, tidemark.Memory)
	ctx, cancel := context.WithCancel(t.Context())
	rs, err := db.Query(ctx, "select * from generate_series(1, 1000000000)")
	if err != nil || !rs.Next() {
		t.Fatal(err)
	}
	cancel()
	for rs.Next() {
	}
	if !errors.Is(rs.Err(), context.Canceled) {
		t.Error(rs.Err())
	}
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := db.Exec(short, "select count(*) from generate_series(1, 1000000000)"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestStatementTimeout(t *testing.T) {
	db := open(t, tidemark.Memory)
	c, err := db.Conn()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Exec(t.Context(), "set statement_timeout = '20ms'"); err != nil {
		t.Fatal(err)
	}
	const endless = "select count(*) from generate_series(1, 1000000000000)"
	if _, err := c.Exec(t.Context(), endless); state(err) != "57014" || code(err) != "TM-WIRE-006" {
		t.Error(err)
	}
	if err := c.QueryRow(t.Context(), endless).Scan(new(int)); state(err) != "57014" {
		t.Error(err)
	}
	for { // on a slow machine this may take too long as well
		_, err := c.Exec(t.Context(), "set statement_timeout = 0")
		if err == nil {
			break
		}
		if state(err) != "57014" {
			t.Fatal("the session goes on:", err)
		}
	}
	if _, err := c.Exec(t.Context(), "select 1"); err != nil {
		t.Error("the session goes on:", err)
	}
}

func TestCloseEndsWhatIsOpen(t *testing.T) {
	db, err := tidemark.Open(t.TempDir(), tidemark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, db, "create table t (id int primary key); insert into t select * from generate_series(1, 5000)")
	rs, err := db.Query(t.Context(), "select * from t")
	if err != nil || !rs.Next() {
		t.Fatal(err)
	}
	sub, err := db.Subscribe(t.Context(), "t")
	if err != nil || !sub.Next() {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if rs.Next() || state(rs.Err()) != "57P01" {
		t.Error("rows:", rs.Err())
	}
	if sub.Next() || state(sub.Err()) != "57P01" {
		t.Error("subscription:", sub.Err())
	}
}

func TestServe(t *testing.T) {
	db, err := tidemark.Open(tidemark.Memory, tidemark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- db.Serve(ln) }()
	exec(t, db, "create table t (id int primary key); insert into t values (5)")
	conn, err := pgx.Connect(t.Context(), fmt.Sprintf("postgres://root@%s/dev", ln.Addr()))
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := conn.QueryRow(t.Context(), "select id from t").Scan(&n); err != nil || n != 5 {
		t.Error(n, err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error("Serve:", err)
	}
	conn.Close(t.Context())
}

func detail(err error) string {
	var e *tidemark.Error
	if errors.As(err, &e) {
		return e.Detail
	}
	return ""
}

func TestCopy(t *testing.T) {
	db := open(t, tidemark.Memory)
	exec(t, db, "create table t (id int primary key, name text); create materialized view v as select count(*) as n from t")
	res, err := db.CopyFrom(t.Context(), "copy t from stdin", strings.NewReader("1\tann\n2\t\\N\n"))
	if err != nil || res.Tag != "COPY 2" || res.RowsAffected != 2 {
		t.Error(res, err)
	}
	if got := rows(t, db, "select n from v"); got != "2" {
		t.Error(got)
	}
	var out strings.Builder
	if res, err = db.CopyTo(t.Context(), "copy (select * from t order by id) to stdout", &out); err != nil || res.RowsAffected != 2 || out.String() != "1\tann\n2\t\\N\n" {
		t.Errorf("%v %v %q", res, err, out.String())
	}
	if _, err := db.CopyFrom(t.Context(), "copy t from stdin", strings.NewReader("3\n")); state(err) != "22P04" {
		t.Error("a short line:", err)
	}
	if _, err := db.CopyFrom(t.Context(), "copy t to stdout", strings.NewReader("")); code(err) != "TM-EM-012" {
		t.Error(err)
	}
	if _, err := db.CopyTo(t.Context(), "select 1", &out); code(err) != "TM-EM-012" {
		t.Error(err)
	}
	if _, err := db.Exec(t.Context(), "copy t from stdin"); code(err) != "TM-EM-011" {
		t.Error(err)
	}
	if _, err := db.Query(t.Context(), "copy t to stdout"); code(err) != "TM-EM-011" {
		t.Error(err)
	}
	if got := rows(t, db, "select count(*) from t"); got != "2" {
		t.Error("nothing else was copied:", got)
	}
}

func TestMemory(t *testing.T) {
	if got, want := open(t, tidemark.Memory).Memory(), mem.Machine(os.DirFS("/"), mem.RAM())/2; got != want {
		t.Errorf("%d, want half of what there is, %d", got, want)
	}
	db, err := tidemark.Open(t.TempDir(), tidemark.Options{Settings: map[string]string{"memory": "64MB"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got := db.Memory(); got != 64<<20 {
		t.Error(got)
	}
	if _, err := tidemark.Open(t.TempDir(), tidemark.Options{Settings: map[string]string{"memory": "8MB"}}); state(err) != "53200" {
		t.Error("less than the store needs:", err)
	}
}

// A database that had nothing to do ends at once, and that is no error: the driver may be gone before Close hears of it.
func TestOpenAndClose(t *testing.T) {
	for range 50 {
		db, err := tidemark.Open(tidemark.Memory, tidemark.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
