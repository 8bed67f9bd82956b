package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

// A column has one position for life: views read it by that. One that is added comes behind the others, and rows that are
// there have its initial value; one that is dropped stays in its place, unseen.

// alterColumn runs the actions of ALTER TABLE on columns.
func (s *Session) alterColumn(ctx context.Context, rel *catalog.Relation, a ast.AlterAction) error {
	switch a := a.(type) {
	case *ast.AddColumn:
		return s.addColumn(ctx, rel, a)
	case *ast.DropColumn:
		return s.dropColumn(ctx, rel, a)
	case *ast.RenameColumn:
		return s.renameColumn(ctx, rel, a)
	case *ast.AlterColumn:
		return s.changeColumn(ctx, rel, a)
	}
	return errs.Internal.New("what", "no action on a column")
}

// columnAt finds a column that can be seen.
func columnAt(rel *catalog.Relation, name string) int {
	return slices.IndexFunc(rel.Columns, func(c catalog.Column) bool { return c.Name == name && !c.Hidden })
}

// column is columnAt, with PostgreSQL's error.
func column(rel *catalog.Relation, name ast.Ident) (int, error) {
	i := columnAt(rel, name.Name)
	if i < 0 {
		return 0, errs.UndefinedColumn.New("name", fmt.Sprintf("\"%s\" of relation \"%s\"", name.Name, rel.Name)).At(int(name.Pos))
	}
	return i, nil
}

// editTable changes a table between two epochs. The function gets a copy of it as it is then.
func (d *Database) editTable(ctx context.Context, rel *catalog.Relation, change func(c *catalog.Snapshot, r *catalog.Relation, reads engine.Reads) ([]kv.Write, error)) error {
	return d.engine.Alter(ctx, func(c *catalog.Snapshot, reads engine.Reads) ([]kv.Write, error) {
		now, ok := c.Relation(rel.ID)
		if !ok {
			return nil, errs.UndefinedTable.New("name", rel.Name)
		}
		r := *now
		r.Columns = slices.Clone(now.Columns)
		writes, err := change(c, &r, reads)
		if err != nil {
			return nil, err
		}
		c.Put(&r)
		return append(writes, meta.PutRelation(&r)), nil
	})
}

// redefine changes the statement of a table.
func redefine(rel *catalog.Relation, change func(*ast.CreateTable)) {
	stmt, err := parser.Parse(rel.Definition)
	if st, ok := stmt.(*ast.CreateTable); ok && err == nil {
		change(st)
		rel.Definition = ast.Format(st)
	}
}

// redefineColumn changes the definition of one column.
func redefineColumn(rel *catalog.Relation, name string, change func(*ast.ColumnDef)) {
	redefine(rel, func(st *ast.CreateTable) {
		for _, c := range st.Columns {
			if c.Name == name {
				change(c)
			}
		}
	})
}

// kindName is a kind as messages name it.
func kindName(k catalog.RelationKind) string { return strings.ToLower(objectOf(k)) }

// objectOf is a kind as statements name it.
func objectOf(k catalog.RelationKind) string {
	for object, kind := range kindOf {
		if kind == k {
			return string(object)
		}
	}
	return "RELATION"
}
