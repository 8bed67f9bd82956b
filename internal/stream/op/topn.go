package op

import (
	"bytes"
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// TopNConfig is what a TopN is made of; see plan.TopN.
type TopNConfig struct {
	Types         []types.T
	Partition     []int
	Order         []plan.Order
	Limit, Offset int64
	WithTies      bool
	Rank          plan.Rank
	Vnodes        int
	Dist          []int        // columns that choose the vnode
	State         *state.Table // partition, order, row -> count
}

// TopN keeps all rows in order and emits, at the barrier, how the chosen part of each changed partition differs from
// before. What a partition showed before is read from the state when the first change of an epoch touches it.
type TopN struct {
	stream.NoWatermark
	TopNConfig
	parts  map[string]*topPart
	order  []string
	hashes []uint64
}

type topPart struct {
	v      vnode.ID
	before []types.Row
}

// NewTopN returns a TopN without rows.
func NewTopN(c TopNConfig) *TopN { return &TopN{TopNConfig: c, parts: map[string]*topPart{}} }

// Chunk stores the changes.
func (t *TopN) Chunk(_ int, c *chunk.Chunk, _ stream.Out) error {
	t.hashes = append(t.hashes[:0], make([]uint64, c.Rows())...)
	vnode.Hash(c.Project(t.Dist).Cols, t.hashes)
	keys := make([][]byte, c.Rows())
	for i := range keys { // all partitions are read before the first is written
		keys[i] = t.partition(c, i)
		if t.parts[string(keys[i])] != nil {
			continue
		}
		p := &topPart{}
		if t.Vnodes > 1 {
			p.v = vnode.Of(t.hashes[i], t.Vnodes)
		}
		var err error
		if p.before, err = t.chosen(p.v, keys[i]); err != nil {
			return err
		}
		t.parts[string(keys[i])] = p
		t.order = append(t.order, string(keys[i]))
	}
	for i, key := range keys {
		if err := t.bump(t.parts[string(key)].v, key, c, i); err != nil {
			return err
		}
	}
	return nil
}

func (t *TopN) partition(c *chunk.Chunk, i int) []byte {
	var key []byte
	for _, col := range t.Partition {
		key = keyenc.AppendKeyVec(key, c.Cols[col], i, keyenc.Order{})
	}
	return key
}

// bump changes the count of a row. Its key is partition, length of the order key, order key, all columns in ascending
// order as the tie break, exact row; the value repeats what is needed to read it back.
func (t *TopN) bump(v vnode.ID, part []byte, c *chunk.Chunk, i int) error {
	key := append([]byte{}, part...)
	for _, o := range t.Order {
		key = keyenc.AppendKeyVec(key, c.Cols[o.Col], i, keyenc.Order{Desc: o.Desc, NullsFirst: o.NullsFirst})
	}
	orderEnd := len(key)
	for _, col := range c.Cols {
		key = keyenc.AppendKeyVec(key, col, i, keyenc.Order{})
	}
	row := keyenc.AppendRow(nil, c.Cols, i)
	key = append(key, row...)
	old, ok, err := t.State.Get(v, key)
	if err != nil {
		return err
	}
	var n int64
	if ok {
		if n, _ = binary.Varint(old); n == 0 {
			return errs.RowCorrupt.New("what", "state of a TopN")
		}
	}
	if n += int64(c.Op(i)); n == 0 {
		t.State.Put(v, key, nil, nil)
		return nil
	}
	value := binary.AppendVarint([]byte{}, n)
	value = binary.AppendUvarint(value, uint64(orderEnd-len(part)))
	t.State.Put(v, key, nil, append(value, row...))
	return nil
}

// chosen reads the rows of a partition that are in the output, in order.
func (t *TopN) chosen(v vnode.ID, part []byte) ([]types.Row, error) {
	it := t.State.Scan(v, part)
	w := topWindow{t: t}
	for !w.done && it.Next() {
		count, n := binary.Varint(it.Value())
		size, k := binary.Uvarint(it.Value()[max(n, 0):])
		if n <= 0 || k <= 0 || len(part)+int(size) > len(it.Key()) {
			it.Close()
			return nil, errs.RowCorrupt.New("what", "state of a TopN")
		}
		row, err := keyenc.DecodeRow(t.Types, it.Value()[n+k:])
		if err != nil {
			it.Close()
			return nil, err
		}
		w.add(row, count, it.Key()[len(part):len(part)+int(size)])
	}
	return w.rows, it.Close()
}

// topWindow walks over a partition in order and takes the rows from Offset on.
type topWindow struct {
	t           *TopN
	rows        []types.Row
	seen        int64 // rows walked over
	rank, dense int64
	order       []byte // order key of the last row
	done        bool
}

func (w *topWindow) add(row types.Row, count int64, order []byte) {
	t := w.t
	tie := w.seen > 0 && bytes.Equal(order, w.order)
	for range count {
		full := t.Limit >= 0 && w.seen >= t.Offset+t.Limit
		if full && !(t.WithTies && tie) {
			w.done = true
			return
		}
		w.seen++
		if !tie {
			w.rank, w.dense, tie = w.seen, w.dense+1, true
			w.order = append(w.order[:0], order...)
		}
		if w.seen > t.Offset {
			w.rows = append(w.rows, w.ranked(row))
		}
	}
}

// ranked adds the number that the TopN shows.
func (w *topWindow) ranked(row types.Row) types.Row {
	var n int64
	switch w.t.Rank {
	case plan.None:
		return row
	case plan.RowNumber:
		n = w.seen
	case plan.RankWithGaps:
		n = w.rank
	case plan.DenseRank:
		n = w.dense
	}
	return append(append(make(types.Row, 0, len(row)+1), row...), types.NewInt(n))
}

// Barrier emits the differences.
func (t *TopN) Barrier(_ stream.Barrier, out stream.Out) error {
	b := chunk.NewBuilder(t.outTypes(), 0)
	for _, key := range t.order {
		p := t.parts[key]
		after, err := t.chosen(p.v, []byte(key))
		if err != nil {
			return err
		}
		diffRows(t.outTypes(), p.before, after, b)
		if b.Full() {
			if err := out.Chunk(b.Take()); err != nil {
				return err
			}
		}
	}
	clear(t.parts)
	t.order = t.order[:0]
	if c := b.Take(); c != nil {
		return out.Chunk(c)
	}
	return nil
}

func (t *TopN) outTypes() []types.T {
	if t.Rank == plan.None {
		return t.Types
	}
	return append(append([]types.T{}, t.Types...), types.Int8)
}

// diffRows emits the difference of two multisets of rows: first what went, then what came.
func diffRows(ts []types.T, before, after []types.Row, b *chunk.Builder) {
	counts := map[string]int{}
	for _, r := range after {
		counts[string(keyenc.AppendDatums(nil, ts, r))]++
	}
	for _, r := range before {
		k := string(keyenc.AppendDatums(nil, ts, r))
		if counts[k] > 0 {
			counts[k]--
			continue
		}
		b.Append(chunk.Delete, r)
	}
	for _, r := range after {
		k := string(keyenc.AppendDatums(nil, ts, r))
		if counts[k] > 0 {
			counts[k]--
			b.Append(chunk.Insert, r)
		}
	}
}
