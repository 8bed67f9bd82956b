package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Contest is one query on several systems, the subject first.
type Contest struct {
	Query   string
	Events  int // that each was given: those of the tables which the query reads
	Systems []Effort
}

// Effort is what a query took of one system: medians of its runs.
type Effort struct {
	System         string
	CPU, Wall      float64 // seconds
	CPUMin, CPUMax float64
	PeakMB         float64 // the most of all runs
}

// effort takes the medians.
func effort(system string, took []cost) Effort {
	e := Effort{System: system}
	var seconds, wall []float64
	for _, c := range took {
		seconds, wall = append(seconds, c.cpu.Seconds()), append(wall, c.wall.Seconds())
		e.PeakMB = max(e.PeakMB, c.peakMB)
	}
	slices.Sort(seconds)
	slices.Sort(wall)
	e.CPU, e.Wall = quantile(seconds, 0.5), quantile(wall, 0.5)
	e.CPUMin, e.CPUMax = seconds[0], seconds[len(seconds)-1]
	return e
}

// rate is how many thousand events a second of processor time took in.
func (c Contest) rate(i int) float64 { return float64(c.Events) / 1000 / c.Systems[i].CPU }

// String is the contest as lines of the table: the subject, then each rival with the ratio of the rates, subject by rival.
func (c Contest) String() string {
	var lines []string
	for i, e := range c.Systems {
		line := fmt.Sprintf("%-6s %-10s %10d %10.1f %8.2f (%.2f-%.2f) %8.2f %8.0f", c.Query, e.System, c.Events, c.rate(i), e.CPU,
			e.CPUMin, e.CPUMax, e.Wall, e.PeakMB)
		if i > 0 {
			line += fmt.Sprintf(" %7.2fx", c.rate(0)/c.rate(i))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// contests prints all, and for each rival the geometric mean of the ratios and the worst query.
func contests(w io.Writer, all []Contest) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-6s %-10s %10s %10s %22s %8s %8s %8s\n", "query", "system", "events", "K/CPU s", "CPU s (range)", "wall s", "peak MB", "ratio")
	for _, c := range all {
		fmt.Fprintln(w, c)
	}
	for i, e := range all[0].Systems[1:] {
		logs, worst := 0.0, all[0]
		ratio := func(c Contest) float64 { return c.rate(0) / c.rate(i+1) }
		for _, c := range all {
			logs += math.Log(ratio(c))
			if ratio(c) < ratio(worst) {
				worst = c
			}
		}
		fmt.Fprintf(w, "by %s: geometric mean %.2fx, worst %s with %.2fx\n", e.System, math.Exp(logs/float64(len(all))), worst.Query, ratio(worst))
	}
}
