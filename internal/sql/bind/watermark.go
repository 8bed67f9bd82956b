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

// declareWatermark binds the WATERMARK FOR of a table.
func (b *Binder) declareWatermark(rel *catalog.Relation, ws []ast.Watermark) error {
	if len(ws) == 0 {
		return nil
	}
	w := ws[0]
	switch {
	case len(ws) > 1:
		return errs.Unsupported.New("feature", "a second watermark").At(int(ws[1].Pos))
	case w.WithTTL:
		return errs.Unsupported.New("feature", "WATERMARK FOR ... WITH TTL").At(int(w.Pos))
	}
	at := slices.IndexFunc(rel.Columns, func(c catalog.Column) bool { return c.Name == w.Column.Name })
	if at < 0 {
		return errs.UndefinedColumn.New("name", "\""+w.Column.Name+"\" named in watermark").At(int(w.Column.Pos))
	}
	rel.Watermark = &catalog.Watermark{Col: at, Expr: ast.FormatExpr(w.Expr)}
	x, err := b.Watermark(rel)
	if err != nil {
		return err
	}
	if have, want := types.SQLName(x.Type()), types.SQLName(rel.Columns[at].Type); have != want {
		return errs.WatermarkType.New("have", have, "want", want).At(int(w.Pos))
	}
	ins := make([]marks, len(rel.Columns))
	ins[at] = marks{x}
	if !marked(rel.Columns[at].Type) || carried(x, ins) == nil {
		return errs.WatermarkInvalid.New("column", w.Column.Name).At(int(w.Pos))
	}
	return nil
}

// marked reports whether columns of a type may have a watermark.
func marked(t types.T) bool {
	switch t.Kind {
	case types.KindTimestamp, types.KindTimestamptz, types.KindDate, types.KindInt2, types.KindInt4, types.KindInt8:
		return true
	}
	return false
}

// Watermark binds the expression whose greatest value over a table's rows is its watermark.
func (b *Binder) Watermark(rel *catalog.Relation) (expr.Expr, error) {
	e, err := parser.ParseExpr(rel.Watermark.Expr)
	if err != nil {
		return nil, err
	}
	return b.expr(e, rowScope(rel, "", 0))
}

// marks are the watermarks that bound a column from below: no later row changes one whose value is less than all of them.
// None: nothing is known of the column.
type marks []expr.Expr

// marksOf are the marks of each column of a node's output.
func (b *Binder) marksOf(n plan.Node) ([]marks, error) {
	if s, ok := n.(*plan.Scan); ok {
		return b.scanMarks(s)
	}
	var ins [][]marks
	for _, in := range n.Inputs() {
		m, err := b.marksOf(in)
		if err != nil {
			return nil, err
		}
		ins = append(ins, m)
	}
	out := make([]marks, len(n.Schema()))
	switch n := n.(type) {
	case *plan.Filter, *plan.TopN, *plan.Window:
		copy(out, ins[0])
	case *plan.Project:
		for i, e := range n.Exprs {
			out[i] = carried(e, ins[0])
		}
	case *plan.ProjectSet:
		copy(out, ins[0])
		if c := n.Calls[0]; c.Fn.Name == "generate_series" {
			out[len(ins[0])] = carried(c.Args[0], ins[0])
		}
	case *plan.Agg:
		for i, g := range n.Group {
			out[i] = ins[0][g]
		}
	case *plan.Join:
		joinMarks(n, ins[0], ins[1], out)
	}
	return out, nil
}

// carried are the marks of an expression over a row.
func carried(e expr.Expr, in []marks) (out marks) {
	cols := expr.Columns(e)
	if len(cols) != 1 {
		return nil
	}
	for _, m := range in[cols[0]] {
		one := make([]expr.Expr, len(in))
		one[cols[0]] = m
		c := expr.Carry(e, one)
		if c == nil {
			return nil
		}
		out = append(out, c)
	}
	return out
}

// joinMarks are those of columns that are equal on both sides: what is below the marks of both gets no other partner. The
// rows of a temporal join are those of its left side.
func joinMarks(n *plan.Join, left, right, out []marks) {
	if n.Temporal {
		copy(out, left)
		return
	}
	for i, l := range n.LeftKeys {
		r := n.RightKeys[i]
		if len(left[l]) == 0 || len(right[r]) == 0 {
			continue
		}
		both := slices.Concat(left[l], right[r])
		out[l] = both
		if len(left)+r < len(out) { // not a semi or anti join
			out[len(left)+r] = both
		}
	}
}

// scanMarks are the watermark of a table, and those that reach the columns of a view.
func (b *Binder) scanMarks(s *plan.Scan) ([]marks, error) {
	out := make([]marks, len(s.Cols))
	var of []marks // of all columns
	switch {
	case s.Rel.Watermark != nil:
		at := s.Rel.Watermark.Col
		m, err := b.Funcs.Call(expr.Watermark, &expr.Const{Value: types.NewInt(int64(s.Rel.ID)), T: types.Int8}, expr.Null(s.Rel.Columns[at].Type))
		if err != nil {
			return nil, err
		}
		of = make([]marks, len(s.Rel.Columns))
		of[at] = marks{m}
	case s.Rel.Kind == catalog.KindMaterializedView:
		var err error
		if of, err = b.viewMarks(s.Rel); err != nil {
			return nil, err
		}
	}
	for i, c := range s.Cols {
		if c < len(of) {
			out[i] = of[c]
		}
	}
	return out, nil
}

// viewMarks are the marks of a view's columns. One that waits for rows to be final may show a row long after its time, if
// it looks ahead of it; nothing is known of those.
func (b *Binder) viewMarks(rel *catalog.Relation) ([]marks, error) {
	q, err := parseQuery(rel.Query)
	if err != nil {
		return nil, err
	}
	inner := *b // what the view reads is no concern of who reads the view
	inner.uses, inner.called = nil, nil
	n, _, err := inner.query(q, nil)
	if err != nil || q.EmitOnClose && plan.Any(n, func(n plan.Node) bool { _, ok := n.(*plan.Window); return ok }) {
		return nil, err
	}
	return b.marksOf(n)
}
