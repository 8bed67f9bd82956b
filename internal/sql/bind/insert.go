package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Insert binds INSERT.
func (b *Binder) Insert(s *ast.Insert) (*plan.Insert, error) {
	rel, err := b.target(s.Table.Name, "INSERT")
	if err != nil {
		return nil, err
	}
	cols, err := insertColumns(rel, s.Columns)
	if err != nil {
		return nil, err
	}
	var outer *scope
	if s.With != nil {
		if outer, err = b.with(s.With, nil); err != nil {
			return nil, err
		}
	}
	src, err := b.insertSource(s, rel, cols, outer)
	if err != nil {
		return nil, err
	}
	out := &plan.Insert{Rel: rel, Source: src}
	if s.OnConflict != nil {
		if out.OnConflict, err = b.onConflict(s, rel); err != nil {
			return nil, err
		}
	}
	if out.Returning, err = b.returning(s.Returning, rowScope(rel, s.Table.Alias.Name, 0)); err != nil {
		return nil, err
	}
	return out, b.paramsKnown()
}

// insertColumns are the positions of the columns that the statement gives values for.
func insertColumns(rel *catalog.Relation, names []ast.Ident) ([]int, error) {
	if len(names) == 0 {
		var cols []int
		for _, i := range rel.Visible() {
			if rel.Columns[i].Generated == "" {
				cols = append(cols, i)
			}
		}
		return cols, nil
	}
	var cols []int
	for _, id := range names {
		i, err := columnIndex(rel, id)
		if err != nil {
			return nil, err
		}
		if slices.Contains(cols, i) {
			return nil, errs.DuplicateColumn.New("name", id.Name).At(int(id.Pos))
		}
		cols = append(cols, i)
	}
	return cols, nil
}

func columnIndex(rel *catalog.Relation, id ast.Ident) (int, error) {
	for i, c := range rel.Columns {
		if c.Name == id.Name && !c.Hidden {
			return i, nil
		}
	}
	return 0, errs.UndefinedColumn.New("name", "\""+id.Name+"\" of relation \""+rel.Name+"\"").At(int(id.Pos))
}

// insertSource binds the rows and puts them into the table's column order, with defaults where nothing is given.
func (b *Binder) insertSource(s *ast.Insert, rel *catalog.Relation, cols []int, outer *scope) (plan.Node, error) {
	if s.Query == nil {
		return b.fullRows(&plan.Values{Rows: [][]expr.Expr{{}}}, rel, nil)
	}
	if v, ok := s.Query.Body.(*ast.Values); ok && s.Query.With == nil {
		n, err := b.insertValues(v, rel, cols, s.Columns, outer)
		if err != nil {
			return nil, err
		}
		return b.fullRows(n, rel, cols[:len(n.Schema())])
	}
	n, _, err := b.queryAs(s.Query, outer, true)
	if err != nil {
		return nil, err
	}
	if err := countMatches(len(n.Schema()), len(cols), s.Columns, func(i int) ast.Pos { return itemPos(s.Query, i) }); err != nil {
		return nil, err
	}
	p := identity(n)
	for i := range p.Exprs {
		if col := rel.Columns[cols[i]]; col.Generated != "" {
			return nil, errs.GeneratedColumn.New("column", col.Name)
		}
		if p.Exprs[i], err = b.assign(literalOf(n, i), rel.Columns[cols[i]]); err != nil {
			return nil, at(err, itemPos(s.Query, i))
		}
	}
	return b.fullRows(p, rel, cols[:len(p.Exprs)])
}

// countMatches compares how many values there are with the columns; without a column list there may be fewer.
func countMatches(have, want int, names []ast.Ident, value func(i int) ast.Pos) error {
	switch {
	case have > want:
		return errs.ColumnCount.New("what", "INSERT has more expressions than target columns").At(int(value(want)))
	case have < want && len(names) > 0:
		return errs.ColumnCount.New("what", "INSERT has more target columns than expressions").At(int(names[have].Pos))
	}
	return nil
}

// insertValues binds VALUES with each value cast to its column.
func (b *Binder) insertValues(v *ast.Values, rel *catalog.Relation, cols []int, names []ast.Ident, outer *scope) (plan.Node, error) {
	width := len(v.Rows[0])
	if err := countMatches(width, len(cols), names, func(i int) ast.Pos { return v.Rows[0][i].Position() }); err != nil {
		return nil, err
	}
	var fields []types.Field
	for _, c := range cols[:width] {
		fields = append(fields, types.Field{Name: rel.Columns[c].Name, Type: rel.Columns[c].Type})
	}
	r := rowsOf{b: b, outer: outer}
	for _, row := range v.Rows {
		if len(row) != width {
			return nil, errs.ColumnCount.New("what", "VALUES lists must all be the same length").At(int(row[0].Position()))
		}
		if err := r.add(row, func(c context, i int, e ast.Expr) (expr.Expr, error) { return c.stored(e, rel.Columns[cols[i]]) }); err != nil {
			return nil, err
		}
	}
	return r.node(fields), nil
}

// stored binds one value for a column; DEFAULT is the column's default.
func (c context) stored(e ast.Expr, col catalog.Column) (expr.Expr, error) {
	if _, ok := e.(*ast.DefaultValue); ok {
		return c.b.defaultOf(col)
	}
	if col.Generated != "" {
		if c.where == "UPDATE" {
			return nil, errs.GeneratedUpdate.New("column", col.Name)
		}
		return nil, errs.GeneratedColumn.New("column", col.Name)
	}
	if x, built, err := c.built(e, col.Type, expr.CastAssignment); built {
		return x, err
	}
	x, err := c.expr(e)
	if err != nil {
		return nil, err
	}
	x, err = c.b.assign(x, col)
	return x, at(err, e.Position())
}

// assign casts a value for storing it in a column.
func (b *Binder) assign(x expr.Expr, c catalog.Column) (expr.Expr, error) {
	x = b.deepened(x, c.Type)
	if x.Type().Kind != types.KindUnknown && !b.Funcs.CanCast(x.Type(), c.Type, expr.CastAssignment) {
		return nil, errs.ColumnTypeMismatch.New("column", c.Name, "want", types.SQLName(c.Type), "have", types.SQLName(x.Type()))
	}
	return b.cast(x, c.Type, expr.CastAssignment)
}

func (b *Binder) defaultOf(c catalog.Column) (expr.Expr, error) {
	if c.Default == "" {
		return expr.Null(c.Type), nil
	}
	e, err := parser.ParseExpr(c.Default)
	if err != nil {
		return nil, err
	}
	return b.defaultExpr(e, c)
}

func (b *Binder) defaultExpr(e ast.Expr, c catalog.Column) (expr.Expr, error) {
	x, err := context{b: b, s: &scope{isDefault: true}, where: "DEFAULT expressions"}.expr(e)
	if err != nil {
		return nil, err
	}
	return b.assign(x, c)
}

// fullRows projects rows of the given columns to all columns of the table; those that nobody sees are NULL. Generated
// columns are computed over the others.
func (b *Binder) fullRows(n plan.Node, rel *catalog.Relation, cols []int) (plan.Node, error) {
	p := &plan.Project{Input: n}
	for i, c := range rel.Columns {
		var e expr.Expr
		var err error
		switch k := slices.Index(cols, i); {
		case k >= 0:
			e = &expr.Col{Index: k, T: c.Type, Name: c.Name}
		case c.Hidden:
			e = expr.Null(c.Type)
		default:
			if e, err = b.defaultOf(c); err != nil {
				return nil, err
			}
		}
		p.Exprs, p.Names = append(p.Exprs, e), append(p.Names, c.Name)
	}
	sets, err := b.generated(rel, 0)
	if err != nil || len(sets) == 0 {
		return p, err
	}
	out := identity(p)
	for _, a := range sets {
		out.Exprs[a.Col] = a.Value
	}
	return out, nil
}

// Generated computes the generated columns over whole rows of a table.
func (b *Binder) Generated(rel *catalog.Relation) ([]plan.Assign, error) { return b.generated(rel, 0) }

// generated computes the generated columns over the table's row at an offset.
func (b *Binder) generated(rel *catalog.Relation, from int) (out []plan.Assign, err error) {
	s := rowScope(rel, "", from)
	for i, c := range rel.Columns {
		if c.Generated == "" {
			continue
		}
		e, err := parser.ParseExpr(c.Generated)
		if err != nil {
			return nil, err
		}
		x, err := b.expr(e, s)
		if err != nil {
			return nil, err
		}
		if x, err = b.assign(x, c); err != nil {
			return nil, err
		}
		out = append(out, plan.Assign{Col: i, Value: x})
	}
	return out, nil
}

// rowScope is the columns of a table's row at an offset, under a table name.
func rowScope(rel *catalog.Relation, alias string, from int) *scope {
	if alias == "" {
		alias = rel.Name
	}
	s := &scope{}
	for i, c := range rel.Columns {
		s.cols = append(s.cols, scopeCol{table: alias, name: c.Name, t: c.Type, index: from + i, starless: c.Hidden,
			origin: plan.Origin{Rel: rel, Col: i}})
	}
	return s
}

// Columns finds columns of a table by name, for COPY.
func (b *Binder) Columns(rel *catalog.Relation, names []ast.Ident) ([]int, error) {
	return insertColumns(rel, names)
}

// FullRows puts rows of the given columns into the table's column order, with defaults for the others.
func (b *Binder) FullRows(n plan.Node, rel *catalog.Relation, cols []int) (plan.Node, error) {
	return b.fullRows(n, rel, cols[:len(n.Schema())])
}

// CopyCondition binds the WHERE of COPY FROM, over whole rows of the table.
func (b *Binder) CopyCondition(rel *catalog.Relation, where ast.Expr) (expr.Expr, error) {
	return b.condition(where, rowScope(rel, "", 0), "WHERE", "COPY FROM WHERE conditions")
}
