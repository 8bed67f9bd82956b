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
	Limit float64 // what it must not exceed; 0: none is set
}

// Machine names what the figures were taken on.
func Machine() string {
	return fmt.Sprintf("%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}

// Write prints the report as a table and then as JSON.
func (r Report) Write(w io.Writer) error {
	fmt.Fprintf(w, "command  %s\nmachine  %s\ndata     %s\n", r.Command, r.Machine, r.Data)
	if len(r.Figures) > 0 {
		fmt.Fprintf(w, "\n%-28s %26s %26s %7s %7s\n", "workload", "tidemark ms (min-max)", "postgres ms (min-max)", "ratio", "target")
	}
	for _, f := range r.Figures {
		fmt.Fprintf(w, "%-28s %26s %26s %6.2fx %6.2fx\n", f.Workload, f.Subject, f.Peer, f.Ratio, f.Target)
	}
	if len(r.Latency) > 0 {
		fmt.Fprintf(w, "\n%-44s %9s %9s %9s %7s\n", "latency, ms", "p50", "p90", "p99", "count")
	}
	for _, l := range r.Latency {
		fmt.Fprintf(w, "%-44s %9.3f %9.3f %9.3f %7d\n", l.What, l.P50, l.P90, l.P99, l.Count)
	}
	for _, m := range r.Measures {
		fmt.Fprintf(w, "%-44s %9.3f %s (limit %g)\n", m.What, m.Value, m.Unit, m.Limit)
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s\n", b)
	return err
}

// String is the median with the range of the runs.
func (s Spread) String() string {
	return fmt.Sprintf("%.2f (%.2f-%.2f)", s.Median, s.Min, s.Max)
}
