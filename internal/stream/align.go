package stream

import "github.com/tidemark-db/tidemark/internal/errs"

// Aligner turns several inputs into one sequence in which a barrier comes once, after all that preceded it on every
// active input. An input that has delivered the barrier is held back until the others have too. It is pure: the driver
// asks which inputs are open and feeds only those.
type Aligner struct {
	active, held []bool
	actives      int
	count        int // inputs held
	cur          Barrier
}

// NewAligner returns an aligner of n inputs, none of them active.
func NewAligner(n int) *Aligner { return &Aligner{active: make([]bool, n), held: make([]bool, n)} }

// Open reports whether the input may be read.
func (a *Aligner) Open(input int) bool { return a.active[input] && !a.held[input] }

// Activate and Deactivate change what a barrier waits for; only between barriers, when no input is held.
func (a *Aligner) Activate(input int)   { a.set(input, true) }
func (a *Aligner) Deactivate(input int) { a.set(input, false) }

func (a *Aligner) set(input int, active bool) {
	for input >= len(a.active) {
		a.active, a.held = append(a.active, false), append(a.held, false)
	}
	if a.active[input] == active {
		return
	}
	a.active[input] = active
	if active {
		a.actives++
	} else {
		a.actives--
	}
}

// Step takes a barrier of an input and reports whether it is now complete on all of them.
func (a *Aligner) Step(input int, b Barrier) (aligned bool, err error) {
	if !a.Open(input) {
		return false, errs.Internal.New("what", "an input spoke while it was closed or held for a barrier")
	}
	if a.count > 0 && b.Pair != a.cur.Pair {
		return false, errs.Internal.New("what", "an input brought another barrier than the one being aligned").
			WithDetail("brought %v, aligning %v", b.Pair, a.cur.Pair)
	}
	a.cur, a.held[input] = b, true
	if a.count++; a.count < a.actives {
		return false, nil
	}
	clear(a.held)
	a.count = 0
	return true, nil
}
