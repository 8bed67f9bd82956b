// Package mem counts the bytes of our own buffers against one budget of the process, with an account for each job and
// query below it. Counting is by what we allocate, not by what the runtime reports, so that the one who is over can be
// named.
//
//	account := process.Child("job 7", 0)
//	if err := account.Reserve(n); err != nil { spill }
//	defer account.Release(n)
package mem

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Budget is an account of bytes. What is reserved in it is reserved in its parent too, so a limit holds for the sum of
// everything below. All methods may be called from any goroutine; a nil Budget counts nothing and never refuses.
type Budget struct {
	name   string
	parent *Budget
	share  bool         // its limit is set aside for it: the limits above do not refuse what is within it
	limit  atomic.Int64 // 0: only the parent's limit holds
	used   atomic.Int64
	peak   atomic.Int64
	high   atomic.Bool // pressure was told and is not over
	mu     struct {
		sync.Mutex
		listeners []func(Pressure)
		children  []*Budget // in the order in which they were made
	}
}

// Pressure is told when use passes highShare of the limit, and again when it has sunk below lowShare. The distance
// between the two keeps an account at the edge from telling it with each row.
type Pressure struct {
	Account     string
	Used, Limit int64
	High        bool
}

const (
	highShare = 7.0 / 8
	lowShare  = 3.0 / 4
)

// New makes the root account. A limit of 0 counts without a bound.
func New(name string, limit int64) *Budget {
	b := &Budget{name: name}
	b.limit.Store(limit)
	return b
}

// Child makes an account below b, which Close takes away again. A limit of 0 leaves it to the limits above. The child of a
// nil Budget is nil.
func (b *Budget) Child(name string, limit int64) *Budget {
	if b == nil {
		return nil
	}
	c := New(name, limit)
	c.parent = b
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.children = append(b.mu.children, c)
	return c
}

// Share is Child for a limit that is set aside for the account: what fits within it is never refused because of what others
// below b hold, who may be over theirs for a moment. b counts it still.
func (b *Budget) Share(name string, limit int64) *Budget {
	c := b.Child(name, limit)
	if c != nil {
		c.share = limit > 0
	}
	return c
}

// Accounts lists b and all accounts below it, each before those below it.
func (b *Budget) Accounts() []*Budget {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	children := slices.Clone(b.mu.children)
	b.mu.Unlock()
	out := []*Budget{b}
	for _, c := range children {
		out = append(out, c.Accounts()...)
	}
	return out
}

// Try reserves n bytes in the account and all above it, or in none of them.
func (b *Budget) Try(n int64) bool { return b.reserve(n) == nil }

// Reserve is Try with the error that a user sees; the error names the account that is full.
func (b *Budget) Reserve(n int64) error {
	full := b.reserve(n)
	if full == nil {
		return nil
	}
	return errs.OutOfMemory.New("account", full.name, "used", full.Used(), "limit", full.Limit(), "bytes", n)
}

// Force reserves n bytes whatever the limits. It is for what exists already, such as a chunk just received; the
// pressure that it causes is answered by whoever can evict.
func (b *Budget) Force(n int64) {
	for ; b != nil; b = b.parent {
		b.grown(b.used.Add(n))
	}
}

// Release gives n bytes back. Releasing more than was reserved is the caller's bug and shows in Used.
func (b *Budget) Release(n int64) {
	for ; b != nil; b = b.parent {
		b.shrunk(b.used.Add(-n))
	}
}

// reserve returns the account that refused, or nil.
func (b *Budget) reserve(n int64) *Budget {
	granted := false
	for a := b; a != nil; a = a.parent {
		used := a.used.Add(n)
		if limit := a.limit.Load(); limit > 0 && used > limit && !granted {
			for u := b; ; u = u.parent {
				u.shrunk(u.used.Add(-n))
				if u == a {
					return a
				}
			}
		}
		a.grown(used)
		granted = granted || a.share
	}
	return nil
}

func (b *Budget) grown(used int64) {
	for p := b.peak.Load(); used > p && !b.peak.CompareAndSwap(p, used); p = b.peak.Load() {
	}
	limit := b.limit.Load()
	if limit > 0 && float64(used) > highShare*float64(limit) && b.high.CompareAndSwap(false, true) {
		b.tell(Pressure{b.name, used, limit, true})
	}
}

func (b *Budget) shrunk(used int64) {
	if !b.high.Load() {
		return
	}
	limit := b.limit.Load()
	if float64(used) < lowShare*float64(limit) && b.high.CompareAndSwap(true, false) {
		b.tell(Pressure{b.name, used, limit, false})
	}
}

// OnPressure adds a listener of this account. It is called by whoever reserves or releases, so it must be quick, must
// not block, and may release but not reserve.
func (b *Budget) OnPressure(f func(Pressure)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.listeners = append(b.mu.listeners, f)
}

func (b *Budget) tell(p Pressure) {
	b.mu.Lock()
	listeners := b.mu.listeners[:len(b.mu.listeners):len(b.mu.listeners)]
	b.mu.Unlock()
	for _, f := range listeners {
		f(p)
	}
}

// Close gives back whatever the account still holds, and takes it off its parent's list; its owner is gone.
func (b *Budget) Close() {
	if b == nil {
		return
	}
	b.Release(b.used.Load())
	if p := b.parent; p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.mu.children = slices.DeleteFunc(p.mu.children, func(c *Budget) bool { return c == b })
	}
}

// SetLimit changes the limit; what is reserved already stays.
func (b *Budget) SetLimit(limit int64) {
	b.limit.Store(limit)
	b.grown(b.used.Load())
}

// Parent is the account above, nil for the root.
func (b *Budget) Parent() *Budget { return b.parent }

// Name is what the account is called in errors and events.
func (b *Budget) Name() string { return b.name }

// Used is what is reserved now, in the account and below it.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}

// Peak is the most that was ever reserved.
func (b *Budget) Peak() int64 {
	if b == nil {
		return 0
	}
	return b.peak.Load()
}

// Limit is the account's own limit, 0 for none.
func (b *Budget) Limit() int64 {
	if b == nil {
		return 0
	}
	return b.limit.Load()
}

// Pressed tells whether the account or one above it is under pressure.
func (b *Budget) Pressed() bool {
	for ; b != nil; b = b.parent {
		if b.high.Load() {
			return true
		}
	}
	return false
}
