package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// serve starts a server in memory and returns its address.
func serve(t *testing.T) net.Addr {
	t.Helper()
	set := settings.NewServer(settings.NewRegistry())
	db, err := session.Open(session.Options{Settings: set, Verifier: Verifier})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := New(db, set, nil)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go srv.Serve(ln)
	t.Cleanup(func() {
		if err := errors.Join(srv.Shutdown(context.Background()), db.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	return ln.Addr()
}

// connect opens a connection that ends with the test; options are those of a connection string.
func connect(t *testing.T, to net.Addr, options string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), fmt.Sprintf("postgres://root@%s/dev?sslmode=disable&%s", to, options))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// Object-relational mappers find the constraint and its table in fields of their own.
func TestErrorNamesItsObject(t *testing.T) {
	conn := connect(t, serve(t), "")
	if _, err := conn.Exec(t.Context(), "CREATE SCHEMA shop; CREATE TABLE shop.item (id int PRIMARY KEY, name text NOT NULL); INSERT INTO shop.item VALUES (1, 'a')"); err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]pgconn.PgError{
		"INSERT INTO shop.item VALUES (1, 'b')":  {Code: "23505", SchemaName: "shop", TableName: "item", ConstraintName: "item_pkey"},
		"INSERT INTO shop.item VALUES (2, NULL)": {Code: "23502", SchemaName: "shop", TableName: "item", ColumnName: "name"},
	} {
		_, err := conn.Exec(t.Context(), sql)
		var e *pgconn.PgError
		if !errors.As(err, &e) {
			t.Fatalf("%s: %v", sql, err)
		}
		got := pgconn.PgError{Code: e.Code, SchemaName: e.SchemaName, TableName: e.TableName, ColumnName: e.ColumnName, ConstraintName: e.ConstraintName}
		if got != want {
			t.Errorf("%s: %+v", sql, got)
		}
	}
}

// asyncpg sends the encoding within quotes, as a value of SQL.
func TestEncodingInQuotes(t *testing.T) {
	connect(t, serve(t), "client_encoding=%27utf-8%27")
}

// Drivers describe a declared cursor as a portal and then fetch from it.
func TestDeclaredCursorIsDescribed(t *testing.T) {
	conn := connect(t, serve(t), "")
	if _, err := conn.Exec(t.Context(), "BEGIN; DECLARE c CURSOR FOR SELECT 1 AS one, 'x' AS two"); err != nil {
		t.Fatal(err)
	}
	conn.PgConn().Frontend().SendDescribe(&pgproto3.Describe{ObjectType: 'P', Name: "c"})
	conn.PgConn().Frontend().SendSync(&pgproto3.Sync{})
	if err := conn.PgConn().Frontend().Flush(); err != nil {
		t.Fatal(err)
	}
	m, err := conn.PgConn().Frontend().Receive()
	if d, ok := m.(*pgproto3.RowDescription); err != nil || !ok || len(d.Fields) != 2 || string(d.Fields[1].Name) != "two" {
		t.Errorf("%+v, %v", m, err)
	}
}
