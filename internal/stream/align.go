package stream

import "github.com/tidemark-db/tidemark/internal/errs"

// Aligner turns several inputs into one sequence in which a barrier comes once, after all that preceded it on every
// input. An input that has delivered the barrier is held back until the others have too. It is pure: the driver asks
// which inputs are open and feeds only those.
type Aligner struct {
	held  []bool
	count int // inputs held
	cur   Barrier
}

// NewAligner returns an aligner of n inputs, all open.
func NewAligner(n int) *Aligner { return &Aligner{held: make([]bool, n)} }

// Open reports whether the input may be read.
func (a *Aligner) Open(input int) bool { return !a.held[input] }

// Resize changes the number of inputs; only between barriers, when none is held.
func (a *Aligner) Resize(n int) { a.held = make([]bool, n) }

// Step takes a barrier of an input and reports whether it is now complete on all of them.
func (a *Aligner) Step(input int, b Barrier) (aligned bool, err error) {
	if a.held[input] {
		return false, errs.Internal.New("what", "an input spoke while it was held for a barrier")
	}
	if a.count > 0 && b.Pair != a.cur.Pair {
		return false, errs.Internal.New("what", "an input brought another barrier than the one being aligned").
			WithDetail("brought %v, aligning %v", b.Pair, a.cur.Pair)
	}
	a.cur, a.held[input] = b, true
	if a.count++; a.count < len(a.held) {
		return false, nil
	}
	clear(a.held)
	a.count = 0
	return true, nil
}
