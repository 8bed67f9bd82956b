package sched

import (
	"sync/atomic"
	"time"
)

// Pace keeps one goroutine of a catch-up to a share. A nil Pace keeps it to nothing.
type Pace struct {
	share *Share
	on    *atomic.Bool // it is a catch-up still
	held  bool         // it has a processor
	since time.Time
}

// NewPace returns the pace of a goroutine, for as long as on holds; nil when there is nothing to share.
func NewPace(s *Share, on *atomic.Bool) *Pace {
	if s == nil || !on.Load() {
		return nil
	}
	return &Pace{share: s, on: on}
}

// On reports whether the goroutine is kept to a share still.
func (p *Pace) On() bool { return p != nil && p.on.Load() }

// Low runs fn on a thread of low priority and reports true, where there is such a thing and the share relies on it. The thread keeps
// the priority and ends with the goroutine, which should end soon.
func (p *Pace) Low(fn func()) bool {
	if !p.On() || !p.share.low {
		return false
	}
	defer p.share.lowered.Add(-1)
	if p.share.lowered.Add(1) > lowMax || !lowerThread() {
		return false
	}
	fn()
	return true
}

// Begin waits until the goroutine may work. It belongs where the goroutine has waited for something else.
func (p *Pace) Begin() {
	if p == nil || p.held || !p.on.Load() {
		return
	}
	p.share.take()
	p.held, p.since = true, p.share.now()
}

// End lets others work. It belongs where the goroutine waits for something else: others may have to work for that.
func (p *Pace) End() {
	if p != nil && p.held {
		p.held = false
		p.share.give()
	}
}

// Rest lets others work whose turn it is. It belongs between two pieces of work.
func (p *Pace) Rest() {
	if p == nil || !p.held {
		return
	}
	if !p.on.Load() || p.share.owed(p.since) {
		p.End()
		p.Begin()
	}
}
