package slt

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// key names a unit: its file, the entry that includes it if there is one, and the way it ran.
func (r *FileResult) key() string {
	key := r.Path
	if r.Entry != "" {
		key += " @ " + r.Entry
	}
	if r.Way != "" {
		key += " " + r.Way
	}
	return key
}

// Tally counts files or records.
type Tally struct {
	Total       int `json:"total"`
	Passed      int `json:"passed"`
	PassSkipped int `json:"pass_skipped"` // files without failures, some records of which were skipped
	Failed      int `json:"failed"`
	Skipped     int `json:"skipped"`
	Empty       int `json:"empty"`
}

// Group is one line of the tables.
type Group struct {
	Name    string `json:"name"`
	Files   Tally  `json:"files"`
	Records Tally  `json:"records"`
}

// Reason is a normalized failure and how often it came.
type Reason struct {
	Reason  string `json:"reason"`
	Records int    `json:"records"` // failing records
	Files   int    `json:"files"`   // files with such a record
	First   int    `json:"first"`   // files whose first failure it is
	Example string `json:"example"`
}

// Report is the result of a run.
type Report struct {
	DSN               string        `json:"dsn"`
	Seconds           float64       `json:"seconds"`
	Files             Tally         `json:"files"`
	Records           Tally         `json:"records"`
	Guarded           int           `json:"guarded_records"`
	Ignored           int           `json:"ignored_records"`
	Lost              int           `json:"lost_connections"`
	Answers, Answered int           // queries that expect rows, and those that got them
	Kinds             []Reason      `json:"kinds"`
	Dirs              []Group       `json:"dirs"`
	Classes           []Group       `json:"classes"`
	Reasons           []Reason      `json:"reasons"`
	Results           []*FileResult `json:"results"`
}

func (g *Group) add(r *FileResult) {
	g.Files.Total++
	switch r.Status {
	case "pass":
		g.Files.Passed++
	case "pass-skipped":
		g.Files.PassSkipped++
	case "fail":
		g.Files.Failed++
	case "empty":
		g.Files.Empty++
	}
	g.Records.Total += r.Total
	g.Records.Passed += r.Passed
	g.Records.Failed += r.Failed
	g.Records.Skipped += r.Skipped
}

// tallies counts by name while a report is built.
type tallies struct {
	groups  map[string]*Group
	reasons map[string]*Reason
}

func newTallies() tallies { return tallies{map[string]*Group{}, map[string]*Reason{}} }

func (t tallies) group(name string) *Group {
	if t.groups[name] == nil {
		t.groups[name] = &Group{Name: name}
	}
	return t.groups[name]
}

// count adds the failing records of one unit, each under the name that it has here.
func (t tallies) count(r *FileResult, name func(reason string) string) {
	once := map[string]bool{}
	for i, s := range r.Reasons {
		n := name(s)
		if t.reasons[n] == nil {
			t.reasons[n] = &Reason{Reason: n, Example: r.Path}
		}
		x := t.reasons[n]
		x.Records++
		if i == 0 {
			x.First++
		}
		if !once[n] {
			once[n] = true
			x.Files++
		}
	}
}

func (t tallies) sortedGroups() (out []Group) {
	for _, k := range sortedKeys(t.groups) {
		out = append(out, *t.groups[k])
	}
	return out
}

// sortedReasons puts first what is the first failure of the most files.
func (t tallies) sortedReasons() (out []Reason) {
	for _, k := range sortedKeys(t.reasons) {
		out = append(out, *t.reasons[k])
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].First != out[j].First {
			return out[i].First > out[j].First
		}
		return out[i].Records > out[j].Records
	})
	return out
}

// Summarize builds the report.
func Summarize(results []*FileResult) *Report {
	rep := &Report{Results: results}
	dirs, classes, reasons, kinds := newTallies(), newTallies(), newTallies(), newTallies()
	all := &Group{}
	for _, r := range results {
		all.add(r)
		dirs.group(r.Dir).add(r)
		classes.group(r.Class).add(r)
		reasons.count(r, func(s string) string { return s })
		kinds.count(r, func(s string) string { kind, _, _ := strings.Cut(s, ":"); return kind })
		rep.Guarded += r.Guarded
		rep.Ignored += r.Ignored
		rep.Lost += r.Lost
		rep.Answers += r.Answers
		rep.Answered += r.Answered
	}
	rep.Files, rep.Records = all.Files, all.Records
	rep.Dirs, rep.Classes = dirs.sortedGroups(), classes.sortedGroups()
	rep.Reasons, rep.Kinds = reasons.sortedReasons(), kinds.sortedReasons()
	return rep
}

// Print writes the tables for people.
func (rep *Report) Print(w io.Writer, top int) {
	table := func(title string, gs []Group) {
		fmt.Fprintf(w, "\n%-40s %16s %8s %18s %8s\n", title, "files passed", "(+skip)", "records passed", "skipped")
		for _, g := range gs {
			fmt.Fprintf(w, "%-40s %8d/%-7d %8d %9d/%-8d %8d\n", g.Name, g.Files.Passed, g.Files.Total, g.Files.PassSkipped, g.Records.Passed, g.Records.Total, g.Records.Skipped)
		}
	}
	table("folder", rep.Dirs)
	table("class", rep.Classes)
	table("all", []Group{{Name: "total", Files: rep.Files, Records: rep.Records}})
	reasons := func(title string, rs []Reason, n int) {
		fmt.Fprintf(w, "\n%s\n%8s %8s %8s  reason\n", title, "first", "files", "records")
		for i, r := range rs {
			if i == n {
				fmt.Fprintf(w, "... and %d more\n", len(rs)-n)
				break
			}
			fmt.Fprintf(w, "%8d %8d %8d  %s\n", r.First, r.Files, r.Records, r.Reason)
		}
	}
	if len(rep.Reasons) > 0 {
		reasons("kinds of failure (first: files whose first failure it is)", rep.Kinds, 20)
		reasons("top reasons", rep.Reasons, top)
	}
	fmt.Fprintf(w, "\nanswers (queries that expect rows): %d of %d run\n", rep.Answered, rep.Answers)
	fmt.Fprintf(w, "guarded by labels %d, ignored %d, connections lost %d, %.1f s\n", rep.Guarded, rep.Ignored, rep.Lost, rep.Seconds)
}

// failuresShown bounds the failures printed in full; the JSON has more.
const failuresShown = 10

// PrintFailures shows the first failures with their text and place.
func (rep *Report) PrintFailures(w io.Writer) {
	shown := 0
	for _, r := range rep.Results {
		for _, f := range r.Failures {
			if shown++; shown > failuresShown {
				return
			}
			file := r.Path
			if f.File != "" {
				file = f.File
			}
			fmt.Fprintf(w, "\n%s:%d: %s\n%s\n%s\n", file, f.Line, f.Kind, f.SQL, f.Detail)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
