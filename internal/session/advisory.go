package session

import (
	"context"
	"strings"
	"sync"

	"github.com/tidemark-db/tidemark/internal/types"
)

// advisory is the locks that programs agree on. They guard nothing by themselves.
type advisory struct {
	mu struct {
		sync.Mutex
		held    map[advisoryKey]map[*Session]advisoryCount
		changed chan struct{} // closed and replaced when a lock is given back
	}
}

// advisoryKey is one number, or two.
type advisoryKey struct {
	key  int64
	pair bool
}

// advisoryCount is how often a session holds a lock: exclusively or shared, for itself or for its transaction.
type advisoryCount struct{ exclusive, shared, exclusiveTxn, sharedTxn int }

func (c advisoryCount) free() bool { return c == advisoryCount{} }

func newAdvisory() *advisory {
	a := &advisory{}
	a.mu.held, a.mu.changed = map[advisoryKey]map[*Session]advisoryCount{}, make(chan struct{})
	return a
}

// advisoryCall answers the functions of advisory locks.
func (s *Session) advisoryCall(fn string, args types.Row) (d types.Datum, ok bool, err error) {
	if fn == "pg_advisory_unlock_all" {
		s.d.locks.release(s, false)
		return types.NewBytes(""), true, nil
	}
	if !strings.Contains(fn, "_advisory_") {
		return types.Null, false, nil
	}
	key := advisoryKey{key: args[0].Int()}
	if len(args) > 1 {
		key = advisoryKey{key: args[0].Int()<<32 | args[1].Int()&(1<<32-1), pair: true}
	}
	fn, shared := strings.CutSuffix(fn, "_shared")
	switch fn {
	case "pg_advisory_unlock":
		d = types.NewBool(s.d.locks.unlock(s, key, shared))
	case "pg_try_advisory_lock", "pg_try_advisory_xact_lock":
		got, _ := s.d.locks.try(s, key, shared, fn == "pg_try_advisory_xact_lock")
		d = types.NewBool(got)
	default:
		d, err = types.NewBytes(""), s.d.locks.lock(s.statement, s, key, shared, fn == "pg_advisory_xact_lock")
	}
	return d, true, err
}

// try takes a lock if nobody else's holds are in the way; otherwise it returns what will be closed when that may have
// changed.
func (a *advisory) try(s *Session, key advisoryKey, shared, txn bool) (got bool, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for other, c := range a.mu.held[key] {
		if other != s && (!shared || c.exclusive+c.exclusiveTxn > 0) {
			return false, a.mu.changed
		}
	}
	if a.mu.held[key] == nil {
		a.mu.held[key] = map[*Session]advisoryCount{}
	}
	c := a.mu.held[key][s]
	*c.count(shared, txn)++
	a.mu.held[key][s] = c
	return true, nil
}

func (c *advisoryCount) count(shared, txn bool) *int {
	switch {
	case shared && txn:
		return &c.sharedTxn
	case shared:
		return &c.shared
	case txn:
		return &c.exclusiveTxn
	}
	return &c.exclusive
}

// lock takes a lock as soon as it can be had. A circle of waiting sessions is left to statement_timeout.
func (a *advisory) lock(ctx context.Context, s *Session, key advisoryKey, shared, txn bool) error {
	for {
		got, changed := a.try(s, key, shared, txn)
		if got {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// unlock gives back one hold of the session; false where it has none.
func (a *advisory) unlock(s *Session, key advisoryKey, shared bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.mu.held[key][s]
	n := c.count(shared, false)
	if *n == 0 {
		return false
	}
	*n--
	a.keepLocked(s, key, c)
	return true
}

// release gives back the locks of a transaction that ends, or all those that the session holds for itself.
func (a *advisory) release(s *Session, txn bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, holders := range a.mu.held {
		c, ok := holders[s]
		if !ok {
			continue
		}
		*c.count(false, txn), *c.count(true, txn) = 0, 0
		a.keepLocked(s, key, c)
	}
}

// keepLocked stores what a session still holds and tells those who wait.
func (a *advisory) keepLocked(s *Session, key advisoryKey, c advisoryCount) {
	if a.mu.held[key][s] = c; c.free() {
		delete(a.mu.held[key], s)
	}
	if len(a.mu.held[key]) == 0 {
		delete(a.mu.held, key)
	}
	close(a.mu.changed)
	a.mu.changed = make(chan struct{})
}
