package session

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// sinkBatch turns the changes of one epoch of a sink into those of its table. The rows of a key come in any order: one that
// comes replaces what the key has, as the table resolves conflicts. A key that rows only left loses its row if that is one of
// them still: what a statement or another sink has made of it since stays.
type sinkBatch struct {
	s     *Session
	sink  *catalog.Relation
	into  *catalog.Relation
	table *dml.Table
	w     *dml.Writer
	keys  map[string]*filledKey
	order []*filledKey
	out   []dml.Change
	lost  []error // of rows that the table does not take
}

// filledKey is what happened to one key of the table.
type filledKey struct {
	key  types.Row   // a row that has at least the key columns
	came []types.Row // as they came
	left []types.Row // what the sink no longer has; only its columns are set
}

// write puts the changes into the writer.
func (b *sinkBatch) write(ctx context.Context, rows []*chunk.Chunk) error {
	b.keys = map[string]*filledKey{}
	deletes := b.sink.With[sinkType] == upsert && b.sink.With[sinkIgnoreDelete] != "true"
	given := &plan.Given{}
	for _, c := range b.sink.IntoCols {
		given.Fields = append(given.Fields, types.Field{Name: b.into.Columns[c].Name, Type: b.into.Columns[c].Type})
	}
	for _, c := range rows {
		came, left := byOp(c)
		if came != nil {
			given.Chunks = append(given.Chunks, came)
		}
		if left != nil && deletes {
			b.leave(left)
		}
	}
	if err := b.come(ctx, given); err != nil {
		return err
	}
	for _, k := range b.order {
		if err := b.resolve(k); err != nil {
			return err
		}
	}
	return b.put()
}

// byOp takes the inserts and the deletes of a chunk apart; nil: there are none.
func byOp(c *chunk.Chunk) (came, left *chunk.Chunk) {
	var plus, minus []int32
	for i := range c.Rows() {
		if c.Op(i) == chunk.Insert {
			plus = append(plus, int32(i))
		} else {
			minus = append(minus, int32(i))
		}
	}
	part := func(rows []int32) *chunk.Chunk {
		if len(rows) == 0 {
			return nil
		}
		out := c.Gather(rows)
		return chunk.New(nil, out.Cols, out.Rows())
	}
	return part(plus), part(minus)
}

// leave notes the keys of rows that went.
func (b *sinkBatch) leave(c *chunk.Chunk) {
	for i := range c.Rows() {
		row := make(types.Row, len(b.into.Columns))
		for k, col := range b.sink.IntoCols {
			row[col] = c.Cols[k].Datum(i)
		}
		k := b.key(row)
		k.left = append(k.left, row)
	}
}

// come notes the rows that came, with defaults and generated columns.
func (b *sinkBatch) come(ctx context.Context, given *plan.Given) error {
	if len(given.Chunks) == 0 {
		return nil
	}
	src, err := b.s.binder(nil).FullRows(given, b.into, b.sink.IntoCols)
	if err != nil {
		return err
	}
	return b.s.rows(ctx, src, b.w.Reader, func(row types.Row) error {
		if b.into.RowID {
			if row, err = b.numbered(row); err != nil {
				return err
			}
		}
		if err := checkRow(b.into, row, b.s.TextContext()); err != nil {
			return b.refused(err)
		}
		if b.into.RowID {
			b.out = append(b.out, dml.Change{Table: b.table, New: row})
			return nil
		}
		k := b.key(row)
		k.came = append(k.came, row)
		return nil
	})
}

// refused decides on a row that the table does not take: it is left out and counted, or the sink stops at it. An error that
// is returned keeps the epoch for another try.
func (b *sinkBatch) refused(err error) error {
	if b.sink.With[sinkRowError] == "stop" {
		return err
	}
	b.lost = append(b.lost, err)
	return nil
}

// numbered gives a row of a table without a primary key its hidden key.
func (b *sinkBatch) numbered(row types.Row) (types.Row, error) {
	n, err := b.s.d.rowIDs.take(1)
	if err != nil {
		return nil, err
	}
	row = slices.Clone(row)
	row[b.into.Key[0]] = types.NewInt(n)
	return row, nil
}

func (b *sinkBatch) key(row types.Row) *filledKey {
	at := string(b.table.Key(row))
	k := b.keys[at]
	if k == nil {
		k = &filledKey{key: row}
		b.keys[at] = k
		b.order = append(b.order, k)
	}
	return k
}

// resolve makes the change of one key.
func (b *sinkBatch) resolve(k *filledKey) error {
	old, _, err := b.table.Find(b.w.Reader, k.key)
	if err != nil {
		return err
	}
	left := slices.ContainsFunc(k.left, func(row types.Row) bool { return b.wrote(row, old) })
	c := dml.Change{Table: b.table, Old: old, New: old}
	if left && len(k.came) == 0 {
		c.New = nil
	}
	for _, row := range k.came {
		if c.New == nil {
			c.New = row
			continue
		}
		if b.into.AppendOnly && b.into.OnConflict == catalog.ConflictError {
			if err := b.refused(duplicate(b.into, row, b.s.TextContext())); err != nil {
				return err
			}
			continue
		}
		c.New = b.merged(c.New, row, left)
	}
	if c.Old != nil || c.New != nil {
		b.out = append(b.out, c)
	}
	return nil
}

// wrote reports whether a row of the table is what the sink wrote. Where the table's policy is to fill, NULL wrote nothing.
func (b *sinkBatch) wrote(row, stored types.Row) bool {
	if stored == nil {
		return false
	}
	fills := b.into.OnConflict == catalog.ConflictFill
	return !slices.ContainsFunc(b.sink.IntoCols, func(c int) bool {
		return row[c] != stored[c] && !(fills && row[c].IsNull())
	})
}

// merged is what a row becomes that another one of its key comes to. Where the table's policy is to fill, columns that the
// sink has no values for are nobody's default: they stay.
func (b *sinkBatch) merged(old, row types.Row, left bool) types.Row {
	policy := b.into.OnConflict
	switch {
	case policy == catalog.ConflictError, policy == catalog.ConflictIgnore && left:
		policy = catalog.ConflictOverwrite
	case policy == catalog.ConflictFill:
		filled := make(types.Row, len(row))
		for _, c := range b.sink.IntoCols {
			filled[c] = row[c]
		}
		row = filled
	}
	return b.into.Resolve(policy, old, row)
}

// put writes the changes. Generated columns are computed anew, as a row may be put together of several.
func (b *sinkBatch) put() error {
	if err := b.generate(); err != nil {
		return err
	}
	for _, c := range b.out {
		if c.Old != nil && c.New != nil && slices.Equal(c.Old, c.New) {
			continue
		}
		if err := b.w.Put(c); err != nil {
			return err
		}
	}
	return nil
}

func (b *sinkBatch) generate() error {
	if b.into.RowID { // its rows are as they came
		return nil
	}
	sets, err := b.s.binder(nil).Generated(b.into)
	if err != nil {
		return err
	}
	var rows []types.Row
	var of []*dml.Change
	for i := range b.out {
		if c := &b.out[i]; c.New != nil {
			rows, of = append(rows, c.New), append(of, c)
		}
	}
	if err := b.s.generate(b.into, sets, rows); err != nil {
		return err
	}
	for i, c := range of {
		c.New = rows[i]
	}
	return nil
}
