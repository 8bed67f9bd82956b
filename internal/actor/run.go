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

// messagesPerSlice is how many messages are read at most while there is work to do that is granted: a busy input does not keep
// a catch-up from reading, and is slowed down little by it.
const messagesPerSlice = 16

// Driver is what a Loop needs of the world.
type Driver struct {
	// Ack tells that the actor has staged the epoch that the barrier ended, with what its operators report.
	Ack func(b *stream.Barrier, reports []any)
	// Grant allows rows of work; when it allows none it says how long to wait. Nil allows everything.
	Grant func(want int) (rows int, wait time.Duration)
	// Worked tells of a slice of work: its rows, how many fewer than granted that is, and whether there is more. May be nil.
	Worked func(rows, unspent int, more bool)
}

// Loop feeds an actor from its inbox. Run is the goroutine around it; a simulator turns it in an order of its own.
type Loop struct {
	Driver
	actor *Actor
	inbox *Inbox
	begun bool
	from  int           // the input that is looked at first
	busy  bool          // there is work to do when there is nothing to read
	wait  time.Duration // until work is granted again
	// worked: a slice was done since the last barrier; unworked counts the messages since the last slice.
	worked   bool
	unworked int
}

// NewLoop returns a loop that has not begun: its first turn lets the operators recover.
func NewLoop(a *Actor, in *Inbox, d Driver) *Loop {
	return &Loop{Driver: d, actor: a, inbox: in, busy: len(a.workers) > 0}
}

// Actor returns what the loop feeds.
func (l *Loop) Actor() *Actor { return l.actor }

// Turned says what a turn of a loop came to.
type Turned uint8

const (
	Idle  Turned = iota // nothing to read, no work to do or none granted
	Moved               // one message was read, or one slice of work done
	Ended               // the inbox is closed
)

// Run turns the loop until its inbox is closed (nil) or an operator fails. A panic of an operator is the failure of its
// job, never of its neighbours.
func (l *Loop) Run() (err error) {
	_, err = l.run(func() bool { return true })
	return err
}

// RunBehind is Run for as long as the actor is kept to a share of the processors: more reports that it was not ended.
func (l *Loop) RunBehind() (more bool, err error) { return l.run(l.actor.Pace.On) }

func (l *Loop) run(on func() bool) (more bool, err error) {
	defer caught(&err)
	defer l.actor.Pace.End()
	for on() {
		if turned, err := l.turn(true); turned == Ended || err != nil {
			return false, err
		}
	}
	return true, nil
}

// Turn does one thing without waiting, and looks at the given input first.
func (l *Loop) Turn(from int) (t Turned, err error) {
	defer caught(&err)
	l.from = from
	return l.turn(false)
}

// caught makes an error of a panic, and none of being stopped in the middle.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = errs.Internal.New("what", fmt.Sprint(p)).WithDetail("%s", debug.Stack())
	}
	if errors.Is(*err, stream.ErrStopped) {
		*err = nil
	}
}

func (l *Loop) turn(wait bool) (Turned, error) {
	if !l.begun {
		l.begun = true
		return Moved, l.actor.Recover()
	}
	input, m, got := l.next(wait && (!l.busy || l.wait > 0))
	l.actor.Pace.Begin()
	defer l.actor.Pace.Rest()
	switch {
	case got == gotClosed:
		return Ended, nil
	case got == gotMessage:
		return Moved, l.between(input, m)
	case got == gotNothing && !l.busy:
		return Idle, nil
	}
	return l.work()
}

// next takes a message. Others may have the processor while it waits for one.
func (l *Loop) next(wait bool) (input int, m Msg, found got) {
	if input, m, found = l.inbox.next(l.actor.Open, &l.from, false, 0); found == gotNothing && wait {
		l.actor.Pace.End()
		return l.inbox.next(l.actor.Open, &l.from, true, l.wait)
	}
	return input, m, found
}

// between reads a message. Work that is to be done and granted gets a slice between any two barriers, and is not put off for
// long by other messages either.
func (l *Loop) between(input int, m Msg) error {
	l.unworked++
	if l.busy && (m.Barrier != nil && !l.worked || l.unworked > messagesPerSlice) {
		if _, err := l.work(); err != nil {
			return err
		}
	}
	return l.read(input, m)
}

func (l *Loop) read(input int, m Msg) error {
	done, err := l.actor.Step(input, m)
	if err == nil && done != nil {
		l.Ack(done, l.actor.Report())
		l.busy, l.wait, l.worked = len(l.actor.workers) > 0, 0, false
	}
	return err
}

// work does one slice of work as far as it is granted. What holds back an input asks nobody: others wait behind it.
func (l *Loop) work() (Turned, error) {
	budget, granted := workBudget, l.Grant != nil && !l.actor.holding()
	l.wait = 0
	if granted {
		if budget, l.wait = l.Grant(workBudget); budget == 0 {
			l.busy = true
			return Idle, nil
		}
	}
	l.worked, l.unworked = true, 0
	rows, more, err := l.actor.Work(budget)
	l.busy = more
	if l.Worked == nil || err != nil {
		return Moved, err
	}
	unspent := budget - rows
	if !granted {
		unspent = 0
	}
	l.Worked(rows, unspent, more)
	return Moved, nil
}
