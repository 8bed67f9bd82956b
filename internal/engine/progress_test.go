package engine

import (
	"testing"
	"time"
)

// A rate is told a tenth of a second after reading has begun, or has begun again; then it is that of the last whole window.
func TestRate(t *testing.T) {
	var p progress
	begin := time.Unix(0, 0)
	for _, c := range []struct {
		at   int // milliseconds
		rows uint64
		rate float64
	}{
		{0, 0, 0},
		{500, 0, 0},
		{600, 1000, 0}, // when these were begun nobody knows
		{650, 2000, 0},
		{700, 3000, 20_000},
		{1100, 3500, 5000},
		{1600, 6000, 5000}, // the first window ends
		{2100, 9000, 5000},
		{2600, 9000, 3000},
		{2700, 4000, 3000}, // after a restart
		{2750, 4500, 3000},
		{2800, 5000, 10_000},
		{3700, 6000, 2000},
		{4600, 6001, 2000},
	} {
		if p.measure(c.rows, begin.Add(time.Duration(c.at)*time.Millisecond)); p.rate != c.rate {
			t.Errorf("at %d ms: %v rows/s, not %v", c.at, p.rate, c.rate)
		}
	}
}
