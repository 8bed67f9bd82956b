package op

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TopNConfig is what a TopN is made of; see plan.TopN.
type TopNConfig struct {
	Types         []types.T
	Partition     []int
	Order         []plan.Order
	Limit, Offset int64 // Limit -1: all
	WithTies      bool
	Rank          plan.Rank
	Vnodes        int
	Dist          []int        // columns that choose the vnode
	State         *state.Table // see orderedRows
}

// TopN keeps all rows in order and emits, at the barrier, how the chosen part of each changed partition differs from
// before. Only the chosen part is read, however large the partition.
type TopN struct {
	stream.NoWatermark
	TopNConfig
	rows *orderedRows
}

// NewTopN returns a TopN without rows.
func NewTopN(c TopNConfig) *TopN {
	return &TopN{TopNConfig: c, rows: (&orderedRows{types: c.Types, partition: c.Partition, order: c.Order,
		vnodes: c.Vnodes, dist: c.Dist, table: c.State}).init()}
}

// Chunk collects the changes.
func (t *TopN) Chunk(_ int, c *chunk.Chunk, _ stream.Out) error {
	t.rows.add(c)
	return nil
}

// Size is about how many bytes the rows take. The barrier of a query moves them to its table.
func (t *TopN) Size() int { return 2 * t.rows.size() }

// Pending implements stream.Pending.
func (t *TopN) Pending() int { return t.rows.pending() }

// Unstaged implements stream.Unstaged.
func (t *TopN) Unstaged() int { return t.rows.unstaged() }

// Shrink implements stream.Pending.
func (t *TopN) Shrink() { t.rows.shrink() }

// Barrier applies the changes and emits the differences.
func (t *TopN) Barrier(_ stream.Barrier, out stream.Out) error {
	d := newDiffer(t.outTypes(), out)
	err := t.rows.each(func(p int32) error {
		if err := t.chosen(p, d.was); err != nil {
			return err
		}
		if err := t.rows.apply(p); err != nil {
			return err
		}
		if err := t.chosen(p, d.is); err != nil {
			return err
		}
		return d.emit()
	})
	if err != nil {
		return err
	}
	return d.flush()
}

func (t *TopN) outTypes() []types.T {
	if t.Rank == plan.None {
		return t.Types
	}
	return append(append([]types.T{}, t.Types...), types.Int8)
}

// chosen yields the rows of a partition that are in the output, in order.
func (t *TopN) chosen(p int32, yield func(row []byte) error) error {
	w := topWalk{t: t, yield: yield}
	return t.rows.scan(p, w.step)
}

// topWalk walks over a partition in order and yields the rows from Offset on.
type topWalk struct {
	t           *TopN
	yield       func(row []byte) error
	seen        int64 // rows walked over
	rank, dense int64
	order       []byte // order key of the last row
	buf         []byte
}

func (w *topWalk) step(r orderedRow) (more bool, err error) {
	t := w.t
	tie := w.seen > 0 && bytes.Equal(r.order, w.order)
	for range r.count {
		full := t.Limit >= 0 && w.seen >= t.Offset+t.Limit
		if full && (!t.WithTies || !tie || t.Limit == 0) {
			return false, nil
		}
		w.seen++
		if !tie {
			w.rank, w.dense, tie = w.seen, w.dense+1, true
			w.order = append(w.order[:0], r.order...)
		}
		if w.seen > t.Offset {
			if err := w.yield(w.ranked(r.row)); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// ranked adds the number that the TopN shows.
func (w *topWalk) ranked(row []byte) []byte {
	n := w.seen
	switch w.t.Rank {
	case plan.None:
		return row
	case plan.RankWithGaps:
		n = w.rank
	case plan.DenseRank:
		n = w.dense
	}
	w.buf = keyenc.AppendDatums(append(w.buf[:0], row...), []types.T{types.Int8}, types.Row{types.NewInt(n)})
	return w.buf
}
