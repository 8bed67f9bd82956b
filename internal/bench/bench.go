// Package bench measures Tidemark against PostgreSQL on one machine. A figure is a ratio of medians over interleaved runs,
// and it is made only after both have given the same rows.
//
//	go test ./internal/bench -run TestBackfill -rows 10000000 -timeout 2h -v
package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// System is one database under test.
type System struct {
	Name string
	DSN  string
}

// connect opens a connection; the caller closes it.
func (s System) connect(ctx context.Context) (*pgx.Conn, error) {
	c, err := pgx.Connect(ctx, s.DSN)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", s.Name, err)
	}
	return c, nil
}

// Pair is what is measured and what it is measured against.
type Pair struct{ Subject, Peer System }

// both calls f for the peer, then for the subject.
func (p Pair) both(f func(System) error) error {
	for _, s := range []System{p.Peer, p.Subject} {
		if err := f(s); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

// Figure compares the two systems in one workload.
type Figure struct {
	Workload      string
	Unit          string
	Subject, Peer Spread
	Ratio         float64 // of the medians, subject by peer: less is faster
	Target        float64 // the ratio to reach; 0: none is set
}

// Spread is the distribution of the runs of one system.
type Spread struct {
	Median, Min, Max float64
	Runs             int
}

// figure sums up the runs, which were taken in turns.
func figure(workload string, subject, peer []time.Duration, target float64) Figure {
	f := Figure{Workload: workload, Unit: "ms", Subject: spread(subject), Peer: spread(peer), Target: target}
	f.Ratio = f.Subject.Median / f.Peer.Median
	return f
}

// spread gives the times in milliseconds.
func spread(runs []time.Duration) Spread {
	ms := make([]float64, len(runs))
	for i, r := range runs {
		ms[i] = float64(r.Nanoseconds()) / 1e6
	}
	slices.Sort(ms)
	return Spread{Median: quantile(ms, 0.5), Min: ms[0], Max: ms[len(ms)-1], Runs: len(ms)}
}

// quantile of sorted values, the nearest rank.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
