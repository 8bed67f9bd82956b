// Package slt runs sqllogictest scripts, in the dialect of sqllogictest-rs, against any server that speaks the PostgreSQL
// protocol: Tidemark, PostgreSQL as the oracle, or a peer. Two records are our own: "restart" kills the server and starts
// it on the same data, "wait" waits for background jobs. README.md tells the options of its command, cmd/slt.
//
//	os.Exit(slt.Main(os.Args[1:], os.Stdout, os.Stderr))
package slt

import (
	"regexp"
	"strings"
	"time"
)

// Kind is the kind of one record of a script.
type Kind int

// The record kinds. Those that Executable names are judged; the rest steer the run.
const (
	Statement Kind = iota
	Query
	System
	Let
	Sleep
	Control
	Halt
	Subtest
	HashThreshold
	Bad     // a line or include that could not be understood
	Include // only inside a Script; flattening replaces it
	Restart // kill the server and start it on the same data
	Wait    // until background jobs are done
)

func (k Kind) String() string {
	return [...]string{"statement", "query", "system", "let", "sleep", "control", "halt", "subtest", "hash-threshold", "bad", "include", "restart", "wait"}[k]
}

// Executable tells whether a record counts in the record totals.
func (k Kind) Executable() bool {
	return k == Statement || k == Query || k == System || k == Let || k == Bad || k == Restart || k == Wait
}

// Cond is a skipif or onlyif guard.
type Cond struct {
	Only  bool
	Label string
}

// Want says what outcome a statement or a query expects.
type Want int

// Expected outcomes.
const (
	WantOK Want = iota
	WantCount
	WantError
	WantRows
)

// ExpErr is an expected error: any error when nothing is set.
type ExpErr struct {
	Regex    *regexp.Regexp
	Inline   string // source text of Regex
	SQLState string
	Multi    *string // exact text
}

func (e *ExpErr) empty() bool { return e.Regex == nil && e.SQLState == "" && e.Multi == nil }

// Match compares an error text and its SQLSTATE with the expectation.
func (e *ExpErr) Match(text, state string) bool {
	switch {
	case e.Regex != nil:
		return e.Regex.MatchString(text)
	case e.SQLState != "":
		return e.SQLState == state
	case e.Multi != nil:
		return strings.TrimSpace(*e.Multi) == strings.TrimSpace(text)
	}
	return true
}

func (e *ExpErr) String() string {
	switch {
	case e.Regex != nil:
		return "regex " + e.Inline
	case e.SQLState != "":
		return "sqlstate " + e.SQLState
	case e.Multi != nil:
		return "exactly " + *e.Multi
	}
	return "any error"
}

// Record is one parsed record, with the guards in force for it.
type Record struct {
	Kind     Kind
	File     string
	Line     int
	Conds    []Cond
	Conn     string // "" is the default connection
	SQL      string // also the command of a system record
	Want     Want
	Count    uint64
	Err      ExpErr
	Types    string
	Sort     string // "", nosort, rowsort, valuesort
	Rows     []string
	HasRows  bool    // a ---- line was present
	Stdout   *string // system
	Retries  int     // 0 means no retry clause
	Backoff  time.Duration
	Dur      time.Duration // sleep
	Ctl, Arg string        // control NAME ARG, subtest, hash-threshold, bad (message)
	Vars     []string      // let
	Sub      []*Script     // include
	Prelude  bool          // a SET of the file that includes this one: run, but not counted
}

// Script is one file with its includes still apart.
type Script struct {
	Path string
	Recs []Record
}

// Flat gives the records in the order in which they run, includes in place.
func (s *Script) Flat() []Record {
	var out []Record
	for _, r := range s.Recs {
		if r.Kind != Include {
			out = append(out, r)
			continue
		}
		for _, sub := range r.Sub {
			out = append(out, sub.Flat()...)
		}
	}
	return out
}
