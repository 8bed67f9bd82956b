package op

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// settling looks at the rows of one vnode that a TimeFilter has noted, as its bounds move.
type settling struct {
	t       *TimeFilter
	v       vnode.ID
	place   *timePlace
	was, is []int64 // bounds
	out     *emitter
	rows    []int32 // of t.rows
	chunk   *chunk.Chunk
	keys    []*chunk.Vec
	buf     []byte
}

// all looks at the rows, a chunk at a time.
func (s *settling) all() error {
	for r := s.t.rows.First(int32(s.v)); r >= 0; r = s.t.rows.Next(r) {
		if s.rows = append(s.rows, r); len(s.rows) == chunk.RowsMax {
			if err := s.some(); err != nil {
				return err
			}
		}
	}
	return s.some()
}

func (s *settling) some() error {
	if len(s.rows) == 0 {
		return nil
	}
	if err := s.decode(); err != nil {
		return err
	}
	was, err := s.truth(s.was)
	if err != nil {
		return err
	}
	is, err := s.truth(s.is)
	if err != nil {
		return err
	}
	for i := range s.rows {
		if err := s.row(i, was[i], is[i]); err != nil {
			return err
		}
	}
	s.rows = s.rows[:0]
	return nil
}

// decode makes a chunk of the rows and computes their keys.
func (s *settling) decode() error {
	cols := make([]*chunk.Vec, len(s.t.Types))
	for i, t := range s.t.Types {
		cols[i] = chunk.NewVec(t, len(s.rows))
	}
	for _, r := range s.rows {
		if err := keyenc.DecodeInto(cols, s.t.rows.Bytes(r)); err != nil {
			return err
		}
	}
	s.chunk, s.keys = chunk.New(nil, cols, len(s.rows)), s.keys[:0]
	for _, k := range s.t.Keys {
		v, err := k.Eval(s.t.Ctx, s.chunk, nil)
		if err != nil {
			return err
		}
		s.keys = append(s.keys, v)
	}
	return nil
}

// truth evaluates the condition of all rows under bounds.
func (s *settling) truth(bounds []int64) ([]bool, error) {
	cols := s.chunk.Cols[:len(s.chunk.Cols):len(s.chunk.Cols)]
	for i, b := range bounds {
		cols = append(cols, chunk.Const(s.t.Bounds[i].Type(), types.NewInt(b), len(s.rows)))
	}
	v, err := s.t.Cond.Eval(s.t.Ctx, s.chunk.With(cols), nil)
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(s.rows))
	for i := range out {
		out[i] = v.Bools[i] && !v.IsNull(i)
	}
	return out, nil
}

// row emits how a row's part of the output changes, and keeps the row under the keys that are not below their bounds.
func (s *settling) row(i int, was, is bool) error {
	row, change := s.t.rows.Bytes(s.rows[i]), int64(s.t.rows.Word(s.rows[i]))
	had, kept, err := s.count(i, row)
	if err != nil {
		return err
	}
	emit := int64(0)
	if is {
		emit = had + change
	}
	if was {
		emit -= had
	}
	if kept {
		if had+change < 0 {
			return negative("row of a filter by time")
		}
		s.keep(i, row, had, had+change)
	}
	if emit == 0 {
		return nil
	}
	return s.out.row(row, emit)
}

// count is how many times a row was there, if that is kept: it is under each key that was not below its bound. Of other
// rows only changes are known, and nothing else is needed, as what is true of them does not change.
func (s *settling) count(i int, row []byte) (n int64, kept bool, err error) {
	for k, key := range s.keys {
		if key.IsNull(i) || key.Ints[i] < s.was[k] {
			continue
		}
		value, ok, err := s.t.State.Get(s.v, s.key(k, i, row))
		if err != nil || !ok {
			return 0, true, err
		}
		n, size := binary.Varint(value)
		if size <= 0 || n <= 0 {
			return 0, true, errs.RowCorrupt.New("what", "count of a row of a filter by time")
		}
		return n, true, nil
	}
	return 0, false, nil
}

// keep writes the count of a row under the keys that are not below their bounds, and removes it from those that were not.
func (s *settling) keep(i int, row []byte, had, has int64) {
	for k, key := range s.keys {
		switch {
		case key.IsNull(i) || key.Ints[i] < s.was[k]:
		case key.Ints[i] < s.is[k] || has == 0:
			if had > 0 {
				s.t.State.Put(s.v, s.key(k, i, row), nil, nil)
			}
		default:
			s.place.next[k] = min(s.place.next[k], key.Ints[i])
			if has != had {
				s.t.State.Put(s.v, s.key(k, i, row), nil, binary.AppendVarint(nil, has))
			}
		}
	}
}

func (s *settling) key(k, i int, row []byte) []byte {
	s.buf = keyenc.AppendKeyVec(append(s.buf[:0], byte(k)), s.keys[k], i, keyenc.Order{})
	s.buf = append(s.buf, row...)
	return s.buf
}
