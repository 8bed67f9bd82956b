package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// RowIDColumn is the hidden key of a table without a primary key.
const RowIDColumn = "_row_id"

// CreateTable binds CREATE TABLE with a column list.
func (b *Binder) CreateTable(s *ast.CreateTable, schema string) (*catalog.Relation, error) {
	rel := &catalog.Relation{Schema: schema, Name: s.Name.Last(), Kind: catalog.KindTable, Definition: ast.Format(s), AppendOnly: s.AppendOnly}
	var key []ast.Ident
	for _, def := range s.Columns {
		c, pk, err := b.columnDef(def, rel.Name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(rel.Columns, func(o catalog.Column) bool { return o.Name == c.Name }) {
			return nil, errs.DuplicateColumn.New("name", c.Name).At(int(def.Pos))
		}
		rel.Columns = append(rel.Columns, c)
		if pk {
			if key != nil {
				return nil, errs.InvalidTableDefinition.New("what", "multiple primary keys for table \""+rel.Name+"\" are not allowed").At(int(def.Pos))
			}
			key = []ast.Ident{{Pos: def.Pos, Name: c.Name}}
		}
	}
	for _, c := range s.Constraints {
		if c.Kind != ast.PrimaryKey {
			return nil, unsupportedConstraint(c.Kind).At(int(c.Pos))
		}
		if key != nil {
			return nil, errs.InvalidTableDefinition.New("what", "multiple primary keys for table \""+rel.Name+"\" are not allowed").At(int(c.Pos))
		}
		key = c.Columns
	}
	switch s.OnConflict {
	case ast.ConflictUpdateFull:
		rel.OnConflict = catalog.ConflictOverwrite
	case ast.ConflictUpdateIfNotNull:
		rel.OnConflict = catalog.ConflictFill
	case ast.ConflictDoNothing:
		rel.OnConflict = catalog.ConflictIgnore
	}
	if rel.AppendOnly && rel.OnConflict != catalog.ConflictError && rel.OnConflict != catalog.ConflictIgnore {
		return nil, errs.AppendOnlyTable.New("table", rel.Name).At(int(s.Name.Pos))
	}
	var err error
	if rel.Version, err = versionColumns(rel, s.VersionColumns); err != nil {
		return nil, err
	}
	if err := setKey(rel, key); err != nil {
		return nil, err
	}
	return rel, b.declareWatermark(rel, s.Watermarks)
}

// versionColumns finds the columns that tell which of two rows is newer.
func versionColumns(rel *catalog.Relation, names []ast.Ident) (at []int, err error) {
	for _, v := range names {
		i := slices.IndexFunc(rel.Columns, func(c catalog.Column) bool { return c.Name == v.Name })
		switch {
		case i < 0:
			return nil, errs.UndefinedColumn.New("name", "\""+v.Name+"\" named as version").At(int(v.Pos))
		case !versions(rel.Columns[i].Type):
			return nil, errs.InvalidTableDefinition.New("what", "version column \""+v.Name+"\" must be of a number, time or text").At(int(v.Pos))
		case rel.OnConflict == catalog.ConflictIgnore:
			return nil, errs.InvalidTableDefinition.New("what", "ON CONFLICT DO NOTHING takes no version column").At(int(v.Pos))
		}
		at = append(at, i)
	}
	return at, nil
}

// versions reports whether values of a type can count versions.
func versions(t types.T) bool {
	switch t.Kind {
	case types.KindInt2, types.KindInt4, types.KindInt8, types.KindFloat4, types.KindFloat8, types.KindNumeric, types.KindDate,
		types.KindTime, types.KindTimestamp, types.KindTimestamptz, types.KindText, types.KindVarchar:
		return true
	}
	return false
}

// setKey makes columns the primary key; without any the table gets a hidden row id.
func setKey(rel *catalog.Relation, key []ast.Ident) error {
	for _, k := range key {
		i := slices.IndexFunc(rel.Columns, func(c catalog.Column) bool { return c.Name == k.Name })
		if i < 0 {
			return errs.UndefinedColumn.New("name", "\""+k.Name+"\" named in key").At(int(k.Pos))
		}
		rel.Columns[i].NotNull = true
		rel.Key = append(rel.Key, i)
	}
	if len(key) == 0 {
		rel.RowID = true
		rel.Key = []int{len(rel.Columns)}
		rel.Columns = append(rel.Columns, catalog.Column{Name: RowIDColumn, Type: types.Int8, NotNull: true, Hidden: true})
	}
	rel.DistKey = rel.Key
	return nil
}

// systemColumns are names that PostgreSQL's tables have already.
var systemColumns = []string{"tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"}

// nameable refuses the names of system columns in what is stored.
func nameable(name string, pos ast.Pos) error {
	if slices.Contains(systemColumns, name) {
		return errs.SystemColumn.New("name", name).At(int(pos))
	}
	return nil
}

// Column binds a column that is added to a table.
func (b *Binder) Column(def *ast.ColumnDef, table string) (catalog.Column, error) {
	c, pk, err := b.columnDef(def, table)
	if err == nil && pk {
		err = errs.Unsupported.New("feature", "a primary key that is added to a table").At(int(def.Pos))
	}
	return c, err
}

// Default binds the default of a column, NULL when it has none.
func (b *Binder) Default(c catalog.Column) (expr.Expr, error) { return b.defaultOf(c) }

// columnDef binds a column; pk tells of PRIMARY KEY.
func (b *Binder) columnDef(def *ast.ColumnDef, table string) (c catalog.Column, pk bool, err error) {
	c = catalog.Column{Name: def.Name}
	if err := nameable(c.Name, def.Pos); err != nil {
		return c, false, err
	}
	if def.Type != nil {
		if c.Type, err = Type(def.Type); err != nil {
			return c, false, err
		}
	}
	if len(def.Collation.Parts) > 0 {
		if err := collation(def.Collation, c.Type, def.Collation.Pos); err != nil {
			return c, false, err
		}
	}
	if err := contradiction(def, table); err != nil {
		return c, false, err
	}
	for _, k := range def.Constraints {
		switch k.Kind {
		case ast.NotNull:
			c.NotNull = true
		case ast.PrimaryKey:
			pk, c.NotNull = true, true
		case ast.Default:
			c.Default = ast.FormatExpr(k.Expr)
			if _, err := b.defaultExpr(k.Expr, c); err != nil {
				return c, false, at(err, k.Pos)
			}
		case ast.Generated:
			c.Generated = ast.FormatExpr(k.Expr)
		case ast.Unique, ast.Check, ast.ForeignKey, ast.Identity:
			return c, false, unsupportedConstraint(k.Kind).At(int(k.Pos))
		}
	}
	return c, pk, nil
}

// contradiction refuses NULL beside NOT NULL, and a second DEFAULT. A primary key may say NULL, as in PostgreSQL.
func contradiction(def *ast.ColumnDef, table string) error {
	said := map[ast.ConstraintKind]bool{}
	for _, k := range def.Constraints {
		switch {
		case k.Kind == ast.Default && said[ast.Default]:
			return errs.ColumnContradiction.New("what", "multiple default values specified", "column", def.Name, "table", table).At(int(k.Pos))
		case k.Kind == ast.NotNull && said[ast.Nullable], k.Kind == ast.Nullable && said[ast.NotNull]:
			return errs.ColumnContradiction.New("what", "conflicting NULL/NOT NULL declarations", "column", def.Name, "table", table).At(int(k.Pos))
		}
		said[k.Kind] = true
	}
	return nil
}

// unsupportedConstraint names a constraint that is not kept; a table that promised it in vain would be worse.
func unsupportedConstraint(k ast.ConstraintKind) *errs.Error {
	what := "a " + string(k) + " constraint"
	if k == ast.Identity {
		what = "an IDENTITY column"
	}
	return errs.Unsupported.New("feature", what)
}

// CreateView binds the query of a view and names its columns.
func (b *Binder) CreateView(s *ast.CreateView, schema string) (*catalog.Relation, plan.Node, error) {
	kind := catalog.KindView
	if s.Materialized {
		kind = catalog.KindMaterializedView
	}
	rel := &catalog.Relation{Schema: schema, Name: s.Name.Last(), Kind: kind, Definition: ast.Format(s)}
	n, names, err := b.query(s.Query, nil)
	if err != nil {
		return nil, nil, err
	}
	if len(s.Columns) > len(names) {
		return nil, nil, errs.ColumnCount.New("what", "CREATE VIEW specifies more column names than columns").At(int(s.Columns[len(names)].Pos))
	}
	if s.Materialized {
		if err := maintainable(n); err != nil {
			return nil, nil, err
		}
	}
	for i, f := range n.Schema() {
		name := names[i]
		if i < len(s.Columns) {
			name = s.Columns[i].Name
		}
		if slices.ContainsFunc(rel.Columns, func(c catalog.Column) bool { return c.Name == name }) {
			return nil, nil, errs.DuplicateColumn.New("name", name).At(int(s.Pos))
		}
		if s.Materialized {
			if err := nameable(name, s.Pos); err != nil {
				return nil, nil, err
			}
		}
		rel.Columns = append(rel.Columns, catalog.Column{Name: name, Type: f.Type})
	}
	for _, u := range b.uses {
		rel.DependsOn = append(rel.DependsOn, u.ID)
	}
	if !s.Materialized { // a materialized view has the bodies in its plan
		for _, f := range b.called {
			rel.DependsOn = append(rel.DependsOn, f.ID)
		}
	}
	rel.DependsOn = slices.Compact(slices.Sorted(slices.Values(rel.DependsOn)))
	if rel.Query, err = b.frozen(s.Query); err != nil {
		return nil, nil, err
	}
	return rel, Streaming(n), nil
}

// Streaming makes a query's plan one that can run for good: ORDER BY has no meaning without LIMIT, with it it is a TopN.
func Streaming(n plan.Node) plan.Node {
	switch n := n.(type) {
	case *plan.Sort:
		return Streaming(n.Input)
	case *plan.Limit:
		t := &plan.TopN{Limit: n.Limit, Offset: n.Offset}
		t.Input = n.Input
		if s, ok := n.Input.(*plan.Sort); ok {
			t.Order, t.Input = s.Order, s.Input
		}
		t.Input = Streaming(t.Input)
		return t
	}
	return plan.MapInputs(n, Streaming)
}

// Dependencies lists the relations that a plan reads, for tests of DROP.
func (b *Binder) Dependencies() []id.Relation {
	var out []id.Relation
	for _, u := range b.uses {
		out = append(out, u.ID)
	}
	return out
}
