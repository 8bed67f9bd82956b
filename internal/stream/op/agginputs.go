package op

import (
	"encoding/binary"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
)

// aggInputs yields the stored inputs of a group in order.
type aggInputs struct {
	it    *state.Iterator
	call  *aggCall
	skip  int    // bytes of the key before the order key
	first []byte // form of the first input, for calls that need only that
	any   bool
	err   error
}

func (in *aggInputs) next() (types.Row, int64, bool) {
	if in.err != nil || !in.it.Next() {
		return nil, 0, false
	}
	row, count, err := in.decode(in.it.Value())
	in.err = err
	return row, count, err == nil
}

// decode reads a stored input: its count, then its row.
func (in *aggInputs) decode(v []byte) (types.Row, int64, error) {
	count, n := binary.Varint(v)
	if n <= 0 {
		return nil, 0, errs.RowCorrupt.New("what", "input of an aggregate")
	}
	if count < 0 {
		return nil, 0, negative("input of an aggregate")
	}
	row, err := keyenc.DecodeRow(in.call.types, v[n:])
	if err != nil {
		return nil, 0, err
	}
	if in.call.Distinct {
		count = 1
	}
	in.note(v[n:])
	return row, count, nil
}

// note keeps the form of the first input.
func (in *aggInputs) note(row []byte) {
	if in.any || !in.call.headed() {
		return
	}
	in.any = true
	in.first = in.call.formOf(in.it.Key()[in.skip:], row)
}

// formOf is the form of a stored input, from its key within the call and its row.
func (a *aggCall) formOf(key, row []byte) []byte {
	if !a.Distinct {
		key = key[:len(key)-len(row)]
	}
	return endForm(slices.Concat(key, row), len(key))
}

// edges collects the values that came first or went last, for the accumulator of a DISTINCT call.
type edges struct {
	call  *aggCall
	slots []int32
	ops   []chunk.Op
	cols  []*chunk.Vec
}

func (e *edges) add(s int32, came bool, row []byte) error {
	if e.cols == nil {
		for _, t := range e.call.types {
			e.cols = append(e.cols, chunk.NewVec(t, 0))
		}
	}
	op := chunk.Insert
	if !came {
		op = chunk.Delete
	}
	e.slots, e.ops = append(e.slots, s), append(e.ops, op)
	if err := keyenc.DecodeInto(e.cols, row); err != nil {
		return err
	}
	if len(e.slots) < chunk.RowsMax {
		return nil
	}
	return e.flush()
}

func (e *edges) flush() error {
	if len(e.slots) == 0 {
		return nil
	}
	args := e.cols[len(e.cols)-e.call.argN:]
	err := e.call.accum.Update(e.slots, e.ops, nil, args)
	e.slots, e.ops, e.cols = e.slots[:0], e.ops[:0], nil
	return err
}
