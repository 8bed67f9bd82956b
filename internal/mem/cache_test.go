package mem

import "testing"

// Caches below one limit grow as they need until their sum is over it; then each shrinks to its part.
func TestCachesShareALimit(t *testing.T) {
	pool := New("process", 0).Child("state", 10<<20)
	a, b := NewCache(pool.Child("job 1", 0)), NewCache(pool.Child("job 2", 0))
	if got := a.Bound(9<<20, 0); got != 9<<20 {
		t.Errorf("a alone may have %d, want all of its 9 MiB", got)
	}
	if got := b.Bound(11<<20, 0); got != 11<<19 {
		t.Errorf("b may have %d of 11 MiB, want half: the pool has twice its limit", got)
	}
	b.Note(1 << 20)
	if got := a.Bound(9<<20, 0); got != 9<<20 {
		t.Errorf("a may have %d after b has shrunk, want all", got)
	}
	if got := pool.Used(); got != 10<<20 {
		t.Errorf("the pool has %d, want 10 MiB", got)
	}
}

func TestSmallCachesAreLeftAlone(t *testing.T) {
	pool := New("state", 8<<20)
	pool.Force(1 << 30)
	c := NewCache(pool)
	if got := c.Bound(cacheLeft, 0); got != cacheLeft {
		t.Errorf("%d of %d may stay, want all", got, cacheLeft)
	}
	tight := New("state", 640)
	tight.Force(1 << 30)
	c = NewCache(tight)
	if got := c.Bound(1000, 0); got != 10 {
		t.Errorf("%d of 1000 may stay, want a 64th of the limit", got)
	}
	bounded := NewCache(nil)
	if got := bounded.Bound(100, 10); got != 10 {
		t.Errorf("%d may stay, want the bound of the cache's own", got)
	}
}

func TestMeterHoldsWhatFits(t *testing.T) {
	root := New("query", 100)
	m := NewMeter(root)
	if err := m.Set(90); err != nil {
		t.Fatal(err)
	}
	if err := m.Set(101); err == nil || m.Held() != 90 || root.Used() != 90 {
		t.Errorf("%v, holds %d, account %d: want an error and 90 as before", err, m.Held(), root.Used())
	}
	if err := m.Set(30); err != nil || root.Used() != 30 {
		t.Errorf("%v, account %d, want 30", err, root.Used())
	}
	m.Note(500)
	m.Close()
	if root.Used() != 0 || root.Peak() != 500 {
		t.Errorf("used %d, peak %d", root.Used(), root.Peak())
	}
}

func TestAccountsAreListedUntilTheyClose(t *testing.T) {
	root := New("process", 100)
	state := root.Child("state", 50)
	job := state.Child("job 1", 0)
	job.Force(7)
	names := func() (out string) {
		for _, a := range root.Accounts() {
			out += a.Name() + " "
		}
		return out
	}
	if got := names(); got != "process state job 1 " {
		t.Errorf("%q", got)
	}
	job.Close()
	if got := names(); got != "process state " || root.Used() != 0 {
		t.Errorf("%q, used %d", got, root.Used())
	}
}
