package sched

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// spared is how much of the processors is left to those who wait.
	spared = 0.75
	// slack is the processor time that catch-ups may use ahead: less than anybody notices.
	slack = 3 * time.Millisecond
	// linger is how long nobody has to have waited before catch-ups take everything: a client that has its answer asks again.
	linger = 10 * time.Millisecond
	// restMax bounds one rest, so that whoever rests sees soon that he is to stop.
	restMax = 10 * time.Millisecond
	// debtMax bounds what catch-ups can owe. What they use is measured by the clock, so on a busy machine it has in it the time that
	// they wait for a processor: without a bound they could owe more with each piece of work, and rest after each for ever.
	debtMax = 50 * time.Millisecond
)

// Share divides the processors between what somebody waits for, such as a statement, a barrier or a commit, and the catch-ups beside
// it: these leave three quarters of one free meanwhile, or half of the only one, and take all of them at other times. Go gives a
// goroutine that wakes up no precedence over those that always have work, so without it each hop of a row waits for them. A nil
// Share divides nothing.
//
// A share delays and never stops: a rest is restMax at most and is followed by a piece of work, however much is owed.
type Share struct {
	now     func() time.Time
	procs   float64 // that catch-ups may use while somebody waits
	waiting atomic.Int64
	left    atomic.Int64 // when somebody left, in nanoseconds since base
	base    time.Time
	mu      struct {
		sync.Mutex
		spare time.Duration // of what they may use; below zero they rest
		at    time.Time
	}
}

// NewShare divides so many processors.
func NewShare(procs int, now func() time.Time) *Share {
	s := &Share{now: now, base: now().Add(-linger), procs: max(float64(procs)-spared, 0.5)}
	s.mu.at = s.base
	return s
}

// Enter says that somebody waits, until Leave.
func (s *Share) Enter() {
	if s != nil {
		s.waiting.Add(1)
	}
}

// Leave says that he does not any more.
func (s *Share) Leave() {
	if s != nil {
		s.left.Store(int64(s.now().Sub(s.base)))
		s.waiting.Add(-1)
	}
}

// contended reports whether somebody waits, or did a moment ago.
func (s *Share) contended(now time.Time) bool {
	return s.waiting.Load() > 0 || now.Sub(s.base)-time.Duration(s.left.Load()) < linger
}

// use tells that a catch-up has used a processor for d, and returns how long it is to rest.
func (s *Share) use(d time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if !s.contended(now) {
		s.mu.spare, s.mu.at = slack, now
		return 0
	}
	refill := time.Duration(float64(now.Sub(s.mu.at)) * s.procs)
	s.mu.spare, s.mu.at = max(min(slack, s.mu.spare+refill)-d, -debtMax), now
	if s.mu.spare >= 0 {
		return 0
	}
	return min(time.Duration(float64(-s.mu.spare)/s.procs), restMax)
}

// Pace keeps one goroutine of a catch-up to a share. A nil Pace keeps it to nothing.
type Pace struct {
	share *Share
	on    *atomic.Bool // it is a catch-up still
	since time.Time    // when it began to use a processor
}

// NewPace returns the pace of a goroutine, for as long as on holds; nil when there is nothing to share.
func NewPace(s *Share, on *atomic.Bool) *Pace {
	if s == nil || !on.Load() {
		return nil
	}
	return &Pace{share: s, on: on}
}

// Begin says that the goroutine goes on after it has waited for something else.
func (p *Pace) Begin() {
	if p != nil && p.on.Load() {
		p.since = p.share.now()
	}
}

// Rest waits as long as the share wants. It belongs where a piece of work is done, and before the goroutine waits.
func (p *Pace) Rest() {
	if p == nil || !p.on.Load() {
		return
	}
	if rest := p.share.use(p.share.now().Sub(p.since)); rest > 0 {
		<-time.NewTimer(rest).C
	}
	p.since = p.share.now()
}
