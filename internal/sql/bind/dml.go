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

// target finds the table that a statement writes to.
func (b *Binder) target(n ast.Name) (*catalog.Relation, error) {
	rel, err := b.Relation(n)
	if err != nil {
		return nil, err
	}
	if rel.Kind != catalog.KindTable {
		return nil, errs.WrongObject.New("what", "cannot change \""+rel.Name+"\": it is not a table").At(int(n.Pos))
	}
	return rel, nil
}

// Insert binds INSERT.
func (b *Binder) Insert(s *ast.Insert) (*plan.Insert, error) {
	rel, err := b.target(s.Table.Name)
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
	if out.Returning, err = b.returning(s.Returning, rel, s.Table.Alias); err != nil {
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
		return b.fullRows(n, rel, cols)
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
		return nil, errs.GeneratedColumn.New("column", col.Name)
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
	x, err := b.expr(e, &scope{})
	if err != nil {
		return nil, err
	}
	return b.assign(x, c)
}

// fullRows projects rows of the given columns to all columns of the table but the hidden row id; generated columns are
// computed over the others.
func (b *Binder) fullRows(n plan.Node, rel *catalog.Relation, cols []int) (plan.Node, error) {
	p := &plan.Project{Input: n}
	generated := false
	for i, c := range rel.Columns {
		if c.Hidden {
			continue
		}
		generated = generated || c.Generated != ""
		var e expr.Expr
		var err error
		if k := slices.Index(cols, i); k >= 0 {
			e = &expr.Col{Index: k, T: c.Type, Name: c.Name}
		} else if e, err = b.defaultOf(c); err != nil {
			return nil, err
		}
		p.Exprs, p.Names = append(p.Exprs, e), append(p.Names, c.Name)
	}
	if !generated {
		return p, nil
	}
	return b.generate(p, rel)
}

// generate computes the generated columns of full rows.
func (b *Binder) generate(n plan.Node, rel *catalog.Relation) (plan.Node, error) {
	p := identity(n)
	s := rowScope(rel, "", 0)
	for i, c := range rel.Columns {
		if c.Generated == "" || c.Hidden {
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
		if p.Exprs[i], err = b.assign(x, c); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// rowScope is the columns of a table's row at an offset, under a table name.
func rowScope(rel *catalog.Relation, alias string, from int) *scope {
	if alias == "" {
		alias = rel.Name
	}
	s := &scope{}
	for i, c := range rel.Columns {
		s.cols = append(s.cols, scopeCol{table: alias, name: c.Name, t: c.Type, index: from + i, starless: c.Hidden})
	}
	return s
}

// onConflict binds ON CONFLICT; its target must be the primary key.
func (b *Binder) onConflict(s *ast.Insert, rel *catalog.Relation) (*plan.OnConflict, error) {
	c := s.OnConflict
	if len(c.Target) > 0 {
		var cols []int
		for _, t := range c.Target {
			ref, ok := t.Expr.(*ast.ColumnRef)
			if !ok {
				return nil, errs.NoUniqueConstraint.New().At(int(t.Pos))
			}
			i, err := columnIndex(rel, ast.Ident{Pos: ref.Pos, Name: ref.Parts[len(ref.Parts)-1]})
			if err != nil {
				return nil, err
			}
			cols = append(cols, i)
		}
		slices.Sort(cols)
		key := slices.Sorted(slices.Values(rel.Key))
		if rel.RowID || !slices.Equal(cols, key) {
			return nil, errs.NoUniqueConstraint.New()
		}
	}
	out := &plan.OnConflict{DoNothing: !c.DoUpdate}
	if out.DoNothing {
		return out, nil
	}
	both := rowScope(rel, s.Table.Alias.Name, 0).join(rowScope(rel, "excluded", 0))
	for i := range both.cols { // an unqualified column is the table's
		both.cols[i].merged = both.cols[i].table == "excluded"
	}
	var err error
	if out.Sets, err = b.sets(c.Sets, rel, both); err != nil {
		return nil, err
	}
	if c.Where != nil {
		out.Where, err = b.condition(c.Where, both, "WHERE", "WHERE")
	}
	return out, err
}

// sets binds the assignments of SET.
func (b *Binder) sets(clauses []ast.SetClause, rel *catalog.Relation, s *scope) ([]plan.Assign, error) {
	var out []plan.Assign
	for _, c := range clauses {
		values := []ast.Expr{c.Value}
		if c.Tuple {
			row, ok := c.Value.(*ast.Row)
			if !ok || len(row.Elems) != len(c.Columns) {
				return nil, errs.ColumnCount.New("what", "number of columns does not match number of values").At(int(c.Pos))
			}
			values = row.Elems
		}
		for i, id := range c.Columns {
			col, err := columnIndex(rel, id)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(out, func(a plan.Assign) bool { return a.Col == col }) {
				return nil, errs.MultipleAssignments.New("column", id.Name)
			}
			x, err := context{b: b, s: s, where: "UPDATE"}.stored(values[i], rel.Columns[col])
			if err != nil {
				return nil, err
			}
			out = append(out, plan.Assign{Col: col, Value: x})
		}
	}
	return out, nil
}

// Update binds UPDATE: the source has the old rows, then the new ones.
func (b *Binder) Update(s *ast.Update) (*plan.Update, error) {
	rel, sel, err := b.changed(s.Table, s.With, s.From, s.Where)
	if err != nil {
		return nil, err
	}
	p := &plan.Project{}
	for i, c := range rel.Columns {
		p.Exprs, p.Names = append(p.Exprs, &expr.Col{Index: i, T: c.Type, Name: c.Name}), append(p.Names, c.Name)
	}
	p.Exprs, p.Names = append(p.Exprs, p.Exprs...), append(p.Names, p.Names...)
	set := map[int]bool{}
	for _, c := range s.Sets {
		if err := b.setInto(p, c, rel, sel, set); err != nil {
			return nil, err
		}
	}
	p.Input = sel.in
	src, err := b.regenerate(p, rel)
	if err != nil {
		return nil, err
	}
	out := &plan.Update{Rel: rel, Source: src}
	if out.Returning, err = b.returning(s.Returning, rel, s.Table.Alias); err != nil {
		return nil, err
	}
	return out, b.paramsKnown()
}

// setInto binds one SET clause; subqueries are allowed, and one of several columns for a list of columns.
func (b *Binder) setInto(p *plan.Project, c ast.SetClause, rel *catalog.Relation, sel *selection, set map[int]bool) error {
	width := len(rel.Columns)
	ctx := context{b: b, s: sel.s, sel: sel, where: "UPDATE"}
	bind, count, err := ctx.assigned(c)
	if err != nil {
		return err
	}
	if count != len(c.Columns) {
		return errs.ColumnCount.New("what", "number of columns does not match number of values").At(int(c.Pos))
	}
	for i, id := range c.Columns {
		col, err := columnIndex(rel, id)
		if err != nil {
			return err
		}
		if set[col] {
			return errs.MultipleAssignments.New("column", id.Name)
		}
		set[col] = true
		if p.Exprs[width+col], err = bind(i, rel.Columns[col]); err != nil {
			return err
		}
	}
	return nil
}

// assigned returns what binds value i of a SET clause, and how many there are.
func (c context) assigned(set ast.SetClause) (bind func(i int, col catalog.Column) (expr.Expr, error), count int, err error) {
	values := []ast.Expr{set.Value}
	if row, ok := set.Value.(*ast.Row); ok && set.Tuple {
		values = row.Elems
	}
	if q, ok := set.Value.(*ast.Subquery); ok && set.Tuple {
		n, _, err := c.b.query(q.Query, c.sel.s)
		if err != nil {
			return nil, 0, err
		}
		row, err := c.rowValue(n, q.Pos)
		return func(i int, col catalog.Column) (expr.Expr, error) { return c.b.assign(c.b.Funcs.Field(row, i), col) }, len(n.Schema()), err
	}
	return func(i int, col catalog.Column) (expr.Expr, error) { return c.stored(values[i], col) }, len(values), nil
}

// rowValue is the one row of a plan as a struct.
func (c context) rowValue(n plan.Node, pos ast.Pos) (expr.Expr, error) {
	var names []string
	var cols []expr.Expr
	for i, f := range n.Schema() {
		names, cols = append(names, f.Name), append(cols, outputOf(n, i))
	}
	return c.value(&plan.Project{Input: n, Exprs: []expr.Expr{c.b.Funcs.Row(names, cols)}, Names: []string{"row"}}, pos)
}

// regenerate computes the generated columns of the new rows.
func (b *Binder) regenerate(p *plan.Project, rel *catalog.Relation) (plan.Node, error) {
	if !slices.ContainsFunc(rel.Columns, func(c catalog.Column) bool { return c.Generated != "" }) {
		return p, nil
	}
	width := len(rel.Columns)
	out := identity(p)
	s := rowScope(rel, "", width)
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
		if out.Exprs[width+i], err = b.assign(x, c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Delete binds DELETE.
func (b *Binder) Delete(s *ast.Delete) (*plan.Delete, error) {
	rel, sel, err := b.changed(s.Table, s.With, s.Using, s.Where)
	if err != nil {
		return nil, err
	}
	p := identity(sel.in)
	p.Exprs, p.Names = p.Exprs[:len(rel.Columns)], p.Names[:len(rel.Columns)]
	out := &plan.Delete{Rel: rel, Source: p}
	if out.Returning, err = b.returning(s.Returning, rel, s.Table.Alias); err != nil {
		return nil, err
	}
	return out, b.paramsKnown()
}

// changed binds what UPDATE and DELETE have in common: the table's rows, joined with FROM or USING, that satisfy WHERE.
func (b *Binder) changed(t *ast.TableRef, w *ast.With, from []ast.TableExpr, where ast.Expr) (*catalog.Relation, *selection, error) {
	rel, err := b.target(t.Name)
	if err != nil {
		return nil, nil, err
	}
	var outer *scope
	if w != nil {
		if outer, err = b.with(w, nil); err != nil {
			return nil, nil, err
		}
	}
	in, s, err := b.from(append([]ast.TableExpr{t}, from...), outer)
	if err != nil {
		return nil, nil, err
	}
	sel := &selection{b: b, in: in, s: s}
	if where != nil {
		if err := sel.where(where); err != nil {
			return nil, nil, err
		}
	}
	return rel, sel, nil
}

// returning binds RETURNING over the table's row.
func (b *Binder) returning(items []ast.SelectItem, rel *catalog.Relation, a ast.Alias) (*plan.Returning, error) {
	if len(items) == 0 {
		return nil, nil
	}
	x := &selection{b: b, s: rowScope(rel, a.Name, 0)}
	if err := x.items(&ast.Select{Items: items}); err != nil {
		return nil, err
	}
	out := &plan.Returning{Exprs: x.exprs}
	for i, e := range x.exprs {
		out.Fields = append(out.Fields, types.Field{Name: x.names[i], Type: e.Type()})
	}
	return out, nil
}

// Columns finds columns of a table by name, for COPY.
func (b *Binder) Columns(rel *catalog.Relation, names []ast.Ident) ([]int, error) {
	return insertColumns(rel, names)
}

// FullRows puts rows of the given columns into the table's column order, with defaults for the others.
func (b *Binder) FullRows(n plan.Node, rel *catalog.Relation, cols []int) (plan.Node, error) {
	return b.fullRows(n, rel, cols)
}
