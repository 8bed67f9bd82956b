package op

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// JoinConfig is what a hash join is made of. Side 0 is the left one.
type JoinConfig struct {
	Kind     plan.Kind // not NullAnti, which has an operator of its own
	Types    [2][]types.T
	Keys     [2][]int
	NullSafe []bool
	Cond     expr.Expr // over left then right columns; nil: none
	Ctx      *expr.Ctx
	Vnodes   int
	// State is key, row -> count. Without tables the join is bounded: the right port is driven to its end before the left
	// one begins, nothing is deleted, and only the right rows are kept.
	State [2]*state.Table
	// CacheMax bounds the bytes in memory after a barrier; 0: as the account of the tables allows, JoinCacheDefault without
	// one.
	CacheMax int
}

// JoinCacheDefault is for one join of one actor without an account.
const JoinCacheDefault = 128 << 20

// HashJoin joins on equal keys. Both sides keep their rows; a change of one side meets the rows of the other.
//
// In outer, semi and anti joins the form of a row depends on its degree: how many rows it matches, copies counted. It has
// a match when that is above 0. The degree is not stored. Without a condition it is the number of rows that the other
// side has under the key; with one it is kept beside each row in memory, and computed when a key is read back.
//
// What is emitted for a change is the difference between two states, and a state is defined for counts below 0 too, so
// that the changes of an epoch sum up to the right result in whatever order they come.
type HashJoin struct {
	stream.NoWatermark
	JoinConfig
	store   *joinStore
	bounded bool

	out   *emitter
	pairs *joinPairs
	degs  []int64 // of the rows of the chunk
	enc   state.Keys
}

// NewHashJoin returns a join without rows.
func NewHashJoin(c JoinConfig) *HashJoin {
	j := &HashJoin{JoinConfig: c, bounded: c.State[0] == nil}
	j.store = newJoinStore(&j.JoinConfig)
	j.pairs = newJoinPairs(j)
	return j
}

func (c *JoinConfig) leftOnly() bool { return c.Kind == plan.Semi || c.Kind == plan.Anti }

// preserves reports whether rows of the side without a match appear in the output.
func (c *JoinConfig) preserves(side int) bool {
	switch c.Kind {
	case plan.Full:
		return true
	case plan.Left, plan.Anti:
		return side == 0
	case plan.Right:
		return side == 1
	}
	return false
}

// tracks reports whether the form of a side's rows depends on their degree.
func (c *JoinConfig) tracks(side int) bool { return c.preserves(side) || c.leftOnly() && side == 0 }

func (c *JoinConfig) outTypes() []types.T {
	if c.leftOnly() {
		return c.Types[0]
	}
	return append(append([]types.T{}, c.Types[0]...), c.Types[1]...)
}

// Recover finds out whether the state begins empty, so that new keys need not be looked for.
func (j *HashJoin) Recover() error { return j.store.recover() }

// Chunk meets the changes of one side with the rows of the other.
func (j *HashJoin) Chunk(port int, c *chunk.Chunk, out stream.Out) error {
	j.out = newEmitter(j.outTypes(), out)
	probe := j.bounded && port == 0
	if err := j.store.find(port, c, probe); err != nil {
		return err
	}
	j.degs = sized(j.degs, c.Rows())
	clear(j.degs)
	if !j.bounded || probe {
		if err := j.meet(port, c); err != nil {
			return err
		}
	}
	if err := j.place(port, c, probe); err != nil {
		return err
	}
	j.store.note()
	return j.out.flush()
}

// meet emits the pairs, and the rows of the other side that change their form.
func (j *HashJoin) meet(port int, c *chunk.Chunk) error {
	s := j.store
	j.pairs.begin(port, c)
	s.rows[1-port].Touch(s.slots)
	for i, slot := range s.slots {
		if slot < 0 {
			continue
		}
		if j.Cond != nil || !j.leftOnly() {
			for r := s.rows[1-port].First(slot); r >= 0; r = s.rows[1-port].Next(r) {
				if err := j.pairs.add(int32(i), r); err != nil {
					return err
				}
			}
		}
		if j.Cond == nil {
			j.degs[i] = s.total[1-port][slot]
			before := s.total[port][slot]
			s.total[port][slot] += int64(c.Op(i))
			if err := j.flipAll(port, slot, before, before+int64(c.Op(i))); err != nil {
				return err
			}
		}
	}
	return j.pairs.flush()
}

// flipAll changes the form of all rows of the other side under a slot when their degree passes 1.
func (j *HashJoin) flipAll(port int, slot int32, before, after int64) error {
	if j.bounded || !j.tracks(1-port) || (before > 0) == (after > 0) {
		return nil
	}
	other := j.store.rows[1-port]
	for r := other.First(slot); r >= 0; r = other.Next(r) {
		if err := j.flip(1-port, r, after > 0); err != nil {
			return err
		}
	}
	return nil
}

// matched takes a pair that satisfies the condition of a join with one.
func (j *HashJoin) matched(port int, op chunk.Op, i, r int32) error {
	other := j.store.rows[1-port]
	j.degs[i] += other.Count(r)
	if !j.tracks(1 - port) {
		return nil
	}
	before := int64(other.Word(r))
	after := before + int64(op)
	other.SetWord(r, int32(after))
	if j.bounded || (before > 0) == (after > 0) {
		return nil
	}
	return j.flip(1-port, r, after > 0)
}

// flip emits that a stored row got its first match or lost its last.
func (j *HashJoin) flip(side int, r int32, matched bool) error {
	n := j.store.rows[side].Count(r)
	if matched != (j.Kind == plan.Semi) {
		n = -n
	}
	return j.alone(side, j.store.rows[side].Bytes(r), n)
}

// alone emits n copies of a row, the other side's columns NULL.
func (j *HashJoin) alone(side int, row []byte, n int64) error {
	if j.leftOnly() {
		return j.out.row(row, n)
	}
	nulls := make([]byte, len(j.Types[1-side])) // a NULL is a byte 0
	if side == 0 {
		return j.out.row(append(row[:len(row):len(row)], nulls...), n)
	}
	return j.out.row(append(nulls, row...), n)
}

// place emits what the rows of the chunk are without a match, and keeps them.
func (j *HashJoin) place(port int, c *chunk.Chunk, probe bool) error {
	if probe && !j.tracks(port) {
		return nil
	}
	j.enc.Reset()
	for i := range c.Rows() {
		j.enc.Bytes = keyenc.AppendRow(j.enc.Bytes, c.Cols, i)
		j.enc.Ends = append(j.enc.Ends, len(j.enc.Bytes))
	}
	var batch state.Batch
	if !probe {
		batch = j.store.rows[port].Batch(j.store.slots, &j.enc)
	}
	for i, slot := range j.store.slots {
		op := int64(c.Op(i))
		if j.shown(port, i, slot) {
			if err := j.alone(port, j.enc.At(i), op); err != nil {
				return err
			}
		}
		if !probe && slot >= 0 {
			j.store.add(port, batch, i, op, j.degs[i])
		}
	}
	return nil
}

// shown reports whether row i appears by itself. Rows of a bounded join's right side are shown at the end.
func (j *HashJoin) shown(port, i int, slot int32) bool {
	switch {
	case j.bounded && port == 1 && slot >= 0:
		return false
	case j.Kind == plan.Semi:
		return port == 0 && j.degs[i] > 0
	}
	return j.preserves(port) && j.degs[i] <= 0
}

// Size is about how many bytes the rows take.
func (j *HashJoin) Size() int { return j.store.size() }

// Unstaged implements stream.Unstaged.
func (j *HashJoin) Unstaged() int { return j.store.unstaged() }

// Barrier moves the clock and makes the rows in memory fit. A bounded join emits the right rows without a match.
func (j *HashJoin) Barrier(b stream.Barrier, out stream.Out) error {
	tick(j.Ctx, b)
	if !j.bounded {
		j.store.flush()
		j.store.evict()
		return nil
	}
	if !j.preserves(1) {
		return nil
	}
	j.out = newEmitter(j.outTypes(), out)
	s := j.store
	for slot := range int32(s.index.Len()) {
		for r := s.rows[1].First(slot); r >= 0; r = s.rows[1].Next(r) {
			if s.total[0][slot] > 0 || s.rows[1].Word(r) > 0 {
				continue
			}
			if err := j.alone(1, s.rows[1].Bytes(r), s.rows[1].Count(r)); err != nil {
				return err
			}
		}
	}
	return j.out.flush()
}
