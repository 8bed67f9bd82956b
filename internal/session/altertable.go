package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/types"
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
func (s *Session) editTable(ctx context.Context, rel *catalog.Relation, change func(c *catalog.Snapshot, r *catalog.Relation, reads engine.Reads) ([]kv.Write, error)) error {
	return s.d.engine.Alter(ctx, func(c *catalog.Snapshot, reads engine.Reads) ([]kv.Write, error) {
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

func (s *Session) addColumn(ctx context.Context, rel *catalog.Relation, a *ast.AddColumn) error {
	col, err := s.binder(nil).Column(a.Column)
	if err != nil {
		return err
	}
	if col.Generated != "" {
		return errs.Unsupported.New("feature", "a generated column that is added to a table").At(int(a.Column.Pos))
	}
	if columnAt(rel, col.Name) >= 0 && a.IfNotExists {
		s.notice("NOTICE", "column \"%s\" of relation \"%s\" already exists, skipping", col.Name, rel.Name)
		return nil
	}
	initial, err := s.initialValue(a, col)
	if err != nil {
		return err
	}
	if col.NotNull && initial.IsNull() {
		if some, err := s.any(ctx, rel, nil); err != nil || some {
			return orElse(err, errs.NullsPresent.New("column", col.Name, "table", rel.Name))
		}
	}
	col.Initial = dml.InitialValue(col.Type, initial)
	return s.editTable(ctx, rel, func(_ *catalog.Snapshot, r *catalog.Relation, _ engine.Reads) ([]kv.Write, error) {
		if columnAt(r, col.Name) >= 0 {
			return nil, errs.DuplicateTableColumn.New("column", col.Name, "table", r.Name).At(int(a.Column.Pos))
		}
		r.Columns = append(r.Columns, col)
		redefine(r, func(st *ast.CreateTable) { st.Columns = append(st.Columns, a.Column) })
		return nil, nil
	})
}

// initialValue is what rows that are there get: the default, computed once.
func (s *Session) initialValue(a *ast.AddColumn, col catalog.Column) (types.Datum, error) {
	e, err := s.binder(nil).Default(col)
	if err != nil {
		return types.Null, err
	}
	if expr.VolatilityOf(e) == expr.Volatile {
		return types.Null, errs.Unsupported.New("feature", "adding a column whose default differs from row to row").At(int(a.Column.Pos))
	}
	return expr.EvalConst(s.exprCtx(), e)
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// any reports whether the table has a row that satisfies the condition; nil: any row.
func (s *Session) any(ctx context.Context, rel *catalog.Relation, where ast.Expr) (bool, error) {
	q := &ast.Query{Body: &ast.Select{Items: []ast.SelectItem{{Expr: &ast.NumberLit{Text: "1"}}},
		From: []ast.TableExpr{&ast.TableRef{Name: qualified(rel.Schema, rel.Name)}}, Where: where}, Limit: &ast.NumberLit{Text: "1"}}
	r, err := s.query(ctx, &Prepared{stmt: q}, nil)
	if err != nil {
		return false, err
	}
	defer r.Close()
	c, err := r.Next(ctx)
	return c != nil && c.Rows() > 0, err
}

func isNull(column string) ast.Expr {
	e, err := parser.ParseExpr(ast.QuoteIdent(column) + " IS NULL")
	if err != nil {
		return nil // a quoted name always parses
	}
	return e
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

func (s *Session) dropColumn(ctx context.Context, rel *catalog.Relation, a *ast.DropColumn) error {
	at := columnAt(rel, a.Name.Name)
	if at < 0 && a.IfExists {
		s.notice("NOTICE", "column \"%s\" of relation \"%s\" does not exist, skipping", a.Name.Name, rel.Name)
		return nil
	}
	at, err := column(rel, a.Name)
	if err != nil {
		return err
	}
	if slices.Contains(rel.Key, at) {
		return errs.InvalidTableDefinition.New("what", "cannot drop column \""+a.Name.Name+"\" of the primary key").At(int(a.Name.Pos))
	}
	if err := s.dropIndexesOf(ctx, rel, at); err != nil {
		return err
	}
	if a.Cascade {
		if err := s.dropReaders(ctx, rel, at); err != nil {
			return err
		}
	}
	b := s.binder(nil)
	return s.editTable(ctx, rel, func(c *catalog.Snapshot, r *catalog.Relation, reads engine.Reads) ([]kv.Write, error) {
		users, err := s.columnUsers(b, c, r, at, reads)
		if err != nil {
			return nil, err
		}
		if len(users) > 0 {
			return nil, errs.ColumnInUse.New("column", a.Name.Name, "table", r.Name, "detail", usedBy(users, a.Name.Name, r.Name))
		}
		redefine(r, func(st *ast.CreateTable) {
			st.Columns = slices.DeleteFunc(st.Columns, func(d *ast.ColumnDef) bool { return d.Name == a.Name.Name })
		})
		hideColumn(&r.Columns[at], at)
		return hideIndexed(c, r.ID, a.Name.Name), nil
	})
}

// hideColumn makes a column one that nobody sees; rows go on having it.
func hideColumn(c *catalog.Column, at int) {
	c.Name = fmt.Sprintf("........pg.dropped.%d........", at+1)
	c.Dropped, c.Hidden, c.NotNull, c.Default, c.Generated = true, true, false, "", ""
}

// hideIndexed hides a column in the indexes that carry it.
func hideIndexed(c *catalog.Snapshot, on id.Relation, name string) []kv.Write {
	var writes []kv.Write
	for _, ix := range indexesOn(c, on) {
		next := *ix
		next.Columns = slices.Clone(ix.Columns)
		for i := range next.Columns {
			if next.Columns[i].Name == name {
				hideColumn(&next.Columns[i], i)
			}
		}
		c.Put(&next)
		writes = append(writes, meta.PutRelation(&next))
	}
	return writes
}

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

// dropIndexesOf drops the indexes by a column, as PostgreSQL does.
func (s *Session) dropIndexesOf(ctx context.Context, rel *catalog.Relation, at int) error {
	return s.d.engine.Drop(ctx, func(c *catalog.Snapshot) ([]*catalog.Relation, error) {
		return slices.DeleteFunc(indexesOn(c, rel.ID), func(ix *catalog.Relation) bool { return !keyedBy(ix, rel.Columns[at].Name) }), nil
	})
}

// keyedBy reports whether an index is by a column.
func keyedBy(ix *catalog.Relation, name string) bool {
	return slices.ContainsFunc(ix.DistKey, func(k int) bool { return ix.Columns[k].Name == name })
}

// dropReaders drops the views that read a column, and what reads these.
func (s *Session) dropReaders(ctx context.Context, rel *catalog.Relation, at int) error {
	b := s.binder(nil)
	var victims []*catalog.Relation
	err := s.d.engine.Alter(ctx, func(c *catalog.Snapshot, reads engine.Reads) ([]kv.Write, error) {
		b.Catalog = c
		for _, user := range c.Dependants(rel.ID) {
			used, err := readsOf(b, user, rel.ID, reads)
			if err != nil {
				return nil, err
			}
			if user.Kind != catalog.KindIndex && slices.Contains(used, at) {
				victims = append(victims, user)
			}
		}
		return nil, nil
	})
	if err != nil {
		return err
	}
	return s.d.engine.Drop(ctx, func(c *catalog.Snapshot) ([]*catalog.Relation, error) {
		var all []*catalog.Relation
		for _, v := range victims {
			for _, d := range dependants(c, v) {
				if _, ok := c.Relation(d.ID); ok && !slices.Contains(all, d) {
					all = append(all, d)
				}
			}
		}
		return all, nil
	})
}

func (s *Session) renameColumn(ctx context.Context, rel *catalog.Relation, a *ast.RenameColumn) error {
	at, err := column(rel, a.Old)
	if err != nil {
		return err
	}
	b := s.binder(nil)
	return s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		now, ok := c.Relation(rel.ID)
		if !ok || at >= len(now.Columns) || now.Columns[at].Name != a.Old.Name {
			return nil, errs.UndefinedColumn.New("name", fmt.Sprintf("\"%s\" of relation \"%s\"", a.Old.Name, rel.Name)).At(int(a.Old.Pos))
		}
		if columnAt(now, a.New.Name) >= 0 {
			return nil, errs.DuplicateTableColumn.New("column", a.New.Name, "table", now.Name).At(int(a.New.Pos))
		}
		r := bind.Renaming{Of: rel.ID, Columns: map[int]string{at: a.New.Name}}
		writes, err := renamed(b, c, r)
		if err != nil {
			return nil, err
		}
		more, err := renameColumnIn(b, c, now, r)
		if err != nil {
			return nil, err
		}
		return append(writes, more...), viewsStillBind(b, c, rel.ID)
	})
}

// renameColumnIn renames a column of a table, in its generated columns, and in its indexes.
func renameColumnIn(b *bind.Binder, c *catalog.Snapshot, was *catalog.Relation, r bind.Renaming) ([]kv.Write, error) {
	var writes []kv.Write
	now, _ := c.Relation(was.ID)
	for _, rel := range append(indexesOn(c, was.ID), now) {
		next := *rel
		next.Columns = slices.Clone(rel.Columns)
		for i := range next.Columns {
			col := &next.Columns[i]
			for at, name := range r.Columns {
				if col.Name == was.Columns[at].Name {
					col.Name = name
				}
			}
			if col.Generated != "" {
				var err error
				if col.Generated, err = b.RenamedGenerated(col.Generated, was, r); err != nil {
					return nil, err
				}
			}
		}
		c.Put(&next)
		writes = append(writes, meta.PutRelation(&next))
	}
	return writes, nil
}

// viewsStillBind refuses a renaming that a view's text could not follow, such as of a column named in USING.
func viewsStillBind(b *bind.Binder, c *catalog.Snapshot, of id.Relation) error {
	b.Catalog = c
	for _, v := range c.Dependants(of) {
		if v.Kind != catalog.KindView {
			continue
		}
		if _, err := readsOf(b, v, of, nil); err != nil {
			return errs.Unsupported.New("feature", "renaming a column that view \""+v.Name+"\" joins by name").Wrap(err)
		}
	}
	return nil
}

// changeColumn runs ALTER COLUMN.
func (s *Session) changeColumn(ctx context.Context, rel *catalog.Relation, a *ast.AlterColumn) error {
	at, err := column(rel, a.Name)
	if err != nil {
		return err
	}
	b := s.binder(nil)
	switch a.Change {
	case ast.ColumnSetNotNull:
		if some, err := s.any(ctx, rel, isNull(a.Name.Name)); err != nil || some {
			return orElse(err, errs.NullsPresent.New("column", a.Name.Name, "table", rel.Name))
		}
	case ast.ColumnDropNotNull:
		if slices.Contains(rel.Key, at) {
			return errs.InvalidTableDefinition.New("what", "column \""+a.Name.Name+"\" is in a primary key").At(int(a.Name.Pos))
		}
	case ast.ColumnSetType:
		return s.changeType(ctx, rel, at, a)
	}
	return s.editTable(ctx, rel, func(_ *catalog.Snapshot, r *catalog.Relation, _ engine.Reads) ([]kv.Write, error) {
		col := &r.Columns[at]
		kind := ast.NotNull
		switch a.Change {
		case ast.ColumnSetNotNull, ast.ColumnDropNotNull:
			col.NotNull = a.Change == ast.ColumnSetNotNull
		default:
			kind, col.Default = ast.Default, ""
			if a.Expr != nil {
				col.Default = ast.FormatExpr(a.Expr)
				if _, err := b.Default(*col); err != nil {
					return nil, err
				}
			}
		}
		redefineColumn(r, a.Name.Name, func(d *ast.ColumnDef) {
			d.Constraints = slices.DeleteFunc(d.Constraints, func(c ast.Constraint) bool { return c.Kind == kind })
			if a.Change == ast.ColumnSetNotNull || a.Expr != nil {
				d.Constraints = append(d.Constraints, ast.Constraint{Kind: kind, Expr: a.Expr})
			}
		})
		return nil, nil
	})
}

// changeType gives a column another type that stores its values alike. Others would have to be written anew.
func (s *Session) changeType(ctx context.Context, rel *catalog.Relation, at int, a *ast.AlterColumn) error {
	to, err := bind.Type(a.Type)
	if err != nil {
		return err
	}
	from := rel.Columns[at].Type
	if a.Expr != nil || !storedAlike(from, to) || slices.Contains(rel.Key, at) {
		return errs.Unsupported.New("feature", fmt.Sprintf("changing a column from %s to %s", types.SQLName(from), types.SQLName(to))).At(int(a.Pos))
	}
	if err := s.dropIndexesOf(ctx, rel, at); err != nil {
		return err
	}
	b := s.binder(nil)
	return s.editTable(ctx, rel, func(c *catalog.Snapshot, r *catalog.Relation, reads engine.Reads) ([]kv.Write, error) {
		users, err := s.columnUsers(b, c, r, at, reads)
		if err != nil {
			return nil, err
		}
		if len(users) > 0 {
			return nil, errs.ColumnOfView.New("detail", usedBy(users, a.Name.Name, r.Name))
		}
		r.Columns[at].Type = to
		redefineColumn(r, a.Name.Name, func(d *ast.ColumnDef) { d.Type = a.Type })
		return nil, nil
	})
}

// wider lists types whose values are stored as those of the ones after them.
var wider = [][]types.Kind{{types.KindInt2, types.KindInt4, types.KindInt8}, {types.KindVarchar, types.KindText}, {types.KindFloat4, types.KindFloat8}}

// storedAlike reports whether every stored value of one type is the same value of the other.
func storedAlike(from, to types.T) bool {
	if from.Equal(to) {
		return true
	}
	for _, kinds := range wider {
		f, t := slices.Index(kinds, from.Kind), slices.Index(kinds, to.Kind)
		if f >= 0 && t > f {
			return to.Width == 0
		}
	}
	return from.Kind == to.Kind && from.Kind == types.KindVarchar && (to.Width == 0 || from.Width > 0 && to.Width >= from.Width)
}
