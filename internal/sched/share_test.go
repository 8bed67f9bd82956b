package sched

import (
	"sync/atomic"
	"testing"
	"time"
)

// used lets goroutines work in pieces of a millisecond for as long as the share allows, and returns the processor time that
// they have taken for each second.
func used(c *clock, s *Share, goroutines int) float64 {
	const steps = 5000
	var total time.Duration
	wake := make([]time.Time, goroutines)
	for range steps {
		for g := range wake {
			if c.at.Before(wake[g]) {
				continue
			}
			total += time.Millisecond
			wake[g] = c.at.Add(time.Millisecond + s.use(time.Millisecond))
		}
		c.at = c.at.Add(time.Millisecond)
	}
	return total.Seconds() / (steps * time.Millisecond).Seconds()
}

// TestShare: goroutines of catch-ups take what they can while nobody waits, and their share while somebody does and a moment
// longer, however many they are.
func TestShare(t *testing.T) {
	for procs, most := range map[int]float64{1: 0.5, 2: 2 - spared, 4: 4 - spared} {
		c := &clock{at: time.Unix(1000, 0)}
		s := NewShare(procs, c.now)
		if got := used(c, s, procs); got != float64(procs) {
			t.Errorf("%d processors, nobody waits: %.2f are used", procs, got)
		}
		s.Enter()
		if got := used(c, s, procs); got < 0.8*most || got > 1.05*most {
			t.Errorf("%d processors, somebody waits: %.2f are used, want %.2f", procs, got, most)
		}
		s.Leave()
		if rest := s.use(time.Second); rest == 0 {
			t.Errorf("%d processors: all are taken the moment somebody has left", procs)
		}
		c.at = c.at.Add(linger)
		if got := used(c, s, procs); got != float64(procs) {
			t.Errorf("%d processors, somebody has left: %.2f are used", procs, got)
		}
	}
}

// TestContendedFirst: goroutines get their share when somebody has waited since before the first use.
func TestContendedFirst(t *testing.T) {
	c := &clock{at: time.Unix(1000, 0)}
	s := NewShare(2, c.now)
	s.Enter()
	s.use(time.Millisecond)
	c.at = c.at.Add(restMax)
	if got, most := used(c, s, 2), 2-spared; got < 0.8*most || got > 1.05*most {
		t.Errorf("%.2f processors are used, want %.2f", got, most)
	}
}

// TestPaceEnds: what is no catch-up any more does not rest, and nobody rests where nothing is shared.
func TestPaceEnds(t *testing.T) {
	c := &clock{at: time.Unix(1000, 0)}
	s := NewShare(1, c.now)
	s.Enter()
	var on atomic.Bool
	on.Store(true)
	p := NewPace(s, &on)
	on.Store(false)
	p.Begin()
	c.at = c.at.Add(time.Hour)
	p.Rest()
	if s.mu.spare < 0 {
		t.Errorf("a goroutine that is no catch-up any more owes %v", -s.mu.spare)
	}
	for _, p := range []*Pace{NewPace(nil, &on), NewPace(s, &on)} {
		p.Begin()
		p.Rest()
	}
}

// TestDebtIsBounded: what goroutines use is measured by the clock, so on a busy machine that of many overlaps and adds up to more
// than passes. They rest a little after each piece of work meanwhile, and owe no more than debtMax when it is over.
func TestDebtIsBounded(t *testing.T) {
	c := &clock{at: time.Unix(1000, 0)}
	s := NewShare(2, c.now)
	s.Enter()
	for range 10_000 {
		c.at = c.at.Add(10 * time.Millisecond)
		if rest := s.use(time.Second); rest == 0 || rest > restMax {
			t.Fatalf("the rest is %v", rest)
		}
	}
	for rest := restMax; rest > 0; rest = s.use(time.Millisecond) {
		c.at = c.at.Add(time.Millisecond + rest)
	}
	if took := c.at.Sub(time.Unix(1000, 0)) - 100*time.Second; took > 2*debtMax {
		t.Errorf("it takes %v to pay", took)
	}
}
