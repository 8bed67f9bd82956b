package query

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// recursive runs the rounds of WITH RECURSIVE. Each passes its rows on at once, so that a LIMIT ends a recursion without
// an end of its own; one that nothing ends is ended by statement_timeout or by the memory that its rows take.
func (x *executor) recursive(n *plan.Recursive, out stream.Out) error {
	r := rounds{all: n.All, out: out, meter: mem.NewMeter(x.Memory)}
	defer r.meter.Close()
	if !n.All {
		r.seen = map[string]struct{}{}
	}
	if err := x.run(n.Base, sink(r.add)); err != nil {
		return err
	}
	for len(r.next) > 0 {
		last := &plan.Given{Fields: n.Work.Fields, Chunks: r.next}
		r.next, r.held = nil, 0
		round := n.Round(last)
		forget := x.Measure.count(round, n.Step)
		err := x.run(round, sink(r.add))
		if forget(); err != nil {
			return err
		}
	}
	return nil
}

// rounds collects the rows of a round.
type rounds struct {
	all   bool
	seen  map[string]struct{} // keys of all rows so far, without all
	next  []*chunk.Chunk
	held  int // bytes of next
	known int // bytes of seen
	key   []byte
	out   stream.Out
	meter mem.Meter
}

// keySize is what an entry of a map takes beside the bytes of its key.
const keySize = 32

func (r *rounds) add(c *chunk.Chunk) error {
	if !r.all {
		c = c.Gather(r.fresh(c))
	}
	if c.Rows() == 0 {
		return nil
	}
	r.next = append(r.next, c)
	r.held += c.Size()
	if err := r.meter.Set(int64(r.held + r.known)); err != nil {
		return err
	}
	return r.out.Chunk(c)
}

// fresh returns the rows that were not there before.
func (r *rounds) fresh(c *chunk.Chunk) []int32 {
	rows := []int32{}
	for i := range c.Rows() {
		r.key = r.key[:0]
		for _, col := range c.Cols {
			r.key = keyenc.AppendKeyVec(r.key, col, i, keyenc.Order{})
		}
		if _, ok := r.seen[string(r.key)]; ok {
			continue
		}
		r.seen[string(r.key)] = struct{}{}
		r.known += len(r.key) + keySize
		rows = append(rows, int32(i))
	}
	return rows
}
