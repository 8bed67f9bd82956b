package pgwire

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib"
)

// connect opens a pgx connection that the test closes.
func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func limited(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func TestPgxModes(t *testing.T) {
	srv := start(t, Config{})
	for _, mode := range []string{"cache_statement", "cache_describe", "describe_exec", "simple_protocol"} {
		t.Run(mode, func(t *testing.T) {
			ctx, conn := limited(t), connect(t, srv.url("default_query_exec_mode="+mode))
			for range 2 { // the second time from the cache
				rows, err := conn.Query(ctx, "rows 2500")
				if err != nil {
					t.Fatal(err)
				}
				type row struct {
					ID   int32
					Name *string
				}
				got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
				if err != nil || len(got) != 2500 || got[2499].ID != 2500 || *got[2499].Name != "row 2500" || got[2].Name != nil {
					t.Fatalf("%d rows, last %v, error %v", len(got), got[len(got)-1], err)
				}
				if rows.CommandTag().String() != "SELECT 2500" {
					t.Fatalf("tag %s", rows.CommandTag())
				}
			}
		})
	}
}

func TestPgxParameters(t *testing.T) {
	ctx := limited(t)
	conn := connect(t, start(t, Config{}).url(""))
	var a int32
	var b *string
	var c float64
	var d []byte
	row := conn.QueryRow(ctx, "echo int4,text,float8,bytea", 42, nil, 0.1, []byte{0, 255})
	if err := row.Scan(&a, &b, &c, &d); err != nil {
		t.Fatal(err)
	}
	if a != 42 || b != nil || c != 0.1 || !bytes.Equal(d, []byte{0, 255}) {
		t.Fatalf("got %v %v %v %v", a, b, c, d)
	}
}

func TestPgxPipeline(t *testing.T) {
	ctx := limited(t)
	conn := connect(t, start(t, Config{}).url(""))
	batch := &pgx.Batch{}
	batch.Queue("insert 1")
	batch.Queue("fail")
	batch.Queue("insert 2")
	results := conn.SendBatch(ctx, batch)
	if tag, err := results.Exec(); err != nil || tag.RowsAffected() != 1 {
		t.Fatalf("first: %v %v", tag, err)
	}
	var pgErr *pgconn.PgError
	if _, err := results.Exec(); !errors.As(err, &pgErr) || pgErr.Code != "55000" || pgErr.Position != 8 {
		t.Fatalf("second: %v", err)
	}
	if _, err := results.Exec(); err == nil {
		t.Fatal("the third statement ran after an error")
	}
	_ = results.Close()
	if _, err := conn.Exec(ctx, "insert 3"); err != nil {
		t.Fatalf("after the pipeline: %v", err)
	}
}

func TestPgxCopy(t *testing.T) {
	ctx, srv := limited(t), start(t, Config{})
	conn := connect(t, srv.url("")).PgConn()
	data := strings.Repeat("1\tsome text\n", 50_000)
	tag, err := conn.CopyFrom(ctx, strings.NewReader(data), "copyin")
	if err != nil || tag.String() != "COPY 50000" || srv.log.copied != data {
		t.Fatalf("in: %v %v", tag, err)
	}
	var out bytes.Buffer
	tag, err = conn.CopyTo(ctx, &out, "copyout 30000")
	if err != nil || tag.String() != "COPY 30000" || !strings.HasSuffix(out.String(), "30000\trow 30000\n") {
		t.Fatalf("out: %v %v", tag, err)
	}
	var pgErr *pgconn.PgError
	if _, err = conn.CopyFrom(ctx, strings.NewReader(data), "copyin fail"); !errors.As(err, &pgErr) || pgErr.Code != "22P02" {
		t.Fatalf("server fails: %v", err)
	}
	broken := io.MultiReader(strings.NewReader(data), iotestErr{})
	if _, err = conn.CopyFrom(ctx, broken, "copyin"); err == nil || !strings.Contains(err.Error(), "burnt") {
		t.Fatalf("client fails: %v", err)
	}
	if _, err := conn.Exec(ctx, "insert 1").ReadAll(); err != nil {
		t.Fatalf("after the copies: %v", err)
	}
}

type iotestErr struct{}

func (iotestErr) Read([]byte) (int, error) { return 0, errors.New("the source is burnt") }

func TestPgxCancel(t *testing.T) {
	ctx, srv := limited(t), start(t, Config{})
	for _, mode := range []string{"simple_protocol", "exec"} {
		conn := connect(t, srv.url("default_query_exec_mode="+mode))
		failed := make(chan error, 1)
		go func() {
			_, err := conn.Exec(ctx, "wait")
			failed <- err
		}()
		srv.waiting(t)
		if err := conn.PgConn().CancelRequest(ctx); err != nil {
			t.Fatal(err)
		}
		var pgErr *pgconn.PgError
		if err := <-failed; !errors.As(err, &pgErr) || pgErr.Code != "57014" {
			t.Fatalf("got %v", err)
		}
		if _, err := conn.Exec(ctx, "insert 1"); err != nil {
			t.Fatalf("after the cancel: %v", err)
		}
	}
}

// A client that vanishes ends its statement; start's cleanup finds a session that is still open.
func TestDisconnectCancels(t *testing.T) {
	ctx, srv := limited(t), start(t, Config{})
	conn := connect(t, srv.url(""))
	failed := make(chan error, 1)
	go func() {
		_, err := conn.Exec(ctx, "wait")
		failed <- err
	}()
	srv.waiting(t)
	_ = conn.PgConn().Conn().Close()
	<-failed
	// The driver sends a cancel request on a connection of its own meanwhile, so the server's connections can not be waited for.
	for n := srv.log.opened(); n != 0; n = srv.log.opened() {
		select {
		case <-ctx.Done():
			t.Fatalf("%d sessions or results are still open", n)
		case <-time.After(time.Millisecond):
		}
	}
}

func TestDatabaseSQL(t *testing.T) {
	ctx := limited(t)
	db, err := sql.Open("pgx", start(t, Config{}).url(""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	stmt, err := db.PrepareContext(ctx, "echo int8,text")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		var n int64
		var s sql.NullString
		if err := stmt.QueryRowContext(ctx, i, "x").Scan(&n, &s); err != nil || n != int64(i) || s.String != "x" {
			t.Fatalf("got %d %v %v", n, s, err)
		}
	}
	if err := stmt.Close(); err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := tx.ExecContext(ctx, "insert 5"); err != nil {
		t.Fatal(err)
	} else if n, _ := r.RowsAffected(); n != 5 {
		t.Fatalf("%d rows affected", n)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

func TestPsql(t *testing.T) {
	path, err := exec.LookPath("psql")
	if err != nil {
		t.Fatal("psql is not installed: make deps")
	}
	srv := start(t, Config{})
	psql := func(stdin string, args ...string) string {
		cmd := exec.CommandContext(limited(t), path, append([]string{"-X", "-At", "-d", srv.url("sslmode=prefer&gssencmode=prefer")}, args...)...)
		cmd.Stdin = strings.NewReader(stdin)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	for _, c := range []struct{ stdin, args, want string }{
		{"", "rows 2", "1|row 1\n2|row 2\n"},
		{"", "insert 3", "INSERT 0 3\n"},
		{"", "notice hello", "NOTICE:  hello\nNOTICE\n"},
		{"1\ta\n2\tb\n", "copy from stdin", "COPY 2\n"},
		{"", "copyout 2", "1\trow 1\n2\trow 2\n"},
		{"", "bogus", "ERROR:  syntax error at or near \"bogus\"\nLINE 1: bogus\n        ^\n"},
	} {
		if got := psql(c.stdin, "-c", c.args); !strings.HasPrefix(got, c.want) {
			t.Errorf("psql -c %q printed %q, want %q", c.args, got, c.want)
		}
	}
	got := psql("\\set FETCH_COUNT 2\n\\conninfo\nrows 1;\n\\bind 7 x\necho int4,text;\n")
	if want := fmt.Sprintf("port \"%d\"", srv.addr.Port); !strings.Contains(got, want) || !strings.Contains(got, "1|row 1\n") {
		t.Errorf("psql script printed %q", got)
	}
}
