package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/query"
	"github.com/tidemark-db/tidemark/internal/spill"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/sql/sqltest"
)

// spilled are queries whose rows do not fit in spillMemory: what they sort, group, join and number goes to files, and the
// answer is the one that memory alone gives.
var spilled = []string{
	"SELECT id, g, s FROM t ORDER BY s DESC NULLS FIRST, id",
	"SELECT s, g FROM t ORDER BY g LIMIT 9000 OFFSET 12000",
	"SELECT id FROM t ORDER BY s, id LIMIT 0 OFFSET 5000",
	"SELECT id FROM t ORDER BY s, id OFFSET 23998",
	"SELECT id, count(*), sum(g), max(s), min(s) FROM t GROUP BY id",
	"SELECT s, count(*), sum(id) FROM t GROUP BY s",
	"SELECT g, s, count(*), count(DISTINCT g), avg(id) FROM t GROUP BY g, s",
	"SELECT DISTINCT id, s FROM t",
	"SELECT count(*), sum(n) FROM (SELECT id % 19001 AS k, count(*) AS n FROM t GROUP BY id % 19001) x",
	"SELECT s, count(*) AS n FROM t GROUP BY s ORDER BY n DESC, s LIMIT 3000",
	"SELECT a.id, a.s, b.g FROM t a JOIN t b ON a.id = b.id",
	"SELECT a.id, b.id FROM t a LEFT JOIN t b ON a.id = b.id + 12000 AND b.g < 5",
	"SELECT a.id, b.id FROM t a FULL JOIN t b ON a.id = b.id - 12000",
	"SELECT a.id FROM t a WHERE NOT EXISTS (SELECT 1 FROM t b WHERE b.s = a.s AND b.id > a.id)",
	"SELECT count(*), count(a.s), count(b.s) FROM t a JOIN t b ON a.s IS NOT DISTINCT FROM b.s AND a.g = b.g",
	"SELECT id, s FROM t EXCEPT SELECT id, s FROM t WHERE g = 3",
	"SELECT s FROM t INTERSECT ALL SELECT s FROM t WHERE g > 3",
	"SELECT id, sum(id) OVER (PARTITION BY s, g), lag(id) OVER (PARTITION BY s, g ORDER BY id) FROM t",
	"SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY s ORDER BY id) AS n FROM t) x WHERE n = 1",
	"SELECT g % 1 FROM t EXCEPT ALL SELECT g % 1 FROM t WHERE id < 20",
	"SELECT g % 2 FROM t INTERSECT ALL SELECT g % 1 FROM t WHERE id >= 20",
}

const (
	spillRows   = 24_000
	spillMemory = 768 << 10
)

func TestWhatDoesNotFitIsSpilled(t *testing.T) {
	w := spillWorld(t)
	for _, sql := range spilled {
		want := w.run(t, sql, query.Env{})
		dir := t.TempDir()
		room := 0
		memory := mem.New("session", spillMemory)
		got := w.run(t, sql, query.Env{Memory: memory, Spill: spill.In(dir, func() error { room++; return nil })})
		if !strings.Contains(sql, "ORDER BY") || strings.Contains(sql, "OVER") {
			slices.Sort(want)
			slices.Sort(got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s gives %d rows, %d in memory, or others", sql, len(got), len(want))
		}
		if room == 0 {
			t.Errorf("%s has made no file", sql)
		}
		if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
			t.Errorf("%s has left %v, %v", sql, names, err)
		}
		if memory.Used() != 0 || memory.Peak() > 2*spillMemory {
			t.Errorf("%s has left %d bytes, and had %d at its peak", sql, memory.Used(), memory.Peak())
		}
	}
}

// The values that DISTINCT and ordered aggregates keep for the groups in memory must fit, and what has no key to be parted by.
func TestWhatCannotBeSpilledIsRefused(t *testing.T) {
	w := spillWorld(t)
	for _, sql := range []string{
		"SELECT g, count(DISTINCT id) FROM t GROUP BY g",
		"SELECT g, string_agg(s, ',' ORDER BY id) FROM t GROUP BY g",
		"SELECT id, row_number() OVER (ORDER BY s, id) FROM t",
		"SELECT count(*) FROM t a JOIN t b ON a.id < b.id AND a.id > 23990",
	} {
		memory := mem.New("session", spillMemory)
		err := w.try(t, sql, query.Env{Memory: memory, Spill: spill.In(t.TempDir(), nil)}, func(string) {})
		if errs.Code(err) != errs.OutOfMemory.Code || memory.Used() != 0 {
			t.Errorf("%s: %v, %d bytes are left; want %s", sql, err, memory.Used(), errs.OutOfMemory.Code)
		}
	}
}

// A disk that is full ends the query, and nothing is left.
func TestSpillingOnAFullDisk(t *testing.T) {
	w := spillWorld(t)
	for _, sql := range spilled {
		for after := range 3 {
			dir, files := t.TempDir(), 0
			memory := mem.New("session", spillMemory)
			err := w.try(t, sql, query.Env{Memory: memory, Spill: spill.In(dir, func() error {
				if files++; files > after {
					return errs.DiskFull.New("free", 0, "needed", 1)
				}
				return nil
			})}, func(string) {})
			if files > after && errs.Code(err) != errs.DiskFull.Code {
				t.Errorf("%s: %v, want %s", sql, err, errs.DiskFull.Code)
			}
			if names, err := os.ReadDir(dir); err != nil || len(names) > 0 || memory.Used() != 0 {
				t.Errorf("%s has left %v, %v and %d bytes", sql, names, err, memory.Used())
			}
		}
	}
}

func spillWorld(t *testing.T) *world {
	w := &world{catalog: sqltest.New(), store: memkv.Open()}
	if err := w.catalog.Create("CREATE TABLE t (id int PRIMARY KEY, g int, s text)"); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var rows strings.Builder
	for i := range spillRows {
		s := fmt.Sprintf("%q", strings.Repeat("x", r.IntN(9))+fmt.Sprint(r.IntN(15000)))
		if r.IntN(20) == 0 {
			s = "NULL"
		}
		fmt.Fprintf(&rows, "+ %d %d %s\n", i, r.IntN(10), s)
	}
	if err := w.load("t", rows.String(), 1); err != nil {
		t.Fatal(err)
	}
	return w
}

// run returns the rows of a query, in order.
func (w *world) run(t *testing.T, sql string, env query.Env) (rows []string) {
	t.Helper()
	if err := w.try(t, sql, env, func(row string) { rows = append(rows, row) }); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return rows
}

func (w *world) try(t *testing.T, sql string, env query.Env, emit func(row string)) error {
	n, err := w.catalog.Bind(sql)
	if err != nil {
		t.Fatal(err)
	}
	view := w.store.View()
	defer view.Close()
	env.Reader, env.Ctx = view, &expr.Ctx{}
	var root plan.Node = opt.Run(n, opt.Options{Ctx: env.Ctx, Once: true})
	return query.Run(context.Background(), root, env, func(c *chunk.Chunk) error {
		for _, row := range strings.Split(strings.TrimSuffix(chunk.Format(c), "\n"), "\n") {
			emit(row)
		}
		return nil
	})
}
