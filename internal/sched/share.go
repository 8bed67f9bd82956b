package sched

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// quantum is how long a catch-up keeps a processor that another one wants.
	quantum = 2 * time.Millisecond
	// lowMax is how many threads have a low priority at the same time; catch-ups beyond that do without.
	lowMax = 64
	// linger is how long nobody has to have waited before catch-ups take everything: a client that has its answer asks again.
	linger = 10 * time.Millisecond
)

// Share divides the processors between what somebody waits for, such as a statement, a barrier or a commit, and the catch-ups beside
// it. Go gives a goroutine that wakes up no precedence over those that always have work, and looks for what has come over the network
// when there is nothing else to run: so one processor at least must have no catch-up on it. A nil Share divides nothing.
//
// A share delays and never stops: who waits for a processor gets it in turn, and there is one for catch-ups at any time.
type Share struct {
	now     func() time.Time
	procs   int          // of the machine
	all     int          // processors of Go's scheduler that catch-ups may have
	few     int          // the same while somebody waits
	low     bool         // their threads have a low priority
	lowered atomic.Int64 // threads that have
	waiting atomic.Int64
	left    atomic.Int64 // when somebody left, in nanoseconds since base
	base    time.Time
	asking  atomic.Int64 // length of mu.queue
	mu      struct {
		sync.Mutex
		held  int
		queue []chan struct{} // catch-ups that wait for a processor, in turn
	}
}

// NewShare divides the processors that Go schedules on, while there is somebody who waits.
func NewShare(procs int, now func() time.Time) *Share {
	return newShare(now, procs, procs, max(procs-1, 1))
}

func newShare(now func() time.Time, procs, all, few int) *Share {
	return &Share{now: now, base: now().Add(-linger), procs: procs, all: all, few: few}
}

// Procs is how many processors there are.
func (s *Share) Procs() int { return s.procs }

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

// most is how many processors catch-ups may hold now.
func (s *Share) most(now time.Time) int {
	if s.waiting.Load() > 0 || now.Sub(s.base)-time.Duration(s.left.Load()) < linger {
		return s.few
	}
	return s.all
}

// take waits for a processor.
func (s *Share) take() {
	s.mu.Lock()
	if len(s.mu.queue) == 0 && s.mu.held < s.most(s.now()) {
		s.mu.held++
		s.mu.Unlock()
		return
	}
	turn := make(chan struct{})
	s.mu.queue = append(s.mu.queue, turn)
	s.asking.Store(int64(len(s.mu.queue)))
	s.mu.Unlock()
	<-turn
}

// give gives a processor back, and those that are free to who has waited longest.
func (s *Share) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.held--
	for n := s.most(s.now()); s.mu.held < n && len(s.mu.queue) > 0; s.mu.held++ {
		close(s.mu.queue[0])
		s.mu.queue = s.mu.queue[1:]
	}
	s.asking.Store(int64(len(s.mu.queue)))
}

// owed reports whether who has had a processor since then is to give it back: another one's turn has come, or somebody waits who
// has none.
func (s *Share) owed(since time.Time) bool {
	now := s.now()
	if s.asking.Load() > 0 && now.Sub(since) >= quantum {
		return true
	}
	if s.most(now) == s.all {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.held > s.few
}
