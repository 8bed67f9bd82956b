package sched

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// used lets catch-ups work in pieces of a millisecond for a second, and returns how many processors they had at the most and
// how many pieces each has done.
func used(s *Share, catchUps int) (most int, pieces []int) {
	var on atomic.Bool
	on.Store(true)
	end := time.Now().Add(time.Second)
	var mu sync.Mutex
	working := 0
	var all sync.WaitGroup
	pieces = make([]int, catchUps)
	for i := range pieces {
		all.Go(func() {
			p := NewPace(s, &on)
			defer p.End()
			for p.Begin(); time.Now().Before(end); p.Rest() {
				mu.Lock()
				working++
				most = max(most, working)
				mu.Unlock()
				time.Sleep(time.Millisecond)
				mu.Lock()
				working--
				mu.Unlock()
				pieces[i]++
			}
		})
	}
	all.Wait()
	return most, pieces
}

// TestShare: catch-ups have all processors while nobody waits, and leave one while somebody does and a moment longer. They take
// turns, however many they are.
func TestShare(t *testing.T) {
	for _, c := range []struct{ procs, few int }{{1, 1}, {2, 1}, {4, 3}} {
		synctest.Test(t, func(t *testing.T) {
			s := NewShare(c.procs, time.Now)
			check := func(when string, want int) {
				most, pieces := used(s, 5)
				if most != want {
					t.Errorf("%d processors, %s: %d are used, want %d", c.procs, when, most, want)
				}
				for _, n := range pieces {
					if even := 1000 * want / len(pieces); n < even*9/10 || n > even*11/10 {
						t.Errorf("%d processors, %s: pieces of work are %v", c.procs, when, pieces)
						break
					}
				}
			}
			check("nobody waits", c.procs)
			s.Enter()
			check("somebody waits", c.few)
			s.Leave()
			if n := s.most(time.Now()); n != c.few {
				t.Errorf("%d processors: %d are used the moment somebody has left", c.procs, n)
			}
			time.Sleep(linger)
			check("somebody has left", c.procs)
		})
	}
}

// TestGivesBack: a catch-up that works when somebody comes keeps its processor only if there is one for others.
func TestGivesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewShare(2, time.Now)
		time.Sleep(linger)
		var on atomic.Bool
		on.Store(true)
		a, b := NewPace(s, &on), NewPace(s, &on)
		a.Begin()
		b.Begin()
		s.Enter()
		var rested atomic.Bool
		go func() {
			a.Rest()
			rested.Store(true)
		}()
		synctest.Wait()
		if rested.Load() {
			t.Error("both work while somebody waits")
		}
		b.End()
		synctest.Wait()
		if !rested.Load() {
			t.Error("the first does not go on when the second has ended")
		}
		a.End()
	})
}

// TestHurried: a catch-up that is none any more asks nobody, and gives back what it has.
func TestHurried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewShare(1, time.Now)
		var on, stays atomic.Bool
		on.Store(true)
		stays.Store(true)
		a, b := NewPace(s, &on), NewPace(s, &stays)
		a.Begin()
		var begun atomic.Bool
		go func() {
			b.Begin()
			begun.Store(true)
		}()
		synctest.Wait()
		if begun.Load() {
			t.Error("two have the only processor")
		}
		on.Store(false)
		a.Rest()
		synctest.Wait()
		if !begun.Load() {
			t.Error("the processor is not given back")
		}
		a.Begin()
		if a.On() || a.held {
			t.Error("it is kept to its share still")
		}
	})
}

// TestNoShare: what has no share runs as it likes.
func TestNoShare(t *testing.T) {
	var s *Share
	s.Enter()
	s.Leave()
	var on atomic.Bool
	on.Store(true)
	p := NewPace(s, &on)
	p.Begin()
	p.Rest()
	p.End()
	if p.On() || p.Low(func() { t.Error("its thread is lowered") }) {
		t.Error("it is kept to a share")
	}
}
