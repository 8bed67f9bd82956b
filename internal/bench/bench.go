// Package bench measures Tidemark against PostgreSQL on one machine. A figure is a ratio of medians over interleaved runs,
// and it is made only after both have given the same rows.
//
//	tidemark bench --workload B1 --rows 10000000
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
	Name    string
	DSN     string
	Process Process
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
	SubjectCPU    float64 `json:",omitempty"` // seconds, the median
	PeerCPU       float64 `json:",omitempty"`
	PeakMB        float64 `json:",omitempty"` // most memory that the subject had
}

// Spread is the distribution of the runs of one system.
type Spread struct {
	Median, Min, Max float64
	Runs             int
}

// cost is what a run took.
type cost struct {
	wall, cpu time.Duration
	peakMB    float64
}

// figure sums up the runs, which were taken in turns.
func figure(workload string, subject, peer []cost, target float64) Figure {
	f := Figure{Workload: workload, Unit: "ms", Subject: spread(subject), Peer: spread(peer), Target: target}
	f.Ratio = f.Subject.Median / f.Peer.Median
	f.SubjectCPU, f.PeerCPU = cpu(subject), cpu(peer)
	for _, c := range subject {
		f.PeakMB = max(f.PeakMB, c.peakMB)
	}
	return f
}

// cpu is the median in seconds.
func cpu(runs []cost) float64 {
	var s []float64
	for _, c := range runs {
		s = append(s, c.cpu.Seconds())
	}
	slices.Sort(s)
	return quantile(s, 0.5)
}

// measured runs something of a system and tells what it took.
func (s System) measured(do func() error) (c cost, err error) {
	before, err := s.Process.CPU()
	if err == nil {
		err = s.Process.ForgetPeak()
	}
	if err != nil {
		return c, err
	}
	begun := time.Now()
	if err := do(); err != nil {
		return c, err
	}
	c.wall = time.Since(begun)
	after, err := s.Process.CPU()
	if err != nil {
		return c, err
	}
	c.cpu = after - before
	c.peakMB, err = s.Process.PeakResident()
	return c, err
}

// spread gives the times in milliseconds.
func spread(runs []cost) Spread {
	ms := make([]float64, len(runs))
	for i, r := range runs {
		ms[i] = float64(r.wall.Nanoseconds()) / 1e6
	}
	slices.Sort(ms)
	return Spread{Median: quantile(ms, 0.5), Min: ms[0], Max: ms[len(ms)-1], Runs: len(ms)}
}

// quantile of sorted values, the nearest rank.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
