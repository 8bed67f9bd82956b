package op

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
)

// joinPairs collects pairs of a chunk's row and a stored row of the other side, checks the condition on many at once,
// and emits them.
type joinPairs struct {
	join   *HashJoin
	port   int
	chunk  *chunk.Chunk
	mine   []int32 // rows of the chunk
	theirs []int32 // rows of the other side
}

func newJoinPairs(j *HashJoin) *joinPairs { return &joinPairs{join: j} }

func (p *joinPairs) begin(port int, c *chunk.Chunk) { p.port, p.chunk = port, c }

func (p *joinPairs) add(mine, theirs int32) error {
	p.mine, p.theirs = append(p.mine, mine), append(p.theirs, theirs)
	if len(p.mine) >= chunk.RowsMax {
		return p.flush()
	}
	return nil
}

// flush emits the pairs collected.
func (p *joinPairs) flush() error {
	if len(p.mine) == 0 {
		return nil
	}
	j := p.join
	cols, err := p.columns()
	if err != nil {
		return err
	}
	c := chunk.New(nil, cols, len(p.mine))
	kept, err := p.check(c)
	if err != nil {
		return err
	}
	if !j.leftOnly() {
		if err := p.emit(c, kept); err != nil {
			return err
		}
	}
	p.mine, p.theirs = p.mine[:0], p.theirs[:0]
	return nil
}

// columns makes the columns of the pairs, left ones first. Strings of stored rows are shared: a side's arena is never
// written over.
func (p *joinPairs) columns() ([]*chunk.Vec, error) {
	j := p.join
	theirs := make([]*chunk.Vec, len(j.Types[1-p.port]))
	for k, t := range j.Types[1-p.port] {
		theirs[k] = chunk.NewVec(t, len(p.theirs))
	}
	for _, r := range p.theirs {
		if err := keyenc.DecodeIntoAlias(theirs, j.store.rows[1-p.port].Bytes(r)); err != nil {
			return nil, err
		}
	}
	mine := make([]*chunk.Vec, len(p.chunk.Cols))
	for k, v := range p.chunk.Cols {
		mine[k] = v.Gather(p.mine)
	}
	if p.port == 0 {
		return append(mine, theirs...), nil
	}
	return append(theirs, mine...), nil
}

// check returns the pairs that satisfy the condition, nil for all, and lets the join know them.
func (p *joinPairs) check(c *chunk.Chunk) ([]int32, error) {
	j := p.join
	if j.Cond == nil {
		return nil, nil
	}
	v, err := j.Cond.Eval(j.Ctx, c, nil)
	if err != nil {
		return nil, err
	}
	kept := make([]int32, 0, len(p.mine))
	for k := range p.mine {
		if v.IsNull(k) || !v.Bools[k] {
			continue
		}
		kept = append(kept, int32(k))
		if err := j.matched(p.port, p.chunk.Op(int(p.mine[k])), p.mine[k], p.theirs[k]); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// emit sends the pairs, each as often as its stored row is there; below 0 times is the opposite change.
func (p *joinPairs) emit(c *chunk.Chunk, kept []int32) error {
	rows := p.join.store.rows[1-p.port]
	pick := make([]int32, 0, len(p.mine))
	ops := make([]chunk.Op, 0, len(p.mine))
	minus := false
	take := func(k int32) {
		op, n := p.chunk.Op(int(p.mine[k])), rows.Count(p.theirs[k])
		if n < 0 {
			op, n = -op, -n
		}
		minus = minus || op == chunk.Delete
		for range n {
			pick, ops = append(pick, k), append(ops, op)
		}
	}
	if kept == nil && p.join.Cond == nil {
		for k := range p.mine {
			take(int32(k))
		}
	} else {
		for _, k := range kept {
			take(k)
		}
	}
	if len(pick) == 0 {
		return nil
	}
	if !minus {
		ops = nil
	}
	if !isIdentity(pick, c.Rows()) {
		c = c.Gather(pick)
	}
	return p.join.out.out.Chunk(chunk.New(ops, c.Cols, c.Rows()))
}

func isIdentity(rows []int32, n int) bool {
	if len(rows) != n {
		return false
	}
	for i, r := range rows {
		if r != int32(i) {
			return false
		}
	}
	return true
}
