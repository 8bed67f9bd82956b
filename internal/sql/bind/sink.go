package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// SinkInto binds a sink into a table: its columns are those of the table that it fills, its rows are cast as an INSERT
// casts them. The query is that of the sink, or all of the relation that it is FROM.
func (b *Binder) SinkInto(s *ast.CreateSink, query *ast.Query, schema string) (*catalog.Relation, plan.Node, error) {
	n, _, err := b.query(query, nil)
	if err != nil {
		return nil, nil, err
	}
	if err := maintainable(n); err != nil {
		return nil, nil, err
	}
	rel := &catalog.Relation{Schema: schema, Name: s.Name.Last(), Kind: catalog.KindSink, Definition: ast.Format(s)}
	rel.DependsOn = slices.Compact(slices.Sorted(slices.Values(b.Dependencies())))
	if rel.Query, err = b.frozen(query); err != nil {
		return nil, nil, err
	}
	into, err := b.target(s.Into, "INSERT")
	if err != nil {
		return nil, nil, err
	}
	if b.fills(into.ID, rel.DependsOn) {
		return nil, nil, errs.SinkCycle.New("sink", rel.Name, "table", into.Name).At(int(s.Into.Pos))
	}
	cols, err := insertColumns(into, s.IntoColumns)
	if err != nil {
		return nil, nil, err
	}
	if err := countMatches(len(n.Schema()), len(cols), s.IntoColumns, func(i int) ast.Pos { return itemPos(query.Body, i) }); err != nil {
		return nil, nil, err
	}
	p := identity(n)
	for i := range p.Exprs {
		c := into.Columns[cols[i]]
		if p.Exprs[i], err = b.assign(literalOf(n, i), c); err != nil {
			return nil, nil, at(err, itemPos(query.Body, i))
		}
		p.Names[i] = c.Name
		rel.Columns = append(rel.Columns, catalog.Column{Name: c.Name, Type: c.Type})
	}
	rel.Into, rel.IntoCols = into.ID, cols[:len(p.Exprs)]
	return rel, Streaming(p), nil
}

// fills reports whether the rows of a table reach any of the relations, through views and other sinks.
func (b *Binder) fills(table id.Relation, rels []id.Relation) bool {
	seen := map[id.Relation]bool{}
	var reached func(r id.Relation) bool
	reached = func(r id.Relation) bool {
		if r == table || seen[r] {
			return r == table
		}
		seen[r] = true
		rel, ok := b.Catalog.Relation(r)
		if !ok {
			return false
		}
		return slices.ContainsFunc(rel.DependsOn, reached) || slices.ContainsFunc(b.Catalog.SinksInto(r), func(s *catalog.Relation) bool { return reached(s.ID) })
	}
	return slices.ContainsFunc(rels, reached)
}
