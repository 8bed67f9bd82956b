// Package difftest holds Tidemark against PostgreSQL: seeded schemas, views of views and changes run on both, and after
// each commit every view must have PostgreSQL's rows, and so must its query run anew. A failure names its seed and comes
// with a script that was made as small as it gets.
//
//	go test ./internal/difftest -seed 17 -seeds 1
package difftest

import (
	"fmt"
	"strings"
)

// StepKind says what a step of a history does.
type StepKind int

// The kinds of steps.
const (
	StepTable   StepKind = iota // CREATE TABLE
	StepView                    // CREATE MATERIALIZED VIEW here, CREATE VIEW there
	StepDrop                    // DROP of a view, here a materialized one
	StepWrite                   // one statement of DML or of a transaction block
	StepQuery                   // compare the rows of a query
	StepCheck                   // compare all views
	StepTorn                    // kill the database while a statement runs
	StepHere                    // a statement for the database under test alone, which changes no answer
	StepRestart                 // close the database and open it again
	StepCrash                   // kill the database and open what was durable; PostgreSQL only rolls back
)

// Step is one thing that happens to both databases.
type Step struct {
	Kind StepKind
	SQL  string // CREATE TABLE, the view's query, or the statement
	Name string // of the table or view
	View *View  // of a StepView or StepQuery
	// Delay is how often a StepTorn lets others run before it kills: a matter of luck, not of time.
	Delay int
}

// History is what happens to a pair of empty databases.
type History struct {
	Steps []Step
}

// View is a view as the generator made it.
type View struct {
	Name     string
	Query    string
	Cols     []Column
	Features Features
	Uses     []string // relations of FROM
}

// Column is a column of a relation with what comparisons must know of it.
type Column struct {
	Name string
	Kind Kind
	// Fuzzy is a float whose last digits depend on the order of sums.
	Fuzzy bool
	// Varied is a value whose equals may be printed differently, such as 1.0 and 1.00.
	Varied bool
	// Loose is a value of which any of its equals may stand for all: a group's key that is varied.
	Loose bool
}

// Tidemark's text of a step.
func (s Step) Tidemark() string { return s.text("MATERIALIZED VIEW") }

// Postgres is PostgreSQL's text of a step.
func (s Step) Postgres() string { return s.text("VIEW") }

func (s Step) text(view string) string {
	switch s.Kind {
	case StepView:
		return fmt.Sprintf("CREATE %s %s AS %s", view, s.Name, s.SQL)
	case StepDrop:
		return fmt.Sprintf("DROP %s %s", view, s.Name)
	case StepCheck:
		return markCheck
	case StepTorn:
		return markTorn + s.SQL
	case StepHere:
		return markHere + s.SQL
	case StepRestart:
		return markRestart
	case StepCrash:
		return markCrash
	}
	return s.SQL
}

// String is the history as a script.
func (h History) String() string {
	var b strings.Builder
	for _, s := range h.Steps {
		b.WriteString(s.Tidemark())
		b.WriteString(";\n")
	}
	return b.String()
}
