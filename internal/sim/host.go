package sim

import (
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/id"
)

// errInjected is the failure that the scheduler gives to actors.
var errInjected = errors.New("injected")

// host has the actors and background work of one life of the engine, and moves one of them when it is told to.
type host struct {
	rand       *rand.Rand
	loops      []*loop
	background []func()
	fault      fault
	slice      int // rows of one slice of work
	thrift     int // work is granted once in so many times
}

// loop is an actor that has not ended.
type loop struct {
	*actor.Loop
	ended func(error)
	slow  int // not moved before this step
}

func (l *loop) id() id.Actor { return l.Actor().ID }
func (l *loop) job() id.Job  { return l.Actor().Job }

// Actor implements engine.Host.
func (h *host) Actor(l *actor.Loop, ended func(error)) {
	grant := l.Grant
	l.Grant = func(want int) (int, time.Duration) {
		if h.rand.IntN(h.thrift) > 0 {
			return 0, 0
		}
		return grant(min(want, h.slice))
	}
	if h.fault.actor != nil {
		h.fault.actor(l.Actor())
	}
	h.loops = append(h.loops, &loop{Loop: l, ended: ended})
}

// Background implements engine.Host.
func (h *host) Background(fn func()) { h.background = append(h.background, fn) }

// QueueRows implements engine.Host.
func (*host) QueueRows() int { return math.MaxInt }

// remove takes leave of an actor.
func (h *host) remove(l *loop, err error) {
	for i, x := range h.loops {
		if x == l {
			h.loops = append(h.loops[:i:i], h.loops[i+1:]...)
			break
		}
	}
	l.ended(err)
}

// runBackground runs one piece of background work.
func (h *host) runBackground() bool {
	if len(h.background) == 0 {
		return false
	}
	i := h.rand.IntN(len(h.background))
	fn := h.background[i]
	h.background = append(h.background[:i:i], h.background[i+1:]...)
	fn()
	return true
}
