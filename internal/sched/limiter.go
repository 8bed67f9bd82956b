// Package sched says whose slice of work runs next: token buckets for the rows that a job's catch-up may read.
package sched

import (
	"sync"
	"time"
)

// burst is how long unused rows are kept: a limit holds over any second, not over every slice.
const burst = 100 * time.Millisecond

// Limiter grants rows at a rate. The zero rate means no limit; use NewLimiter.
type Limiter struct {
	now func() time.Time
	mu  struct {
		sync.Mutex
		limited bool
		rate    float64 // rows a second; 0 with limited: paused
		tokens  float64
		at      time.Time
	}
}

// NewLimiter returns a limiter that grants everything.
func NewLimiter(now func() time.Time) *Limiter { return &Limiter{now: now} }

// Set changes the rate in rows a second; 0 pauses, a negative rate lifts the limit.
func (l *Limiter) Set(rate float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mu.limited, l.mu.rate, l.mu.tokens, l.mu.at = rate >= 0, rate, 0, l.now()
}

// Rate returns the limit; limited is false when there is none.
func (l *Limiter) Rate() (rate float64, limited bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.rate, l.mu.limited
}

// Grant allows up to want rows now. When it allows none, wait says when to ask again.
func (l *Limiter) Grant(want int) (rows int, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.mu.limited {
		return want, 0
	}
	if l.mu.rate == 0 {
		return 0, burst
	}
	now := l.now()
	limit := max(1, l.mu.rate*burst.Seconds())
	l.mu.tokens = min(limit, l.mu.tokens+now.Sub(l.mu.at).Seconds()*l.mu.rate)
	l.mu.at = now
	if l.mu.tokens < 1 {
		return 0, time.Duration((1 - l.mu.tokens) / l.mu.rate * float64(time.Second))
	}
	rows = min(want, int(l.mu.tokens))
	l.mu.tokens -= float64(rows)
	return rows, 0
}
