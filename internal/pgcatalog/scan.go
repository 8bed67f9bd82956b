package pgcatalog

import (
	"fmt"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/invariant"
	"github.com/tidemark-db/tidemark/internal/types"
)

// row gives columns their values: bool, int, float64, string, []string, []int, time.Time, time.Duration or a datum. A nil
// and a zero time are NULL. A column that is left out is NULL if it may be, else false, zero or empty.
type row map[string]any

// scan collects the rows of one relation.
type scan struct {
	*lookup
	rel   *catalog.Relation
	cols  []int
	vecs  []*chunk.Vec
	count int
	err   error
}

func newScan(s *Set, rel *catalog.Relation, cols []int, info Info) *scan {
	sc := &scan{lookup: newLookup(s, info), rel: rel, cols: cols, vecs: make([]*chunk.Vec, len(cols))}
	for i, c := range cols {
		sc.vecs[i] = chunk.NewVec(rel.Columns[c].Type, chunk.RowsMax)
	}
	return sc
}

// add emits a row.
func (s *scan) add(r row) {
	used := 0
	for _, c := range s.rel.Columns {
		if _, ok := r[c.Name]; ok {
			used++
		}
	}
	if used < len(r) {
		s.err = errs.Internal.New("what", fmt.Sprintf("a row of %s has columns that the relation has not", s.rel.Qualified()))
		return
	}
	for i, at := range s.cols {
		c := s.rel.Columns[at]
		v, given := r[c.Name]
		if c.Name == tableOID {
			v, given = int(s.rel.ID), true
		}
		d, ok := types.Null, true
		if given {
			d, ok = datumOf(c.Type, v)
		}
		if !ok {
			s.err = errs.Internal.New("what", fmt.Sprintf("%s.%s cannot be %T", s.rel.Qualified(), c.Name, v))
			return
		}
		if d.IsNull() && c.NotNull {
			d = zeroOf(c.Type)
		}
		s.vecs[i].Append(d)
	}
	s.count++
}

func (s *scan) chunk() (*chunk.Chunk, error) {
	if s.err != nil {
		return nil, s.err
	}
	return chunk.New(nil, s.vecs, s.count), nil
}

// zeroOf is the value of a column that is not NULL and was not given.
func zeroOf(t types.T) types.Datum {
	switch t.Phys() {
	case types.PhysBool:
		return types.NewBool(false)
	case types.PhysInt:
		return types.NewInt(0)
	case types.PhysFloat:
		return types.NewFloat(0)
	}
	if t.Kind == types.KindJSONB {
		return emptyJSON
	}
	return types.NewBytes("") // also the empty array
}

// emptyJSON is {}.
var emptyJSON = func() types.Datum {
	d, err := types.Parse(types.JSONB, "{}", types.Ctx{})
	if err != nil {
		invariant.Check(false, "%v", err) // the text is part of the build
	}
	return d
}()

// datumOf makes the value of a column's type; ok is false where the Go value does not fit it.
func datumOf(t types.T, v any) (d types.Datum, ok bool) {
	switch v := v.(type) {
	case nil:
		return types.Null, true
	case types.Datum:
		return v, true
	case bool:
		return types.NewBool(v), t.Kind == types.KindBool
	case int:
		return types.NewInt(int64(v)), t.Phys() == types.PhysInt
	case float64:
		return types.NewFloat(v), t.Phys() == types.PhysFloat
	case string:
		return types.NewBytes(v), t.Phys() == types.PhysBytes && t.Kind != types.KindArray
	case time.Duration:
		return types.NewInterval(types.Iv{Micros: v.Microseconds()}), t.Kind == types.KindInterval
	case time.Time:
		if v.IsZero() {
			return types.Null, true
		}
		return types.NewInt(types.TimestampFromTime(v)), t.Kind == types.KindTimestamptz
	case []string:
		return arrayOf(t, v, types.NewBytes)
	case []int:
		return arrayOf(t, v, func(n int) types.Datum { return types.NewInt(int64(n)) })
	}
	return types.Null, false
}

// arrayOf makes an array; a nil slice is NULL.
func arrayOf[E any](t types.T, values []E, datum func(E) types.Datum) (types.Datum, bool) {
	if values == nil || t.Kind != types.KindArray {
		return types.Null, t.Kind == types.KindArray
	}
	out := make([]types.Datum, len(values))
	for i, v := range values {
		out[i] = datum(v)
	}
	if t.Vector() {
		return types.NewVector(t, out), true
	}
	return types.NewArray(*t.Elem, out), true
}
