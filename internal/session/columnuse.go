package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

// columnUsers are the names of what reads a column: jobs by their stored plans, views by their queries, generated columns.
// Indexes only carry it.
func (s *Session) columnUsers(b *bind.Binder, c *catalog.Snapshot, rel *catalog.Relation, at int, reads engine.Reads) ([]string, error) {
	b.Catalog = c
	var out []string
	for i, col := range rel.Columns {
		if col.Generated == "" || i == at {
			continue
		}
		from, err := b.GeneratedFrom(col.Generated, rel)
		if err != nil {
			return nil, err
		}
		if slices.Contains(from, at) {
			out = append(out, "column "+col.Name+" of table "+rel.Name)
		}
	}
	if w := rel.Watermark; w != nil && w.Col == at {
		out = append(out, "the watermark of table "+rel.Name)
	}
	for _, sink := range c.SinksInto(rel.ID) {
		if slices.Contains(sink.IntoCols, at) {
			out = append(out, kindName(sink.Kind)+" "+sink.Name)
		}
	}
	for _, user := range c.Dependants(rel.ID) {
		used, err := readsOf(b, user, rel.ID, reads)
		if err != nil {
			return nil, err
		}
		if user.Kind != catalog.KindIndex && slices.Contains(used, at) {
			out = append(out, kindName(user.Kind)+" "+user.Name)
		}
	}
	return out, nil
}

// readsOf is which columns of a relation another one reads.
func readsOf(b *bind.Binder, user *catalog.Relation, of id.Relation, reads engine.Reads) ([]int, error) {
	if user.Job != 0 {
		return reads(user.Job, of), nil
	}
	stmt, err := parser.Parse(user.Query)
	if err != nil {
		return nil, err
	}
	q, ok := stmt.(*ast.Query)
	if !ok {
		return nil, nil
	}
	bound, err := b.Query(q)
	if err != nil {
		return nil, err
	}
	var out []int
	var visit func(plan.Node)
	visit = func(n plan.Node) {
		if scan, ok := n.(*plan.Scan); ok && scan.Rel.ID == of {
			out = append(out, scan.Cols...)
		}
		for _, in := range n.Inputs() {
			visit(in)
		}
	}
	visit(opt.Run(bound.Root, opt.Options{Ctx: b.Ctx}))
	return out, nil
}

// usedBy lists what depends on a column, as PostgreSQL words it.
func usedBy(users []string, column, table string) string {
	lines := make([]string, len(users))
	for i, u := range users {
		lines[i] = fmt.Sprintf("%s depends on column %s of table %s", u, column, table)
	}
	return strings.Join(lines, "\n")
}
