package server_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// answerMax bounds what tests wait for; it is reached only when a test fails, on the slowest machine too.
const answerMax = 5 * time.Minute

// binary is a running server.
type binary struct {
	cmd *exec.Cmd
	dsn string
}

// buildBinary builds the command once for the test.
func buildBinary(t testing.TB) string {
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
func startBinary(t testing.TB, bin, dir string) *binary {
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

func (b *binary) kill(t testing.TB) {
	t.Helper()
	if err := b.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	b.cmd.Wait()
}

func (b *binary) exec(t testing.TB, sql string) {
	t.Helper()
	b.query(t, sql)
}

func (b *binary) query(t testing.TB, sql string) [][]any {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), answerMax)
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
