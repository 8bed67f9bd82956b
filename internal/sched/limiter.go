// Package sched says whose slice of work runs next: token buckets for the rows that a job's catch-up may read, and the share of
// the processors that all catch-ups may use while somebody waits.
package sched

import (
	"sync"
	"time"
)

const (
	// burst is how long unused rows are kept: a limit holds over any second, not over every slice.
	burst = 100 * time.Millisecond
	// batch is what a reader waits for, so that a limit of many rows is not read one by one.
	batch = burst / 5
	// idleWait is how long a reader that may read nothing sleeps; whoever lifts the limit wakes it earlier.
	idleWait = time.Minute
)

// Limiter grants rows at a rate. The zero rate means no limit; use NewLimiter.
type Limiter struct {
	now func() time.Time
	mu  struct {
		sync.Mutex
		limited bool
		paused  bool
		held    bool
		rate    float64 // rows a second
		tokens  float64
		at      time.Time
	}
}

// NewLimiter returns a limiter that grants everything.
func NewLimiter(now func() time.Time) *Limiter { return &Limiter{now: now} }

// Set changes the rate in rows a second; 0 stops, a negative rate lifts the limit.
func (l *Limiter) Set(rate float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mu.limited, l.mu.rate, l.mu.tokens, l.mu.at = rate >= 0, rate, min(1, max(rate, 0)), l.now()
}

// Pause stops the reader whatever its rate; the rate is kept for later.
func (l *Limiter) Pause(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mu.paused, l.mu.tokens, l.mu.at = on, 0, l.now()
}

// Hold stops the reader for as long as its owners change. Nobody has asked for that: it does not count as paused.
func (l *Limiter) Hold(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mu.held = on
}

// Rate returns the limit; limited is false when there is none.
func (l *Limiter) Rate() (rate float64, limited bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.rate, l.mu.limited
}

// Paused reports whether nothing is granted until somebody changes that.
func (l *Limiter) Paused() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stoppedLocked()
}

func (l *Limiter) stoppedLocked() bool { return l.mu.paused || l.mu.limited && l.mu.rate == 0 }

// Grant allows up to want rows now. When it allows none, wait says when to ask again.
func (l *Limiter) Grant(want int) (rows int, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.mu.held || l.stoppedLocked():
		return 0, idleWait
	case !l.mu.limited:
		return want, 0
	}
	l.refillLocked()
	if l.mu.tokens < 1 {
		missing := max(1, l.mu.rate*batch.Seconds()) - l.mu.tokens
		return 0, time.Duration(missing/l.mu.rate*float64(time.Second)) + 1 // rounded up
	}
	rows = min(want, int(l.mu.tokens))
	l.mu.tokens -= float64(rows)
	return rows, 0
}

// Charge takes rows that were read without a grant: nothing is granted until the rate has paid for them.
func (l *Limiter) Charge(rows int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mu.limited && l.mu.rate > 0 {
		l.refillLocked()
		l.mu.tokens -= float64(rows)
	}
}

// Debt is how long the rate takes to pay for what was charged; 0 when it has.
func (l *Limiter) Debt() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.mu.limited || l.mu.rate == 0 {
		return 0
	}
	if l.refillLocked(); l.mu.tokens >= 0 {
		return 0
	}
	return time.Duration(-l.mu.tokens/l.mu.rate*float64(time.Second)) + 1 // rounded up
}

// refillLocked adds what the time since the last look is worth.
func (l *Limiter) refillLocked() {
	now := l.now()
	l.mu.tokens = min(max(1, l.mu.rate*burst.Seconds()), l.mu.tokens+now.Sub(l.mu.at).Seconds()*l.mu.rate)
	l.mu.at = now
}

// Return gives back granted rows that were not read, because there were no more.
func (l *Limiter) Return(rows int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mu.limited {
		l.mu.tokens += float64(rows)
	}
}
