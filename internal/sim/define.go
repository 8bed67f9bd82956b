package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/plan/planenc"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

// tables are what every run begins with.
var tables = []string{"t", "u"}

// queries are what views are made of. {1} and {2} are relations; every one has columns x and y, so that any
// can read any.
var queries = []string{
	"SELECT 1 AS x, 2 AS y",
	"SELECT x, y FROM {1} WHERE y > 1",
	"SELECT y AS x, x AS y FROM {1}",
	"SELECT y AS x, count(*) AS y FROM {1} GROUP BY y",
	"SELECT x, count(y) AS y FROM {1} GROUP BY x",
	"SELECT x, sum(y) AS y FROM {1} GROUP BY x",
	"SELECT y AS x, max(x) AS y FROM {1} GROUP BY y",
	"SELECT count(*) AS x, sum(x) AS y FROM {1}",
	"SELECT DISTINCT y AS x, 1 AS y FROM {1}",
	"SELECT x, y FROM {1} ORDER BY y DESC, x LIMIT 3",
	"SELECT x, row_number() OVER (PARTITION BY y ORDER BY x) AS y FROM {1}",
	"SELECT x, y FROM {1} UNION ALL SELECT x, y FROM {2}",
	"SELECT x, y FROM {1} UNION SELECT y, x FROM {2}",
	"SELECT x, y FROM {1} EXCEPT SELECT x, y FROM {2}",
	"SELECT x, y FROM {1} INTERSECT ALL SELECT x, y FROM {2}",
	"SELECT l.x, r.y FROM {1} l JOIN {2} r ON l.y = r.x",
	"SELECT l.x, r.x AS y FROM {1} l LEFT JOIN {2} r ON l.y = r.y",
	"SELECT l.y AS x, r.x AS y FROM {1} l FULL JOIN {2} r ON l.x = r.x",
	"SELECT l.y AS x, count(*) AS y FROM {1} l JOIN {2} r ON l.x = r.y GROUP BY l.y",
	"SELECT x, y FROM {1} l WHERE EXISTS (SELECT 1 FROM {2} r WHERE r.y = l.x)",
	"SELECT x, y FROM {1} WHERE x NOT IN (SELECT y FROM {2})",
	"SELECT x, y FROM {1} l WHERE y > (SELECT avg(y) FROM {2})",
}

// taste is what the clients of a run like to make. Some like few kinds of views only, or one way to make them: what needs
// several things of one kind is met there, and seldom where everything is mixed.
type taste struct {
	queries []string
	// Of sharesOf views so many read their history while they are attached, and so many slowly.
	arranged, slow int
}

const (
	sharesOf = 4
	// tasteQueries is how many kinds of views there are in a run with a taste of its own.
	tasteQueries = 3
)

func newTaste(r *rand.Rand) taste {
	t := taste{queries: queries, arranged: []int{0, 1, 2, 4}[r.IntN(4)], slow: []int{0, 2, 4}[r.IntN(3)]}
	if r.IntN(2) == 0 {
		t.queries = nil
		for range tasteQueries {
			t.queries = append(t.queries, queries[r.IntN(len(queries))])
		}
	}
	return t
}

// aQuery fills in one of the queries.
func (s *scheduler) aQuery(from []*catalog.Relation) string {
	name := func() string { return from[s.rand.IntN(len(from))].Name }
	return strings.NewReplacer("{1}", name(), "{2}", name()).Replace(s.taste.queries[s.rand.IntN(len(s.taste.queries))])
}

// compiler makes definitions of SQL.
type compiler struct {
	funcs *expr.Registry
	aggs  *agg.Registry
}

func newCompiler() *compiler { return &compiler{expr.NewRegistry(), agg.NewRegistry()} }

func (c *compiler) resolver() planenc.Resolver { return planenc.Resolver{Funcs: c.funcs, Aggs: c.aggs} }

// define makes what Create takes of a CREATE statement, as a session does.
func (c *compiler) define(cat *catalog.Snapshot, sql string) (engine.Definition, error) {
	stmt, err := parser.Parse(sql)
	if err != nil {
		return engine.Definition{}, err
	}
	ctx := &expr.Ctx{}
	b := &bind.Binder{Catalog: cat, Path: []string{catalog.DefaultSchema}, Funcs: c.funcs, Aggs: c.aggs, Ctx: ctx,
		System: func(string, string) (*catalog.Relation, bool) { return nil, false }}
	switch st := stmt.(type) {
	case *ast.CreateTable:
		rel, err := b.CreateTable(st, catalog.DefaultSchema)
		return engine.Definition{Relation: rel, SQL: sql}, err
	case *ast.CreateView:
		rel, n, err := b.CreateView(st, catalog.DefaultSchema)
		if err != nil {
			return engine.Definition{}, err
		}
		if n, err = opt.View(n, opt.Options{Ctx: ctx, Funcs: c.funcs}); err != nil {
			return engine.Definition{}, err
		}
		rel.Key = plan.UniqueKey(n)
		return engine.Definition{Relation: rel, Plan: n, SQL: sql}, nil
	}
	return engine.Definition{}, errs.Internal.New("what", fmt.Sprintf("%T defines nothing", stmt))
}
