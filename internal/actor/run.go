package actor

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// workBudget is the rows of one slice of Work: a few milliseconds, so that a barrier never waits longer.
const workBudget = 4096

// Driver is what Run needs of the world.
type Driver struct {
	// Ack tells that the actor has staged the epoch that the barrier ended, with what its operators report.
	Ack func(b *stream.Barrier, reports []any)
	// Grant allows rows of work; when it allows none it says how long to wait. Nil allows everything.
	Grant func(want int) (rows int, wait time.Duration)
}

// Run feeds the actor from its inbox until the inbox is closed (nil) or an operator fails. A panic of an operator is the
// failure of its job, never of its neighbours.
func Run(a *Actor, in *Inbox, d Driver) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errs.Internal.New("what", fmt.Sprint(p)).WithDetail("%s", debug.Stack())
		}
		if errors.Is(err, stream.ErrStopped) {
			err = nil
		}
	}()
	if err := a.Recover(); err != nil {
		return err
	}
	turn, busy, wait := 0, len(a.workers) > 0, time.Duration(0)
	for {
		input, m, ok, closed := in.next(a.Open, &turn, !busy || wait > 0, wait)
		if closed {
			return nil
		}
		if !ok { // nothing to read: work
			if busy, wait, err = slice(a, d); err != nil {
				return err
			}
			continue
		}
		done, err := a.Step(input, m)
		if err != nil {
			return err
		}
		if done != nil {
			d.Ack(done, a.Report())
			busy, wait = len(a.workers) > 0, 0
		}
	}
}

// slice does one slice of work as far as it is granted.
func slice(a *Actor, d Driver) (more bool, wait time.Duration, err error) {
	budget := workBudget
	if d.Grant != nil {
		if budget, wait = d.Grant(workBudget); budget == 0 {
			return true, wait, nil
		}
	}
	more, err = a.Work(budget)
	return more, 0, err
}
