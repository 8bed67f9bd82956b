package tidemark_test

import (
	"context"
	"database/sql"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark"
)

// openSQL opens a sql.DB that is closed with the test.
func openSQL(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("tidemark", dsn)
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

func sqlExec(t *testing.T, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func count(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func TestSQLDriver(t *testing.T) {
	dir := t.TempDir()
	db := openSQL(t, dir)
	sqlExec(t, db, "create table t (id bigint primary key, name text, at timestamptz, n numeric, tags text[])")
	sqlExec(t, db, "create materialized view v as select count(*) as n from t")
	at := time.Date(2024, 2, 29, 12, 0, 0, 123456000, time.UTC)
	stmt, err := db.PrepareContext(t.Context(), "insert into t values ($1, $2, $3, $4, $5)")
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	for i := range 3 {
		res, err := stmt.ExecContext(t.Context(), i, sql.NullString{String: "x", Valid: i > 0}, at, "1.50", []string{"a", `b"c`})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := res.RowsAffected(); n != 1 || err != nil {
			t.Error(n, err)
		}
		if _, err := res.LastInsertId(); state(err) != "0A000" {
			t.Error(err)
		}
	}
	if n := count(t, db, "select n from v"); n != 3 {
		t.Error("the view has", n)
	}
	var name sql.NullString
	var got time.Time
	var n float64
	var tags string
	if err := db.QueryRow("select name, at, n, tags from t where id = $1", 0).Scan(&name, &got, &n, &tags); err != nil {
		t.Fatal(err)
	}
	if name.Valid || !got.Equal(at) || n != 1.5 || tags != `{a,"b\"c"}` {
		t.Error(name, got, n, tags)
	}
	if db.Close() != nil {
		t.Fatal("close")
	}
	if n := count(t, openSQL(t, dir), "select n from v"); n != 3 {
		t.Error("after a restart the view has", n)
	}
}

func TestSQLDriverColumnTypes(t *testing.T) {
	db := openSQL(t, tidemark.Memory)
	rows, err := db.QueryContext(t.Context(), "select true a, 1 b, 1.5::float8 c, 'x'::varchar(3) d, now() e, '\\x00'::bytea f, 1.5 g, array[1] h")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	cols, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		name string
		scan reflect.Type
	}{
		{"BOOL", reflect.TypeFor[bool]()}, {"INT4", reflect.TypeFor[int64]()}, {"FLOAT8", reflect.TypeFor[float64]()},
		{"VARCHAR", reflect.TypeFor[string]()}, {"TIMESTAMPTZ", reflect.TypeFor[time.Time]()}, {"BYTEA", reflect.TypeFor[[]byte]()},
		{"NUMERIC", reflect.TypeFor[string]()}, {"_INT4", reflect.TypeFor[string]()},
	} {
		if cols[i].DatabaseTypeName() != want.name || cols[i].ScanType() != want.scan {
			t.Errorf("%s: %s %v", want.name, cols[i].DatabaseTypeName(), cols[i].ScanType())
		}
	}
}

func TestSQLDriverTransactions(t *testing.T) {
	db := openSQL(t, tidemark.Memory)
	sqlExec(t, db, "create table t (id int primary key)")
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("insert into t values (1)"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, db, "select count(*) from t"); n != 0 { // another connection of the pool
		t.Error("before commit:", n)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if n := count(t, db, "select count(*) from t"); n != 1 {
		t.Error("after commit:", n)
	}

	tx, _ = db.Begin()
	if _, err := tx.Exec("insert into t values (1)"); state(err) != "23505" {
		t.Error(err)
	}
	if err := tx.Commit(); state(err) != "25P02" {
		t.Error("a failed transaction is not committed:", err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	tx, err = db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("insert into t values (2)"); err != nil {
		t.Fatal(err)
	}
	cancel() // rolls back
	if err := tx.Commit(); err == nil {
		t.Error("the context had ended")
	}
	if n := count(t, db, "select count(*) from t"); n != 1 {
		t.Error("after cancel:", n)
	}
	if _, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelLinearizable}); code(err) != "TM-EM-010" {
		t.Error(err)
	}
}

// A connection goes back to the pool without the settings of who had it.
func TestSQLDriverResetsSessions(t *testing.T) {
	db := openSQL(t, tidemark.Memory)
	db.SetMaxOpenConns(1)
	sqlExec(t, db, "set timezone = 'Asia/Tokyo'")
	var zone string
	if err := db.QueryRow("show timezone").Scan(&zone); err != nil || zone != "UTC" {
		t.Error(zone, err)
	}
}

func TestSQLDriverContext(t *testing.T) {
	db := openSQL(t, tidemark.Memory)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := db.ExecContext(ctx, "select count(*) from generate_series(1, 1000000000000)"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := db.PingContext(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := db.Exec("select $1::int", sql.Named("a", 1)); state(err) != "0A000" {
		t.Error(err)
	}
}

func TestSQLDriverOverAnOpenDB(t *testing.T) {
	inner := open(t, tidemark.Memory)
	exec(t, inner, "create table t (id int primary key); insert into t values (1)")
	db := sql.OpenDB(inner.Connector())
	if n := count(t, db, "select count(*) from t"); n != 1 {
		t.Error(n)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if got := rows(t, inner, "select * from t"); got != "1" {
		t.Error("closing the sql.DB leaves the database open:", got)
	}
	one, err := db.Driver().Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Close(); err != nil {
		t.Error(err)
	}
}
