package difftest

import "strings"

// ParseHistory reads a script as History.String writes it: statements that end with a semicolon at the end of a line,
// "-- compare", "-- crash", "-- restart", "/* crash */" before a statement that a crash meets, "/* here */" before one that is
// for Tidemark alone. Other lines that begin with -- are comments.
func ParseHistory(text string) History {
	var h History
	for stmt := range strings.SplitSeq(text, ";\n") {
		var lines []string
		for line := range strings.Lines(stmt) {
			if line = strings.TrimSpace(line); line != "" && (!strings.HasPrefix(line, "--") || line == markCheck || line == markCrash || line == markRestart) {
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 {
			h.Steps = append(h.Steps, parseStep(strings.Join(lines, "\n")))
		}
	}
	return h
}

// The steps that are no SQL, or more than that.
const (
	markCheck   = "-- compare"
	markCrash   = "-- crash"
	markTorn    = "/* crash */ "
	markHere    = "/* here */ "
	markRestart = "-- restart"
)

// delayOfScripts is how long a crash within a statement waits when nobody says.
const delayOfScripts = 20

func parseStep(sql string) Step {
	switch {
	case sql == markCheck:
		return Step{Kind: StepCheck}
	case sql == markCrash:
		return Step{Kind: StepCrash}
	case sql == markRestart:
		return Step{Kind: StepRestart}
	}
	if torn, ok := strings.CutPrefix(sql, markTorn); ok {
		return Step{Kind: StepTorn, SQL: torn, Delay: delayOfScripts}
	}
	if here, ok := strings.CutPrefix(sql, markHere); ok {
		return Step{Kind: StepHere, SQL: here}
	}
	if name, ok := strings.CutPrefix(sql, "DROP MATERIALIZED VIEW "); ok {
		return Step{Kind: StepDrop, Name: name}
	}
	if rest, ok := strings.CutPrefix(sql, "CREATE MATERIALIZED VIEW "); ok {
		name, query, _ := strings.Cut(rest, " AS ")
		return Step{Kind: StepView, Name: name, SQL: query, View: &View{Name: name, Query: query}}
	}
	if rest, ok := strings.CutPrefix(sql, "CREATE TABLE "); ok {
		name, _, _ := strings.Cut(rest, " ")
		return Step{Kind: StepTable, Name: name, SQL: sql}
	}
	if strings.HasPrefix(sql, "SELECT") || strings.HasPrefix(sql, "WITH") || strings.HasPrefix(sql, "(") {
		return Step{Kind: StepQuery, SQL: sql, View: &View{Query: sql}}
	}
	return Step{Kind: StepWrite, SQL: sql}
}
