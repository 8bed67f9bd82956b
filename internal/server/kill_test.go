package server_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

var killRounds = flag.Int("kill.rounds", 20, "rounds of SIGKILL on the real binary")

// killWriters is how many clients write while the server is killed.
const killWriters = 3

// TestKill kills the real binary under concurrent writers, again and again. After each start every acknowledged row is
// there, none is there twice, and each view equals its query.
func TestKill(t *testing.T) {
	bin := buildBinary(t)
	dir := t.TempDir()
	acked := map[int64]bool{} // ids whose INSERT was acknowledged
	next := int64(0)
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range *killRounds {
		srv := startBinary(t, bin, dir)
		ctx := context.Background()
		if round == 0 {
			srv.exec(t, "create table t (id bigint primary key, g bigint, v bigint)")
			srv.exec(t, "create table log (id bigint)")
			srv.exec(t, "create materialized view sums as select g, count(*) as n, sum(v) as s from t group by g")
			srv.exec(t, "create materialized view big as select t.id, sums.n from t join sums on t.g = sums.g where t.v > 500")
		}
		before := len(acked)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for w := range killWriters {
			seed := rnd.Uint64()
			wg.Add(1)
			go func() {
				defer wg.Done()
				conn, err := pgx.Connect(ctx, srv.dsn)
				if err != nil {
					return // killed before it could connect
				}
				defer conn.Close(ctx)
				r := rand.New(rand.NewPCG(seed, uint64(w)))
				for {
					mu.Lock()
					next++
					id := next
					mu.Unlock()
					if _, err := conn.Exec(ctx, "insert into t values ($1, $2, $3)", id, r.Int64N(10), r.Int64N(1000)); err != nil {
						return
					}
					if _, err := conn.Exec(ctx, "insert into log values ($1)", id); err != nil {
						return
					}
					mu.Lock()
					acked[id] = true
					mu.Unlock()
					if r.IntN(3) == 0 {
						if _, err := conn.Exec(ctx, "update t set v = v + 1 where g = $1", r.Int64N(10)); err != nil {
							return
						}
					}
				}
			}()
		}
		time.Sleep(time.Duration(100+rnd.IntN(300)) * time.Millisecond) // the moment of the kill is the test's input
		srv.kill(t)
		wg.Wait()
		check := startBinary(t, bin, dir)
		if len(acked) == before {
			t.Fatalf("round %d: no row was acknowledged", round)
		}
		check.verify(t, round, acked)
		check.kill(t)
	}
	t.Logf("%d rounds, %d acknowledged rows", *killRounds, len(acked))
}

// verify compares the table with what was acknowledged, and the views with their queries.
func (b *binary) verify(t *testing.T, round int, acked map[int64]bool) {
	t.Helper()
	for _, table := range []string{"t", "log"} { // log has no key that would hide a row fed twice
		have := map[int64]bool{}
		for _, row := range b.query(t, "select id from "+table) {
			id := row[0].(int64)
			if have[id] {
				t.Fatalf("round %d: row %d is in %s twice", round, id, table)
			}
			have[id] = true
		}
		for id := range acked {
			if !have[id] {
				t.Fatalf("round %d: acknowledged row %d is missing in %s", round, id, table)
			}
		}
	}
	for view, query := range map[string]string{
		"select g, n, s from sums": "select g, count(*), sum(v) from t group by g",
		"select id, n from big":    "select t.id, x.n from t join (select g, count(*) as n from t group by g) x on t.g = x.g where t.v > 500",
	} {
		for _, diff := range []string{view + " except all " + query, query + " except all " + view} {
			if rows := b.query(t, diff); len(rows) > 0 {
				t.Fatalf("round %d: %s gives %v", round, diff, rows)
			}
		}
	}
}

// binary is a running server.
type binary struct {
	cmd *exec.Cmd
	dsn string
}

// buildBinary builds the command once for the test.
func buildBinary(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "tidemark")
	cmd := exec.Command("go", "build", "-o", bin, "../../cmd/tidemark")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// startBinary starts a server on a free port and waits until it is ready.
func startBinary(t *testing.T, bin, dir string) *binary {
	t.Helper()
	cmd := exec.Command(bin, "serve", "--data", dir, "--listen", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	in := bufio.NewScanner(stderr)
	var log []string
	for in.Scan() {
		log = append(log, in.Text())
		if _, rest, ok := strings.Cut(in.Text(), "listen="); ok {
			addr, _, _ := strings.Cut(rest, " ")
			go func() {
				for in.Scan() { // the pipe must not fill
				}
			}()
			return &binary{cmd, fmt.Sprintf("postgres://root@%s/dev?sslmode=disable", addr)}
		}
	}
	t.Fatalf("the server did not start:\n%s", strings.Join(log, "\n"))
	return nil
}

func (b *binary) kill(t *testing.T) {
	t.Helper()
	if err := b.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	b.cmd.Wait()
}

func (b *binary) exec(t *testing.T, sql string) {
	t.Helper()
	b.query(t, sql)
}

func (b *binary) query(t *testing.T, sql string) [][]any {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, b.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	var out [][]any
	for rows.Next() {
		v, err := rows.Values()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return out
}
