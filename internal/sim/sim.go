// Package sim runs a whole engine under one seed: the real driver, coordinator, actors, operators, sequencer and store,
// in one goroutine, with a scheduler that picks at random who moves next, and crashes, failures and slow parts between
// any two steps. After every step that shows something to readers, what is shown is compared with answers computed from
// scratch; see DESIGN.md for what must hold.
//
//	report, err := sim.Run(42, sim.Options{})
package sim

import (
	"fmt"
	"math/rand/v2"
)

// Options say how long a run is and what it tells.
type Options struct {
	Rounds int               // 0: roundsDefault
	Log    func(line string) // gets every line of the trace; nil: nobody
	fault  fault
}

const (
	// roundsDefault is how often a run comes to rest: what a round begins with is a graph of attached views.
	roundsDefault = 3
	// roundSteps is how long things happen at random until the run is left to come to rest.
	roundSteps = 400
	// historyMax bounds the statements before the first view.
	historyMax = 12
	// tightEvery: one of so many runs is short of memory.
	tightEvery = 3
	// hashedEvery: one of so many runs keeps the sums of its rows.
	hashedEvery = 2
	// patientEvery: in one of so many runs every second view is waited for, however long it holds up a barrier.
	patientEvery = 4
	// settleMax bounds how many steps that may take.
	settleMax = 60_000
)

// Report is what a run has done.
type Report struct {
	Counts map[string]int // by name of what happened
	Digest uint64         // of the whole trace: equal for equal seeds
	Tail   []string       // the last lines of the trace
}

// Run simulates one seed. The error is the first thing that did not hold.
func Run(seed uint64, o Options) (*Report, error) {
	if o.Rounds == 0 {
		o.Rounds = roundsDefault
	}
	w := newWorld(rand.New(rand.NewPCG(seed, 0)), o)
	w.tight = rand.New(rand.NewPCG(seed, 1)).IntN(tightEvery) == 0 // its own stream: the order of events does not depend on it
	w.hashed = rand.New(rand.NewPCG(seed, 2)).IntN(hashedEvery) == 0
	w.patient = rand.New(rand.NewPCG(seed, 4)).IntN(patientEvery) == 0
	w.boot(newDisk())
	newScheduler(w).preload()
	for range o.Rounds {
		newScheduler(w).round()
	}
	w.check()
	return w.trace.report(), w.verdict()
}

// verdict is what went wrong, with the step at which it did.
func (w *world) verdict() error {
	if w.broken == nil {
		return nil
	}
	return fmt.Errorf("step %d: %w", w.step, w.broken)
}
