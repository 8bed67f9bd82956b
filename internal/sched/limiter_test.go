package sched

import (
	"testing"
	"time"
)

// clock is a time that the test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// read lets a reader take all it is granted, asking again when it was told to, and counts the rows.
func read(c *clock, l *Limiter, d time.Duration) (rows, asked int) {
	for end := c.at.Add(d); ; asked++ {
		n, wait := l.Grant(4096)
		rows += n
		if c.at = c.at.Add(wait); !c.at.Before(end) {
			return rows, asked
		}
	}
}

// TestRate: a reader that asks when it was told to reads at the limit within a tenth, without asking for every row.
func TestRate(t *testing.T) {
	for _, rate := range []float64{1, 3, 40, 1500, 200_000} {
		c := &clock{at: time.Unix(1000, 0)}
		l := NewLimiter(c.now)
		l.Set(rate)
		rows, asked := read(c, l, 20*time.Second)
		want := 20 * rate
		if float64(rows) < 0.9*want || float64(rows) > 1.1*want+1 {
			t.Errorf("%v rows/s: %d rows in 20 s", rate, rows)
		}
		if perSecond := asked / 20; perSecond > 110 {
			t.Errorf("%v rows/s: asked %d times a second", rate, perSecond)
		}
	}
}

// TestPauseKeepsTheRate: while paused nothing is granted, afterwards no more than before, and nothing for the time between.
func TestPauseKeepsTheRate(t *testing.T) {
	c := &clock{at: time.Unix(1000, 0)}
	l := NewLimiter(c.now)
	l.Set(100)
	l.Pause(true)
	if !l.Paused() {
		t.Error("not paused")
	}
	if rows, _ := read(c, l, 2*time.Minute); rows != 0 {
		t.Errorf("%d rows while paused", rows)
	}
	l.Pause(false)
	if rows, _ := read(c, l, 10*time.Second); rows < 900 || rows > 1100 {
		t.Errorf("%d rows in 10 s at 100 rows/s", rows)
	}
}

// TestStopAndLift: rate 0 stops like a pause, a negative rate grants whatever is asked for.
func TestStopAndLift(t *testing.T) {
	c := &clock{at: time.Unix(1000, 0)}
	l := NewLimiter(c.now)
	l.Set(0)
	if rows, wait := l.Grant(10); rows != 0 || wait <= 0 || !l.Paused() {
		t.Errorf("at rate 0: %d rows, wait %v", rows, wait)
	}
	l.Set(-1)
	if rows, _ := l.Grant(10); rows != 10 || l.Paused() {
		t.Errorf("without a limit: %d rows", rows)
	}
}

// TestReturn: what was granted and not read is there for the next reader.
func TestReturn(t *testing.T) {
	c := &clock{at: time.Unix(1000, 0)}
	l := NewLimiter(c.now)
	l.Set(1)
	rows, _ := l.Grant(10)
	l.Return(rows)
	if again, _ := l.Grant(10); rows != 1 || again != 1 {
		t.Errorf("granted %d, then %d", rows, again)
	}
}

// TestCharge: what was read without a grant is paid for by the rate, before anything is granted.
func TestCharge(t *testing.T) {
	c := &clock{at: time.Unix(1000, 0)}
	l := NewLimiter(c.now)
	l.Charge(5000)
	if d := l.Debt(); d != 0 {
		t.Errorf("without a limit %v are to be paid", d)
	}
	l.Set(100)
	l.Charge(501)
	if d := l.Debt(); d < 5*time.Second || d > 5*time.Second+time.Millisecond {
		t.Errorf("501 rows at 100 a second, of which one was there, take %v", d)
	}
	if rows, _ := read(c, l, 5*time.Second); rows != 0 {
		t.Errorf("%d rows were granted", rows)
	}
	if d := l.Debt(); d != 0 {
		t.Errorf("%v are left", d)
	}
	if rows, _ := read(c, l, 10*time.Second); rows < 900 || rows > 1100 {
		t.Errorf("%d rows in 10 s", rows)
	}
	l.Charge(1000)
	if l.Set(-1); l.Debt() != 0 {
		t.Error("a limit that was lifted is still paid for")
	}
}
