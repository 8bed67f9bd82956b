package tidemark

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/types"
)

// shape is the columns of rows.
type shape []session.Column

func shapeOf(cs []session.Column) shape { return shape(cs) }

func (s shape) columns() []Column {
	out := make([]Column, len(s))
	for i, c := range s {
		out[i] = Column{Name: c.Name, Type: types.SQLName(c.Type), OID: types.OID(c.Type)}
	}
	return out
}

// values returns a row as Go values.
func (s shape) values(c *chunk.Chunk, row int, text types.Ctx) []any {
	out := make([]any, len(s))
	for i, col := range s {
		out[i] = goValue(col.Type, c.Cols[i].Datum(row), text)
	}
	return out
}

// goValue is the Go value of a SQL value; the package doc has the list.
func goValue(t types.T, d types.Datum, text types.Ctx) any {
	if d.IsNull() {
		return nil
	}
	switch t.Kind {
	case types.KindBool:
		return d.Bool()
	case types.KindInt2, types.KindInt4, types.KindInt8, types.KindOid:
		return d.Int()
	case types.KindFloat4, types.KindFloat8:
		return d.Float()
	case types.KindBytea:
		return []byte(d.Bytes())
	case types.KindDate, types.KindTimestamp, types.KindTimestamptz:
		if at, ok := goTime(t, d, text); ok {
			return at
		}
	case types.KindArray:
		elems := types.DecodeArray(*t.Elem, d.Bytes())
		out := make([]any, len(elems))
		for i, e := range elems {
			out[i] = goValue(*t.Elem, e, text)
		}
		return out
	}
	return types.Format(t, d, text)
}

// goTime is the time of a date or timestamp that is finite. Values without a zone are in UTC.
func goTime(t types.T, d types.Datum, text types.Ctx) (time.Time, bool) {
	v := d.Int()
	switch t.Kind {
	case types.KindDate:
		if v == types.DateInfinity || v == types.DateNegInfinity {
			return time.Time{}, false
		}
		return types.TimeOf(v * microsPerDay), true
	default:
		if v == types.TimestampInfinity || v == types.TimestampNegInfinity {
			return time.Time{}, false
		}
	}
	at := types.TimeOf(v)
	if t.Kind == types.KindTimestamptz && text.Loc != nil {
		at = at.In(text.Loc)
	}
	return at, true
}

const microsPerDay = 24 * 60 * 60 * 1_000_000
