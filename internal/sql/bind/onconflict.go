package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

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
	if rel.AppendOnly {
		return nil, errs.AppendOnlyTable.New("table", rel.Name).At(int(s.Table.Name.Pos))
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
	set := assignments{}
	for _, c := range clauses {
		if c.Part != nil {
			var err error
			if out, err = (context{b: b, s: s, where: "UPDATE"}).assignPart(out, c, rel, set); err != nil {
				return nil, err
			}
			continue
		}
		values := []ast.Expr{c.Value}
		if c.Tuple {
			row, ok := c.Value.(*ast.Row)
			if !ok || len(row.Elems) != len(c.Columns) {
				return nil, errs.ColumnCount.New("what", "number of columns does not match number of values").At(int(c.Pos))
			}
			values = row.Elems
		}
		for i, id := range c.Columns {
			col, err := set.note(rel, id, false)
			if err != nil {
				return nil, err
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
