package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

// Renamed returns a relation with the new names in its statement and query; the binder's catalog has the old ones.
func (b *Binder) Renamed(rel *catalog.Relation, r Renaming) (*catalog.Relation, error) {
	out := *rel
	if name, ok := r.Relations[rel.ID]; ok {
		out.Schema, out.Name = name.Schema(), name.Last()
	}
	if rel.Query != "" {
		q, err := parseQuery(rel.Query)
		if err != nil {
			return nil, err
		}
		if _, err := b.Rename(q, r); err != nil {
			return nil, err
		}
		out.Query = ast.Format(q)
	}
	var err error
	if out.Definition, err = b.redefined(rel, &out, r); err != nil {
		return nil, err
	}
	return &out, nil
}

// redefined is the statement of a relation with new names.
func (b *Binder) redefined(rel, now *catalog.Relation, r Renaming) (string, error) {
	stmt, err := parser.Parse(rel.Definition)
	if err != nil {
		return rel.Definition, nil // it was made by another version
	}
	switch st := stmt.(type) {
	case *ast.CreateTable:
		renameTo(&st.Name, rel, now)
		if r.Of == rel.ID {
			b.renameColumns(st, rel, r)
		}
	case *ast.CreateView:
		renameTo(&st.Name, rel, now)
		b.renameIn(&st.Query, rel, now, r)
	case *ast.CreateIndex:
		if on, ok := b.Catalog.Relation(rel.Indexed); ok {
			b.renameIndexed(st, on, r)
		}
		renameTo(&st.Name, rel, now)
		st.Name.Parts = []string{now.Name}
	case *ast.CreateSource:
		renameTo(&st.Name, rel, now)
	case *ast.CreateSink:
		renameTo(&st.Name, rel, now)
		b.renameFrom(&st.From, rel, r)
		b.renameInto(st, rel, r)
		if st.Query != nil {
			b.renameIn(&st.Query, rel, now, r)
		}
	case *ast.CreateSubscription:
		renameTo(&st.Name, rel, now)
		b.renameFrom(&st.From, rel, r)
	}
	return ast.Format(stmt), nil
}

// renameTo gives a name in a statement its new parts, qualified where it was, or where the schema changes.
func renameTo(n *ast.Name, was, is *catalog.Relation) {
	if n.Schema() == "" && was.Schema == is.Schema {
		n.Parts = []string{is.Name}
		return
	}
	n.Parts = []string{is.Schema, is.Name}
}

// renameIn rewrites the query of a view's statement as it was written; where its names can not be found again it becomes
// the stored query.
func (b *Binder) renameIn(query **ast.Query, rel, now *catalog.Relation, r Renaming) {
	at := *b
	at.Path = append([]string{rel.Schema}, b.Path...)
	if _, err := at.Rename(*query, r); err == nil {
		return
	}
	if q, err := parseQuery(now.Query); err == nil {
		*query = q
	}
}

// renameFrom renames what a sink or subscription is FROM.
func (b *Binder) renameFrom(n *ast.Name, rel *catalog.Relation, r Renaming) {
	for _, up := range rel.DependsOn {
		name, renamed := r.Relations[up]
		was, ok := b.Catalog.Relation(up)
		if renamed && ok && len(n.Parts) > 0 && was.Name == n.Last() {
			renameTo(n, was, &catalog.Relation{Schema: name.Schema(), Name: name.Last()})
			return
		}
	}
}

// renameInto renames the table that a sink is INTO, and those of its columns that the statement lists.
func (b *Binder) renameInto(st *ast.CreateSink, rel *catalog.Relation, r Renaming) {
	into, ok := b.Catalog.Relation(rel.Into)
	if !ok {
		return
	}
	if name, ok := r.Relations[into.ID]; ok {
		renameTo(&st.Into, into, &catalog.Relation{Schema: name.Schema(), Name: name.Last()})
	}
	if r.Of != into.ID {
		return
	}
	names := renamedOf(into, r)
	for i := range st.IntoColumns {
		if name, ok := names[st.IntoColumns[i].Name]; ok {
			st.IntoColumns[i].Name = name
		}
	}
}

func (b *Binder) renameIndexed(st *ast.CreateIndex, on *catalog.Relation, r Renaming) {
	if name, ok := r.Relations[on.ID]; ok {
		renameTo(&st.Table, on, &catalog.Relation{Schema: name.Schema(), Name: name.Last()})
	}
	if r.Of != on.ID {
		return
	}
	names := renamedOf(on, r)
	for i := range st.Columns {
		renameRef(st.Columns[i].Expr, names)
	}
	for _, lists := range [][]ast.Expr{st.Include, st.Distributed} {
		for _, e := range lists {
			renameRef(e, names)
		}
	}
}

// renamedOf maps the old names of columns to the new ones.
func renamedOf(rel *catalog.Relation, r Renaming) map[string]string {
	out := map[string]string{}
	for i, name := range r.Columns {
		out[rel.Columns[i].Name] = name
	}
	return out
}

func renameRef(e ast.Expr, names map[string]string) {
	ref, ok := e.(*ast.ColumnRef)
	if !ok {
		return
	}
	if name, ok := names[ref.Parts[len(ref.Parts)-1]]; ok {
		ref.Parts = append(slices.Clone(ref.Parts[:len(ref.Parts)-1]), name)
	}
}

// renameColumns renames columns in the statement of their table.
func (b *Binder) renameColumns(st *ast.CreateTable, rel *catalog.Relation, r Renaming) {
	names := renamedOf(rel, r)
	rename := func(name *string) {
		if n, ok := names[*name]; ok {
			*name = n
		}
	}
	for _, c := range st.Columns {
		rename(&c.Name)
		for i := range c.Constraints {
			if k := &c.Constraints[i]; k.Kind == ast.Generated {
				b.renameInRow(k.Expr, rel, r)
			}
		}
	}
	for i := range st.Constraints {
		for k := range st.Constraints[i].Columns {
			rename(&st.Constraints[i].Columns[k].Name)
		}
	}
	for i := range st.Watermarks {
		rename(&st.Watermarks[i].Column.Name)
		b.renameInRow(st.Watermarks[i].Expr, rel, r)
	}
	for i := range st.VersionColumns {
		rename(&st.VersionColumns[i].Name)
	}
}

// renameInRow renames columns in an expression over a table's row.
func (b *Binder) renameInRow(e ast.Expr, rel *catalog.Relation, r Renaming) {
	for ref, c := range b.inRow(e, rel) {
		if name, ok := r.Columns[c.index]; ok {
			ref.Parts = append(slices.Clone(ref.Parts[:len(ref.Parts)-1]), name)
		}
	}
}

// inRow finds the columns that an expression over a table's row names.
func (b *Binder) inRow(e ast.Expr, rel *catalog.Relation) map[*ast.ColumnRef]scopeCol {
	b.names = newNames()
	defer func() { b.names = nil }()
	_, _ = b.expr(e, rowScope(rel, "", 0)) // it was bound when the table was made
	return b.names.columns
}

// RenamedGenerated is the expression of a generated column with new names of other columns.
func (b *Binder) RenamedGenerated(text string, rel *catalog.Relation, r Renaming) (string, error) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return "", err
	}
	b.renameInRow(e, rel, r)
	return ast.FormatExpr(e), nil
}

// GeneratedFrom returns the positions of the columns that a generated column is computed from.
func (b *Binder) GeneratedFrom(text string, rel *catalog.Relation) ([]int, error) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return nil, err
	}
	var out []int
	for _, c := range b.inRow(e, rel) {
		out = append(out, c.index)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func parseQuery(text string) (*ast.Query, error) {
	stmt, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	q, ok := stmt.(*ast.Query)
	if !ok {
		return nil, errs.Internal.New("what", "a view's text is not a query")
	}
	return q, nil
}
