package session

import (
	"context"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
)

// showBackfill tells how far the catch-up of a job is with each of its inputs, or with each range of them. A job that is
// attached has none; the build of what is to take a relation's place has its.
func (s *Session) showBackfill(ctx context.Context, sh *ast.Show) (Result, error) {
	rel, err := s.binder(nil).Relation(sh.Name)
	if err != nil {
		return nil, err
	}
	ranges, err := s.d.engine.Ranges(ctx, s.building(rel))
	if err != nil {
		return nil, err
	}
	if sh.By != "" {
		return s.rangeRows(ranges)
	}
	return s.inputRows(ranges), nil
}

// rangeRows has a row for each range.
func (s *Session) rangeRows(ranges []engine.RangeProgress) (Result, error) {
	cols := []Column{{Name: "Input", Type: types.Varchar}, {Name: "Vnode", Type: types.Int8}, {Name: "Phase", Type: types.Varchar},
		{Name: "Cursor", Type: types.Varchar}, {Name: "Rows", Type: types.Int8}, {Name: "Bytes", Type: types.Int8}, {Name: "As Of", Type: types.Int8},
		{Name: "Generation", Type: types.Int8}, {Name: "Owner", Type: types.Int8}}
	var rows []types.Row
	for _, r := range ranges {
		rel, ok := s.d.engine.Catalog().Relation(r.From)
		if !ok {
			continue // dropped since
		}
		cursor, err := s.cursor(rel, r.ScanCursor)
		if err != nil {
			return nil, err
		}
		rows = append(rows, types.Row{text(rel.Name), types.NewInt(int64(r.Vnode)), text(r.Stage()), cursor,
			types.NewInt(int64(r.Rows)), types.NewInt(int64(r.Bytes)), types.NewInt(int64(r.AsOf)), types.NewInt(int64(r.Generation)), types.NewInt(int64(r.Owner))})
	}
	return table("SHOW", cols, rows), nil
}

// cursor prints the key that a scan stands at as its columns' values; NULL before the first row.
func (s *Session) cursor(rel *catalog.Relation, key []byte) (types.Datum, error) {
	if len(key) == 0 {
		return types.Null, nil
	}
	cols, row, err := state.FormatOf(rel).Cursor(key)
	if err != nil {
		return types.Null, err
	}
	var parts []string
	for i, c := range cols {
		value := "NULL"
		if !row[i].IsNull() {
			value = types.Format(rel.Columns[c].Type, row[i], s.TextContext())
		}
		parts = append(parts, rel.Columns[c].Name+"="+value)
	}
	return text(strings.Join(parts, ", ")), nil
}

// inputRows has a row for each input.
func (s *Session) inputRows(ranges []engine.RangeProgress) Result {
	cols := []Column{{Name: "Input", Type: types.Varchar}, {Name: "Phase", Type: types.Varchar}, {Name: "Ranges", Type: types.Int8},
		{Name: "Scanned", Type: types.Int8}, {Name: "Rows", Type: types.Int8}, {Name: "As Of", Type: types.Int8}}
	var rows []types.Row
	for _, in := range engine.Inputs(ranges) {
		rel, ok := s.d.engine.Catalog().Relation(in.From)
		if !ok {
			continue
		}
		rows = append(rows, types.Row{text(rel.Name), text(in.Stage()), types.NewInt(int64(in.Ranges)), types.NewInt(int64(in.Scanned)),
			types.NewInt(int64(in.Rows)), types.NewInt(int64(in.AsOf))})
	}
	return table("SHOW", cols, rows)
}
