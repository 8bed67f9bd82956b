package event

import (
	"sync"
	"time"
)

// limitKeysMax bounds what a Limiter remembers. Keys beyond it share one place, so that a flood of distinct keys is
// held back too.
const limitKeysMax = 1024

// Limiter lets one event of each key through in an interval and counts the others.
type Limiter struct {
	every time.Duration
	now   func() time.Time
	mu    struct {
		sync.Mutex
		seen map[string]*seen
	}
}

type seen struct {
	at         time.Time // of the last one let through
	suppressed int
}

// NewLimiter makes a limiter over the given clock.
func NewLimiter(every time.Duration, now func() time.Time) *Limiter {
	l := &Limiter{every: every, now: now}
	l.mu.seen = map[string]*seen{}
	return l
}

// Allow tells whether the event may pass, and how many of its key were held back since the last that did.
func (l *Limiter) Allow(key string) (ok bool, suppressed int) {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.entryLocked(key, now)
	if !s.at.IsZero() && now.Sub(s.at) < l.every {
		s.suppressed++
		return false, 0
	}
	suppressed = s.suppressed
	s.at, s.suppressed = now, 0
	return true, suppressed
}

// entryLocked finds the key's place or makes one. Places whose interval is over and that held nothing back carry no
// information and make room.
func (l *Limiter) entryLocked(key string, now time.Time) *seen {
	if s := l.mu.seen[key]; s != nil {
		return s
	}
	if len(l.mu.seen) >= limitKeysMax {
		for k, s := range l.mu.seen {
			if s.suppressed == 0 && now.Sub(s.at) >= l.every {
				delete(l.mu.seen, k)
			}
		}
	}
	if len(l.mu.seen) >= limitKeysMax {
		key = ""
	}
	s := l.mu.seen[key]
	if s == nil {
		s = &seen{}
		l.mu.seen[key] = s
	}
	return s
}
