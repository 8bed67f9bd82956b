// Package bench measures Tidemark against PostgreSQL and DuckDB on one machine. A figure is a ratio of medians over interleaved
// runs, and it is made only after all have given the same rows.
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

// Field is what is measured and what it is measured against: a peer in all workloads that have one, and a batch engine in
// backfills, unless it has no address.
type Field struct{ Subject, Peer, Batch System }

// systems has the peers, then the subject.
func (f Field) systems() []System {
	if f.Batch.DSN == "" {
		return []System{f.Peer, f.Subject}
	}
	return []System{f.Peer, f.Batch, f.Subject}
}

// each calls do for one system after the other.
func each(systems []System, do func(System) error) error {
	for _, s := range systems {
		if err := do(s); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

// Figure compares systems in one workload.
type Figure struct {
	Workload   string
	Unit       string
	Subject    Spread
	SubjectCPU float64  `json:",omitempty"` // seconds, the median
	PeakMB     float64  `json:",omitempty"` // most memory that the subject had
	Peer       Against  // PostgreSQL
	Batch      *Against `json:",omitempty"` // DuckDB
}

// Against is what one of those took that the subject is measured against. Ratios are of medians, subject by this one: less is
// faster. Those to reach are 0 where none is set.
type Against struct {
	Spread
	Ratio, Target       float64
	CPU                 float64 `json:",omitempty"` // seconds, the median; 0: not known
	CPURatio, CPUTarget float64 `json:",omitempty"`
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

// figure sums up the runs of the subject.
func figure(workload string, runs []cost) Figure {
	f := Figure{Workload: workload, Unit: "ms", Subject: spread(runs), SubjectCPU: cpu(runs)}
	for _, c := range runs {
		f.PeakMB = max(f.PeakMB, c.peakMB)
	}
	return f
}

// against compares with runs that were taken in turns with the subject's.
func (f Figure) against(runs []cost, target, cpuTarget float64) Against {
	a := Against{Spread: spread(runs), CPU: cpu(runs), Target: target, CPUTarget: cpuTarget}
	a.Ratio = f.Subject.Median / a.Median
	if a.CPU > 0 {
		a.CPURatio = f.SubjectCPU / a.CPU
	}
	return a
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
