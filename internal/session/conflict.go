package session

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// policy is what the table does with keys that are there. RisingWave's tables overwrite, append-only ones excepted.
func (in *inserter) policy() catalog.ConflictPolicy {
	p := in.n.Rel.OnConflict
	if p == catalog.ConflictError && !in.n.Rel.AppendOnly && in.s.vars.Bool("rw_compat") {
		return catalog.ConflictOverwrite
	}
	return p
}

// resolved is the row that stays under a key by the table's own policy.
func (in *inserter) resolved(p catalog.ConflictPolicy, old, row types.Row) (types.Row, error) {
	return in.whole(in.n.Rel.Resolve(p, old, row))
}

// whole computes the generated columns of a row that has values of several.
func (in *inserter) whole(row types.Row) (types.Row, error) {
	rows := []types.Row{row}
	err := in.s.generate(in.n.Rel, in.generated, rows)
	return rows[0], err
}

// meeting is a batch of rows with what the table has under their keys, nil for nothing.
type meeting struct {
	olds, rows []types.Row
	next       []types.Row // by DO UPDATE; nil: the statement has none, or computing all of them at once has failed
}

// meet computes what DO UPDATE makes of a batch.
func (in *inserter) meet(olds, rows []types.Row) *meeting {
	m := &meeting{olds: olds, rows: rows}
	if c := in.n.OnConflict; c != nil && !c.DoNothing {
		m.next, _ = in.updated(olds, rows) // the row that fails tells its error when it is its turn
	}
	return m
}

// conflict is a row whose key is in the table.
func (in *inserter) conflict(m *meeting, i int) error {
	old, row := m.olds[i], m.rows[i]
	var next types.Row
	var err error
	switch c := in.n.OnConflict; {
	case c != nil && c.DoNothing:
		return nil
	case c != nil:
		next, err = in.update(m, i)
	case in.policy() == catalog.ConflictError:
		return duplicate(in.n.Rel, row, in.text)
	case in.policy() == catalog.ConflictIgnore:
		return nil
	default:
		next, err = in.resolved(in.policy(), old, row)
	}
	if err != nil || next == nil {
		return err
	}
	if err := checkRow(in.n.Rel, next, in.text); err != nil {
		return err
	}
	return in.put(old, next)
}

// update is what DO UPDATE makes of a row; nil where WHERE leaves the old one as it is.
func (in *inserter) update(m *meeting, i int) (types.Row, error) {
	if m.next != nil {
		return m.next[i], nil
	}
	next, err := in.updated(m.olds[i:i+1], m.rows[i:i+1])
	if err != nil {
		return nil, err
	}
	return next[0], nil
}

// updated computes SET for all rows that have an old one and that WHERE takes; the others are nil.
func (in *inserter) updated(olds, rows []types.Row) ([]types.Row, error) {
	next := make([]types.Row, len(rows))
	both := chunk.NewBuilder(append(in.n.Rel.Types(), in.n.Rel.Types()...), len(rows))
	var places []int // of the rows of both
	for i, old := range olds {
		if old != nil {
			both.Append(chunk.Insert, append(slices.Clone(old), rows[i]...))
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return next, nil
	}
	c := both.Take()
	taken, err := in.taken(c)
	if err != nil || len(taken) == 0 {
		return next, err
	}
	whole := make([]types.Row, len(taken))
	for i, k := range taken {
		whole[i] = slices.Clone(olds[places[k]])
	}
	for _, a := range in.n.OnConflict.Sets {
		v, err := a.Value.Eval(in.s.exprCtx(), c, taken)
		if err != nil {
			return nil, err
		}
		for i, k := range taken {
			whole[i][a.Col] = v.Datum(int(k))
		}
	}
	if err := in.s.generate(in.n.Rel, in.generated, whole); err != nil {
		return nil, err
	}
	for i, k := range taken {
		next[places[k]] = whole[i]
	}
	return next, nil
}

// taken are the rows, each the old one and then the new one, that WHERE of DO UPDATE takes.
func (in *inserter) taken(c *chunk.Chunk) (sel []int32, err error) {
	where := in.n.OnConflict.Where
	var v *chunk.Vec
	if where != nil {
		if v, err = where.Eval(in.s.exprCtx(), c, nil); err != nil {
			return nil, err
		}
	}
	for i := range c.Rows() {
		if v != nil {
			if d := v.Datum(i); d.IsNull() || !d.Bool() {
				continue
			}
		}
		sel = append(sel, int32(i))
	}
	return sel, nil
}
