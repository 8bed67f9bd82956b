package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
)

// Report is the outcome of one command.
type Report struct {
	Command  string
	Machine  string
	Data     string
	Figures  []Figure  `json:",omitempty"`
	Latency  []Latency `json:",omitempty"`
	Measures []Measure `json:",omitempty"`
	Contests []Contest `json:",omitempty"`
}

// Latency is the distribution of one system's round trips, in milliseconds.
type Latency struct {
	What          string
	P50, P90, P99 float64
	Count         int
}

// Measure is a figure without a peer.
type Measure struct {
	What  string
	Value float64
	Unit  string
	Limit float64 `json:",omitempty"` // what it must not exceed; 0: none is set
	Least float64 `json:",omitempty"` // what it must reach; 0: none is set
}

// Machine names what the figures were taken on.
func Machine() string {
	return fmt.Sprintf("%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}

// JSON prints the report as JSON.
func (r Report) JSON(w io.Writer) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return err
}

// Table prints the report for people.
func (r Report) Table(w io.Writer) {
	fmt.Fprintf(w, "command  %s\nmachine  %s\ndata     %s\n", r.Command, r.Machine, r.Data)
	if len(r.Figures) > 0 {
		fmt.Fprintf(w, "\n%-28s %26s %26s %7s %7s %15s %8s", "workload", "tidemark ms (min-max)", "postgres ms (min-max)", "ratio", "target",
			"CPU s, both", "peak MB")
		if r.Figures[0].Batch != nil {
			fmt.Fprintf(w, " %26s %7s %7s %7s", "duckdb ms (min-max)", "ratio", "of CPU", "target")
		}
		fmt.Fprintln(w)
	}
	for _, f := range r.Figures {
		fmt.Fprintln(w, f)
	}
	if len(r.Latency) > 0 {
		fmt.Fprintf(w, "\n%-44s %9s %9s %9s %7s\n", "latency, ms", "p50", "p90", "p99", "count")
	}
	for _, l := range r.Latency {
		fmt.Fprintf(w, "%-44s %9.3f %9.3f %9.3f %7d\n", l.What, l.P50, l.P90, l.P99, l.Count)
	}
	for _, m := range r.Measures {
		fmt.Fprintln(w, m)
	}
	contests(w, r.Contests)
}

// String is a line of the report.
func (m Measure) String() string {
	line := fmt.Sprintf("%-46s %12.3f %s", m.What, m.Value, m.Unit)
	switch {
	case m.Limit > 0:
		line += fmt.Sprintf(" (at most %g)", m.Limit)
	case m.Least > 0:
		line += fmt.Sprintf(" (at least %g)", m.Least)
	}
	return line
}

// String is a row of the table.
func (f Figure) String() string {
	p := f.Peer
	row := fmt.Sprintf("%-28s %26s %26s %7s %7s %7.2f %7.2f %8.0f", f.Workload, f.Subject, p.Spread, times(p.Ratio), times(p.Target), f.SubjectCPU, p.CPU, f.PeakMB)
	if b := f.Batch; b != nil {
		row += fmt.Sprintf(" %26s %7s %7s %7s", b.Spread, times(b.Ratio), times(b.CPURatio), times(b.CPUTarget))
	}
	return row
}

// times is a ratio, or nothing where none is set.
func times(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return fmt.Sprintf("%.2fx", ratio)
}

// String is the median with the range of the runs.
func (s Spread) String() string {
	return fmt.Sprintf("%.2f (%.2f-%.2f)", s.Median, s.Min, s.Max)
}
