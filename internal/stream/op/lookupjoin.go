package op

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Lookups is one view of a relation that rows are looked up in.
type Lookups interface {
	// Lookup emits the rows whose leading key columns equal the values, none of which is NULL.
	Lookup(values types.Row, emit func(*chunk.Chunk) error) error
	Close()
}

// LookupJoinConfig is what a LookupJoin is made of; see plan.LookupJoin.
type LookupJoinConfig struct {
	Outer bool      // rows without a match are padded
	Right []types.T // columns that are looked up
	Keys  []int
	Cond  expr.Expr // over both sides, nil when none
	Ctx   *expr.Ctx
	Open  func() (Lookups, error) // the relation as it is visible now
}

// LookupJoin holds the rows of an epoch until its barrier and looks them up then, in what was visible of the relation when
// the barrier came: in step with its inputs that is the epoch before. It has no state. What it emitted stays, whatever
// becomes of the relation, so its input must never take a row back.
type LookupJoin struct {
	stream.NoWatermark
	LookupJoinConfig
	held []*chunk.Chunk
}

// NewLookupJoin returns a join that holds nothing.
func NewLookupJoin(c LookupJoinConfig) *LookupJoin { return &LookupJoin{LookupJoinConfig: c} }

// Chunk holds the rows.
func (j *LookupJoin) Chunk(_ int, c *chunk.Chunk, _ stream.Out) error {
	for i := range c.Rows() {
		if c.Op(i) == chunk.Delete {
			return errs.Internal.New("what", "a row that was looked up was taken back")
		}
	}
	j.held = append(j.held, c)
	return nil
}

// Barrier looks up what the epoch brought.
func (j *LookupJoin) Barrier(b stream.Barrier, out stream.Out) error {
	tick(j.Ctx, b)
	if len(j.held) == 0 {
		return nil
	}
	view, err := j.Open()
	if err != nil {
		return err
	}
	defer view.Close()
	for _, c := range j.held {
		if err := j.join(view, c, out); err != nil {
			return err
		}
	}
	j.held = nil
	return nil
}

// join emits the matches of a chunk's rows, then the padded rows.
func (j *LookupJoin) join(view Lookups, c *chunk.Chunk, out stream.Out) error {
	m := &lookupMatches{LookupJoin: j, left: c, out: out, matched: make([]bool, c.Rows())}
	m.reset()
	for i := range c.Rows() {
		key, null := j.key(c, i)
		if null {
			continue // nothing equals NULL
		}
		if err := view.Lookup(key, func(found *chunk.Chunk) error { return m.add(i, found) }); err != nil {
			return err
		}
	}
	if err := m.flush(); err != nil {
		return err
	}
	if !j.Outer {
		return nil
	}
	return m.pad()
}

func (j *LookupJoin) key(c *chunk.Chunk, i int) (key types.Row, null bool) {
	for _, k := range j.Keys {
		d := c.Cols[k].Datum(i)
		if d.IsNull() {
			return nil, true
		}
		key = append(key, d)
	}
	return key, false
}

// lookupMatches collects what was found for the rows of one chunk.
type lookupMatches struct {
	*LookupJoin
	left    *chunk.Chunk
	out     stream.Out
	matched []bool
	rows    []int32 // of left
	right   []*chunk.Vec
}

func (m *lookupMatches) reset() {
	m.rows, m.right = nil, make([]*chunk.Vec, len(m.Right))
	for i, t := range m.Right {
		m.right[i] = chunk.NewVec(t, m.left.Rows())
	}
}

func (m *lookupMatches) add(row int, found *chunk.Chunk) error {
	for i := range found.Rows() {
		for k, v := range m.right {
			v.AppendFrom(found.Cols[k], i)
		}
		m.rows = append(m.rows, int32(row))
		if len(m.rows) >= chunk.RowsMax {
			if err := m.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush emits the pairs that satisfy the condition.
func (m *lookupMatches) flush() error {
	if len(m.rows) == 0 {
		return nil
	}
	pairs := chunk.New(nil, append(m.left.Gather(m.rows).Cols, m.right...), len(m.rows))
	keep := make([]int32, 0, len(m.rows))
	var ok *chunk.Vec
	if m.Cond != nil {
		var err error
		if ok, err = m.Cond.Eval(m.Ctx, pairs, nil); err != nil {
			return err
		}
	}
	for i, row := range m.rows {
		if ok == nil || ok.Bools[i] && !ok.IsNull(i) {
			m.matched[row] = true
			keep = append(keep, int32(i))
		}
	}
	m.reset()
	if len(keep) == 0 {
		return nil
	}
	return m.out.Chunk(pairs.Gather(keep))
}

// pad emits the rows without a match.
func (m *lookupMatches) pad() error {
	var alone []int32
	for i, matched := range m.matched {
		if !matched {
			alone = append(alone, int32(i))
		}
	}
	if len(alone) == 0 {
		return nil
	}
	cols := m.left.Gather(alone).Cols
	for _, t := range m.Right {
		cols = append(cols, chunk.Const(t, types.Null, len(alone)))
	}
	return m.out.Chunk(chunk.New(nil, cols, len(alone)))
}
