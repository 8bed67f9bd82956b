// Package epoch orders everything that happens in the stream. An epoch is a counter, not a clock: rows between two
// barriers belong to one epoch, and a number is never used twice, because blocks of numbers are reserved durably.
package epoch

// Epoch is the number of an epoch; 0 is before everything.
type Epoch uint64

// BlockSize is how many numbers one durable reservation covers. A restart begins a new block, so that an epoch that was
// visible but not durable before a crash can not be met again with other contents.
const BlockSize = 1 << 20

// Pair is what a barrier separates: it ends Prev and opens Curr.
type Pair struct{ Prev, Curr Epoch }

// NextBlock returns the first epoch of the block after e.
func (e Epoch) NextBlock() Epoch { return (e/BlockSize + 1) * BlockSize }
