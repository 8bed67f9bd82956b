package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Drift is how the columns of an upstream's table differ from those of the table here.
type Drift struct {
	Added   []connector.Column // upstream only, of a table that was made with all columns
	Gone    []string           // here only: NULL in all rows that come
	Changed []connector.Column // of a type upstream whose values may not fit here
}

// DriftOf compares a table with its upstream.
func DriftOf(rel *catalog.Relation, up *connector.Table) (d Drift) {
	for _, c := range up.Columns {
		at := slices.IndexFunc(rel.Columns, func(h catalog.Column) bool { return h.Name == c.Name })
		switch {
		case at < 0 && rel.With[ColumnsOption] == AllColumns:
			d.Added = append(d.Added, c)
		case at >= 0 && !Keeps(rel.Columns[at].Type, c.Type):
			d.Changed = append(d.Changed, c)
		}
	}
	for _, h := range rel.Columns {
		if !h.Hidden && !slices.ContainsFunc(up.Columns, func(c connector.Column) bool { return c.Name == h.Name }) {
			d.Gone = append(d.Gone, h.Name)
		}
	}
	return d
}

// text says how a table differs and what to do about it; empty when it does not.
func (d Drift) text(rel *catalog.Relation) string {
	var parts []string
	for _, c := range d.Added {
		parts = append(parts, fmt.Sprintf("column %q is new upstream", c.Name))
	}
	for _, c := range d.Changed {
		parts = append(parts, fmt.Sprintf("column %q is %s upstream", c.Name, c.Native))
	}
	if len(parts) > 0 {
		parts = append(parts, fmt.Sprintf("run ALTER TABLE %s REFRESH SCHEMA", rel.Name))
	}
	for _, name := range d.Gone {
		parts = append(parts, fmt.Sprintf("column %q is gone upstream and NULL in rows that come", name))
	}
	return strings.Join(parts, "; ")
}

// errAltered ends a connection because a table has got columns; the next one reads them.
var errAltered = errors.New("columns of a captured table have changed")

// altered looks again at tables that have other columns upstream than before.
func (s *source) altered(ctx context.Context, captures []uint64) error {
	for _, c := range captures {
		t := s.tables[id.Relation(c)]
		if t == nil {
			continue
		}
		now, err := s.open(ctx, t.rel)
		switch {
		case tableFault(err):
			err = s.giveUp(t.rel, err)
		case err == nil && now.rec != t.rec:
			err = errAltered // its history is to be read again
		case err == nil:
			t.capture.Shape, t.capture.Columns = now.capture.Shape, now.capture.Columns
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// follow shows how a table differs from its upstream, or gives it the columns that are new there if it is to have them.
func (s *source) follow(ctx context.Context, rel *catalog.Relation, up *connector.Table) error {
	d := DriftOf(rel, up)
	if len(d.Added) > 0 && s.rel.With[EvolveOption] == "true" {
		if err := s.c.o.Evolve(ctx, rel, up); err != nil {
			return err
		}
		next := s.rec.Clone()
		if t := next.Tables[rel.ID]; t != nil {
			next.Tables[rel.ID] = again(t, 0)
		}
		if err := s.keep(next); err != nil {
			return err
		}
		return errAltered
	}
	text := d.text(rel)
	s.show(func(b *board) {
		st := b.tables[rel.ID]
		if text != "" && text != st.Drift {
			s.c.o.Logger.Warn("columns differ upstream", "source", s.rel.Name, "table", rel.Name, "drift", text)
		}
		st.Drift = text
		b.tables[rel.ID] = st
	})
	return nil
}

// widths orders types whose values another type of the list keeps as they are.
var widths = [][]types.Kind{{types.KindInt2, types.KindInt4, types.KindInt8}, {types.KindFloat4, types.KindFloat8},
	{types.KindName, types.KindVarchar, types.KindText}, {types.KindText, types.KindVarchar}}

// Keeps reports whether a declared type keeps all values of an upstream's type as they are. Text keeps everything, as
// PostgreSQL prints it.
func Keeps(declared, upstream types.T) bool {
	text := declared.Kind == types.KindText || declared.Kind == types.KindVarchar
	return text && declared.Width == 0 || widens(declared, upstream)
}

func widens(declared, upstream types.T) bool {
	if declared.Kind == types.KindArray && upstream.Kind == types.KindArray {
		return widens(*declared.Elem, *upstream.Elem)
	}
	limited := declared.Width != 0 || declared.Scale != 0
	if limited && (declared.Width != upstream.Width || declared.Scale != upstream.Scale) {
		return false
	}
	if declared.SameKind(upstream) {
		return true
	}
	return slices.ContainsFunc(widths, func(w []types.Kind) bool {
		from, to := slices.Index(w, upstream.Kind), slices.Index(w, declared.Kind)
		return from >= 0 && to > from
	})
}
