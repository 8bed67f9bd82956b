package capture

import "github.com/tidemark-db/tidemark/internal/mem"

// The parts of the account that one thing may take, when the account has a limit: two pieces of history are there at a time,
// and beside a batch what it changes, which is several times as large.
const (
	pieceShare  = 8
	batchShare  = 32
	leastMemory = 64 << 10
)

// within is a size, or the share of the account that it may take if that is less.
func within(memory *mem.Budget, size, share int64) int64 {
	if limit := memory.Limit(); limit > 0 {
		return min(size, max(limit/share, leastMemory))
	}
	return size
}
