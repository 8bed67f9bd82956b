package op

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// Values emits a constant relation, once in the life of its job: its state remembers that it has.
type Values struct {
	stream.NoWatermark
	Rows  *chunk.Chunk // nil: none
	State *state.Table // nil in a query
	sent  bool
}

// Recover reads whether the rows were sent.
func (v *Values) Recover() error {
	if v.State == nil {
		return nil
	}
	var err error
	_, v.sent, err = v.State.Get(0, nil)
	return err
}

// Chunk is never called: there is no input.
func (*Values) Chunk(int, *chunk.Chunk, stream.Out) error { return nil }

// Barrier emits the rows with the first epoch.
func (v *Values) Barrier(_ stream.Barrier, out stream.Out) error {
	if v.sent {
		return nil
	}
	v.sent = true
	if v.State != nil {
		v.State.Put(0, nil, nil, []byte{1})
	}
	if v.Rows == nil {
		return nil
	}
	return out.Chunk(v.Rows)
}
