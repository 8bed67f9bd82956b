package engine

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Stepper is an engine without goroutines, for simulations: its driver moves when Turn is called, everything else when
// the host pleases. DDL runs at once, between two turns; nobody may wait for anything.
type Stepper struct{ *Engine }

// NewStepper recovers the store as Open does. The host gets the actors before it returns.
func NewStepper(store kv.Store, o Options, h Host) (*Stepper, error) {
	e, err := newEngine(store, o, h)
	if err != nil {
		return nil, err
	}
	e.stepped = true
	return &Stepper{e}, nil
}

// Waiting is the number of events that the driver has not taken.
func (s *Stepper) Waiting() int { return len(s.events) }

// Durable is the epoch that whoever waits for durability is told.
func (s *Stepper) Durable() epoch.Epoch { return s.d.coord.Durable() }

// HeldUp are the jobs that attach and hold up the barrier in flight, and how long they are given, but for those that are given
// as long as they need. Once the engine ends, nobody waits for a barrier.
func (s *Stepper) HeldUp() map[id.Job]time.Duration {
	out := map[id.Job]time.Duration{}
	if s.d.ending {
		return out
	}
	for _, j := range s.d.coord.Waiting() {
		if set := s.d.setOf(j); set != nil && !s.d.jobs[j].Slows() && s.d.holdsUp(j) {
			out[j] = min(set.Patience(), s.opts.DetachAfter)
		}
	}
	return out
}

// Held is for how long the barrier in flight, if there is one, has been.
func (s *Stepper) Held() time.Duration { return s.opts.Now().Sub(s.d.tickAt) }

// Turn lets the driver take so many of the events that wait, and decide on what it knows then. It reports false once
// the engine has ended.
func (s *Stepper) Turn(events int) bool {
	for range min(events, len(s.events)) {
		(<-s.events)()
	}
	return s.d.turn()
}

// Shut begins what Close does.
func (s *Stepper) Shut() { s.d.beginClose() }

// Err is why the engine has stopped.
func (s *Stepper) Err() error {
	if f := s.fatal.Load(); f != nil {
		return f
	}
	return nil
}
