package query

import (
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// held is what an operator holds, in the account of the query. A query that does not fit ends with an error and gives
// back everything; nobody else is disturbed.
type held struct {
	meter mem.Meter
	op    stream.Sized // nil: it holds nothing
}

func (x *executor) hold(op stream.Operator) *held {
	h := &held{meter: mem.NewMeter(x.Memory)}
	h.op, _ = op.(stream.Sized)
	return h
}

// roomShare is the part of what could be written to disk that must be free beside it, for whoever takes the rows.
const roomShare = 3

// fits notes what could be written to disk. The error says that it is to be: nothing is refused yet.
func fits(m *mem.Meter, size int64) error {
	err := m.Set(size + size/roomShare)
	m.Note(size)
	return err
}

// heldLeast is what every operator may hold, however full the account is: one that begins when another has just written to
// disk what it could needs little, and to refuse it would help nobody.
const heldLeast = 64 << 10

// grown notes what the operator holds by now.
func (h *held) grown() error {
	if h.op == nil {
		return nil
	}
	size := int64(h.op.Size())
	if size <= heldLeast {
		h.meter.Note(size)
		return nil
	}
	return h.meter.Set(size)
}
