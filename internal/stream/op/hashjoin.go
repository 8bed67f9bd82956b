package op

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// JoinConfig is what a hash join is made of. Side 0 is the left one.
type JoinConfig struct {
	Kind     plan.Kind
	Types    [2][]types.T
	Keys     [2][]int
	NullSafe []bool
	Cond     expr.Expr // over left then right columns; nil: none
	Ctx      *expr.Ctx
	Vnodes   int
	State    [2]*state.Table // key, row -> count; nil tables in a query
}

// HashJoin joins on equal keys. Both sides keep their rows; a change of one side meets the rows of the other.
//
// Outer, semi and anti joins need to know how many matches a row has. It is not stored: it is the number of rows of the
// other side under the key that satisfy the condition, counted when a change may have moved it between none and some.
type HashJoin struct {
	stream.NoWatermark
	JoinConfig
	sides [2]*joinSide
	out   *chunk.Builder
	pairs *pairing
}

// NewHashJoin returns a join without rows.
func NewHashJoin(c JoinConfig) *HashJoin {
	j := &HashJoin{JoinConfig: c}
	for s := range j.sides {
		j.sides[s] = newJoinSide(c, s)
	}
	outTypes := append(append([]types.T{}, c.Types[0]...), c.Types[1]...)
	j.pairs = &pairing{cond: c.Cond, ctx: c.Ctx, types: outTypes}
	if j.leftOnly() {
		outTypes = c.Types[0]
	}
	j.out = chunk.NewBuilder(outTypes, 0)
	return j
}

func (j *HashJoin) leftOnly() bool {
	return j.Kind == plan.Semi || j.Kind == plan.Anti || j.Kind == plan.NullAnti
}

// preserves reports whether rows of the side without a match appear in the output.
func (j *HashJoin) preserves(side int) bool {
	switch j.Kind {
	case plan.Full:
		return true
	case plan.Left, plan.Anti, plan.NullAnti:
		return side == 0
	case plan.Right:
		return side == 1
	}
	return false
}

// Recover finds out which sides begin empty: they need never look into the store.
func (j *HashJoin) Recover() error {
	for _, s := range j.sides {
		if err := s.recover(); err != nil {
			return err
		}
	}
	return nil
}

// Chunk meets the changes of one side with the rows of the other.
func (j *HashJoin) Chunk(port int, c *chunk.Chunk, out stream.Out) error {
	mine, other := j.sides[port], j.sides[1-port]
	mine.hash(c)
	for i := range c.Rows() {
		if err := j.row(port, mine, other, c, i); err != nil {
			return err
		}
		if j.out.Full() {
			if err := out.Chunk(j.out.Take()); err != nil {
				return err
			}
		}
	}
	if o := j.out.Take(); o != nil {
		return out.Chunk(o)
	}
	return nil
}

// row takes one change: it is stored, and what it does to the output is emitted.
func (j *HashJoin) row(port int, mine, other *joinSide, c *chunk.Chunk, i int) error {
	op := c.Op(i)
	row := c.Row(i)
	if !mine.joinable(c, i) { // NULL in a key that is not null-safe: no match, ever
		if j.preserves(port) {
			j.emitAlone(op, port, row)
		}
		return nil
	}
	key := mine.keyOf(c, i)
	slot, err := mine.slot(mine.hashes[i], key)
	if err != nil {
		return err
	}
	otherSlot, err := other.slot(mine.hashes[i], key)
	if err != nil {
		return err
	}
	matches, err := j.matches(port, row, other, otherSlot)
	if err != nil {
		return err
	}
	j.emitMatches(op, port, row, matches)
	if len(matches) > 0 && j.tracksOther(port) {
		if err := j.flipOther(op, port, mine, slot, matches); err != nil {
			return err
		}
	}
	return mine.add(slot, mine.hashes[i], key, c, i, int64(op))
}

// tracksOther reports whether rows of the other side depend on whether they have a match on this one.
func (j *HashJoin) tracksOther(port int) bool {
	return j.preserves(1-port) || port == 1 && j.leftOnly()
}

// match is a row of the other side with how often it is there.
type match struct {
	row   types.Row
	count int64
}

// matches returns the rows of the other side that the row joins with.
func (j *HashJoin) matches(port int, row types.Row, other *joinSide, slot int32) ([]match, error) {
	var out []match
	for r := other.rows.First(slot); r >= 0; r = other.rows.Next(r) {
		o, err := keyenc.DecodeRow(other.types, other.rows.Bytes(r))
		if err != nil {
			return nil, err
		}
		out = append(out, match{o, other.rows.Count(r)})
	}
	return j.pairs.filter(port, row, out)
}

// emitMatches emits what the row itself contributes.
func (j *HashJoin) emitMatches(op chunk.Op, port int, row types.Row, matches []match) {
	switch {
	case j.leftOnly():
		if port == 0 && (len(matches) > 0) == (j.Kind == plan.Semi) {
			j.out.Append(op, row)
		}
		return
	case len(matches) == 0:
		if j.preserves(port) {
			j.emitAlone(op, port, row)
		}
		return
	}
	for _, m := range matches {
		pair := j.pair(port, row, m.row)
		for range m.count {
			j.out.Append(op, pair)
		}
	}
}

// flipOther: rows of the other side that get their first match, or lose their last, change from one form to the other.
// The change itself is not in this side's rows yet.
func (j *HashJoin) flipOther(op chunk.Op, port int, mine *joinSide, slot int32, matches []match) error {
	for _, m := range matches {
		n, err := j.countMatches(1-port, m.row, mine, slot)
		if err != nil {
			return err
		}
		if before, after := n > 0, n+int64(op) > 0; before == after {
			continue
		}
		for range m.count {
			j.flip(op, 1-port, m.row)
		}
	}
	return nil
}

// countMatches counts the rows of a side under the slot that a row of the other side joins with.
func (j *HashJoin) countMatches(port int, row types.Row, side *joinSide, slot int32) (int64, error) {
	found, err := j.matches(port, row, side, slot)
	var n int64
	for _, m := range found {
		n += m.count
	}
	return n, err
}

// flip emits the change of a row between having a match and having none. op Insert: it got its first.
func (j *HashJoin) flip(op chunk.Op, side int, row types.Row) {
	switch j.Kind {
	case plan.Semi:
		j.out.Append(op, row)
	case plan.Anti, plan.NullAnti:
		j.out.Append(-op, row)
	default:
		j.emitAlone(-op, side, row)
	}
}

// emitAlone emits a row without a match, padded with NULL.
func (j *HashJoin) emitAlone(op chunk.Op, port int, row types.Row) {
	if j.leftOnly() {
		j.out.Append(op, row)
		return
	}
	j.out.Append(op, j.pair(port, row, make(types.Row, len(j.Types[1-port]))))
}

// pair puts the row of a port and one of the other side in order.
func (j *HashJoin) pair(port int, row, other types.Row) types.Row {
	if port == 1 {
		row, other = other, row
	}
	return append(append(make(types.Row, 0, len(row)+len(other)), row...), other...)
}

// Barrier stages both sides.
func (j *HashJoin) Barrier(b stream.Barrier, _ stream.Out) error {
	tick(j.Ctx, b)
	return nil
}

// pairing evaluates the join condition on pairs.
type pairing struct {
	cond  expr.Expr
	ctx   *expr.Ctx
	types []types.T
}

// filter keeps the matches for which the condition is true.
func (p *pairing) filter(port int, row types.Row, ms []match) ([]match, error) {
	if p.cond == nil || len(ms) == 0 {
		return ms, nil
	}
	b := chunk.NewBuilder(p.types, len(ms))
	for _, m := range ms {
		l, r := row, m.row
		if port == 1 {
			l, r = r, l
		}
		b.Append(chunk.Insert, append(append(make(types.Row, 0, len(l)+len(r)), l...), r...))
	}
	v, err := p.cond.Eval(p.ctx, b.Take(), nil)
	if err != nil {
		return nil, err
	}
	kept := ms[:0]
	for i, m := range ms {
		if !v.IsNull(i) && v.Bools[i] {
			kept = append(kept, m)
		}
	}
	return kept, nil
}

// joinSide is the rows of one side.
type joinSide struct {
	types    []types.T
	keys     []int
	nullSafe []bool
	vnodes   int
	table    *state.Table
	whole    bool // everything is in memory; the table is only written
	index    *state.Index
	rows     *state.Multimap
	hashes   []uint64
	key, buf []byte
}

func newJoinSide(c JoinConfig, s int) *joinSide {
	return &joinSide{types: c.Types[s], keys: c.Keys[s], nullSafe: c.NullSafe, vnodes: c.Vnodes, table: c.State[s],
		whole: c.State[s] == nil, index: state.NewIndex(), rows: state.NewMultimap()}
}

func (s *joinSide) recover() error {
	if s.table == nil {
		return nil
	}
	empty, err := s.table.Empty()
	s.whole = empty
	return err
}

func (s *joinSide) hash(c *chunk.Chunk) {
	if cap(s.hashes) < c.Rows() {
		s.hashes = make([]uint64, c.Rows())
	}
	s.hashes = s.hashes[:c.Rows()]
	vnode.Hash(c.Project(s.keys).Cols, s.hashes)
}

// joinable is false for a row with a NULL in a key where NULL matches nothing.
func (s *joinSide) joinable(c *chunk.Chunk, i int) bool {
	for k, col := range s.keys {
		if c.Cols[col].IsNull(i) && !(k < len(s.nullSafe) && s.nullSafe[k]) {
			return false
		}
	}
	return true
}

func (s *joinSide) keyOf(c *chunk.Chunk, i int) []byte {
	s.key = s.key[:0]
	for _, col := range s.keys {
		s.key = keyenc.AppendKeyVec(s.key, c.Cols[col], i, keyenc.Order{})
	}
	return s.key
}

func (s *joinSide) vnodeOf(hash uint64) vnode.ID {
	if s.vnodes <= 1 {
		return 0
	}
	return vnode.Of(hash, s.vnodes)
}

// slot returns the slot of a key, with the stored rows of a key that is met for the first time.
func (s *joinSide) slot(hash uint64, key []byte) (int32, error) {
	slot, isNew := s.index.Insert(hash, key)
	if !isNew || s.whole {
		return slot, nil
	}
	it := s.table.Scan(s.vnodeOf(hash), key)
	for it.Next() {
		n, _ := binary.Varint(it.Value())
		s.rows.Add(slot, it.Key()[len(key):], n)
	}
	return slot, it.Close()
}

// add changes the count of a row.
func (s *joinSide) add(slot int32, hash uint64, key []byte, c *chunk.Chunk, i int, n int64) error {
	s.buf = keyenc.AppendRow(s.buf[:0], c.Cols, i)
	_, count := s.rows.Add(slot, s.buf, n)
	if s.table == nil {
		return nil
	}
	stored := append(append([]byte{}, key...), s.buf...)
	var value []byte
	if count != 0 {
		value = binary.AppendVarint([]byte{}, count)
	}
	s.table.Put(s.vnodeOf(hash), stored, nil, value)
	return nil
}
