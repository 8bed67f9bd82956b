package session

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/copyfmt"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// copy runs COPY.
func (s *Session) copy(ctx context.Context, st *ast.Copy) (Result, error) {
	if err := copyRefused(st); err != nil {
		return nil, err
	}
	f, err := copyFormatOf(st)
	if err != nil {
		return nil, err
	}
	if st.To {
		return s.copyTo(ctx, st, f)
	}
	rel, err := s.binder(nil).Relation(st.Table)
	if err != nil {
		return nil, err
	}
	if rel.Kind != catalog.KindTable {
		return nil, errs.WrongObject.New("what", "cannot copy to "+kindName(rel.Kind)+" \""+rel.Name+"\"").At(int(st.Table.Pos))
	}
	if err := s.access(rel, "INSERT"); err != nil {
		return nil, err
	}
	if err := s.d.refuseCaptured(rel); err != nil {
		return nil, err
	}
	cols := rel.Visible()
	if len(st.Columns) > 0 {
		if cols, err = s.binder(nil).Columns(rel, st.Columns); err != nil {
			return nil, err
		}
	}
	in := &copyIn{s: s, rel: rel, cols: cols, format: f}
	if st.Where != nil {
		if in.where, err = s.binder(nil).CopyCondition(rel, st.Where); err != nil {
			return nil, err
		}
	}
	for _, k := range cols {
		in.names = append(in.names, rel.Columns[k].Name)
	}
	return in, copyKnown(f, in.names)
}

// copyRefused is the error for a COPY that would do less than it says.
func copyRefused(st *ast.Copy) error {
	feature := ""
	_, query := st.Query.(*ast.Query)
	switch {
	case st.End == ast.CopyFile || st.End == ast.CopyProgram:
		feature = "COPY with a file or program of the server"
	case st.Query != nil && !query:
		feature = "COPY of a statement that is not a query"
	default:
		return nil
	}
	return errs.Unsupported.New("feature", feature).At(int(st.Pos))
}

func (s *Session) copyTo(ctx context.Context, st *ast.Copy, f copyfmt.Format) (Result, error) {
	q, ok := st.Query.(*ast.Query)
	if !ok {
		sel := &ast.Select{Pos: st.Pos, From: []ast.TableExpr{&ast.TableRef{Pos: st.Pos, Name: st.Table}}}
		if len(st.Columns) == 0 {
			sel.Items = []ast.SelectItem{{Expr: &ast.Star{Pos: st.Pos}}}
		}
		for _, c := range st.Columns {
			sel.Items = append(sel.Items, ast.SelectItem{Expr: &ast.ColumnRef{Pos: c.Pos, Parts: []string{c.Name}}})
		}
		q = &ast.Query{Pos: st.Pos, Body: sel}
	}
	r, err := s.query(ctx, &Prepared{stmt: q}, nil)
	if err != nil {
		return nil, err
	}
	out := &copyOut{Result: r, s: s, format: f, cols: r.Columns()}
	for _, c := range out.cols {
		out.names = append(out.names, c.Name)
	}
	if err := copyKnown(f, out.names); err != nil {
		r.Close()
		return nil, err
	}
	return out, nil
}
