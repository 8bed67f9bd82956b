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

// grown notes what the operator holds by now.
func (h *held) grown() error {
	if h.op == nil {
		return nil
	}
	return h.meter.Set(int64(h.op.Size()))
}
