package slt

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// parser reads one script. Guards and the connection stand before the record that they are for, so they are kept until it
// comes.
type parser struct {
	lines
	file  string
	load  func(pattern string) ([]*Script, error)
	out   []Record
	conds []Cond
	conn  string
}

// Parse turns the text of one script into records. Includes are resolved with load, which gets the pattern and returns the
// scripts that match, in order. Lines that cannot be understood become Bad records; parsing goes on after them.
func Parse(file, text string, load func(pattern string) ([]*Script, error)) []Record {
	p := &parser{lines: lines{l: splitLines(text)}, file: file, load: load}
	for {
		line, ok := p.next()
		if !ok {
			return p.out
		}
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		r := Record{File: file, Line: p.i}
		keep, err := p.record(words, &r)
		switch {
		case err != nil:
			p.out = append(p.out, Record{Kind: Bad, File: file, Line: r.Line, Arg: err.Error()})
		case keep:
			p.out = append(p.out, r)
		}
	}
}

func invalid(words []string) error { return fmt.Errorf("invalid line %q", strings.Join(words, " ")) }

// record reads one record from its first line and whatever follows. keep is false for lines that only prepare another.
func (p *parser) record(words []string, r *Record) (keep bool, err error) {
	switch words[0] {
	case "statement":
		return true, p.statement(words, r)
	case "query":
		return true, p.query(words, r)
	case "system":
		return true, p.system(words, r)
	case "let":
		return true, p.let(words, r)
	case "include", "halt", "subtest", "sleep", "control", "hash-threshold":
		return true, p.steer(words, r)
	case "restart", "wait":
		return true, p.server(words, r)
	case "skipif", "onlyif", "connection":
		return false, p.guard(words)
	}
	return false, invalid(words)
}

// take gives the record the guards and the connection that stand before it.
func (p *parser) take(r *Record) {
	r.Conds, r.Conn = p.conds, p.conn
	p.conds, p.conn = nil, ""
}

func (p *parser) guard(words []string) error {
	if len(words) != 2 {
		return invalid(words)
	}
	if words[0] != "connection" {
		p.conds = append(p.conds, Cond{Only: words[0] == "onlyif", Label: words[1]})
		return nil
	}
	p.conn = words[1]
	if p.conn == "default" {
		p.conn = ""
	}
	return nil
}

// server reads our own records, which are one word.
func (p *parser) server(words []string, r *Record) error {
	if len(words) != 1 {
		return invalid(words)
	}
	r.Kind, r.SQL = Restart, words[0]
	if words[0] == "wait" {
		r.Kind = Wait
	}
	p.take(r)
	return nil
}

// controls are the switches with their values.
var controls = map[string][]string{
	"substitution": {"on", "off"}, "sortmode": {"nosort", "rowsort", "valuesort"}, "resultmode": {"rowwise", "valuewise"},
	"ways": {"off"},
}

// steer reads the records of one line that change how others are run.
func (p *parser) steer(words []string, r *Record) (err error) {
	want := map[string]int{"halt": 1, "control": 3}[words[0]]
	if want == 0 {
		want = 2
	}
	if len(words) != want {
		return invalid(words)
	}
	switch r.Arg = words[len(words)-1]; words[0] {
	case "include":
		r.Kind = Include
		if r.Sub, err = p.load(r.Arg); err != nil {
			return fmt.Errorf("include %s: %v", r.Arg, err)
		}
	case "halt":
		r.Kind = Halt
	case "subtest":
		r.Kind = Subtest
	case "sleep":
		r.Kind = Sleep
		r.Dur, err = parseDuration(r.Arg)
	case "control":
		r.Kind, r.Ctl = Control, words[1]
		if !slices.Contains(controls[r.Ctl], r.Arg) {
			return invalid(words)
		}
	case "hash-threshold":
		r.Kind = HashThreshold
		if _, err := strconv.Atoi(r.Arg); err != nil {
			return invalid(words)
		}
	}
	return err
}

func (p *parser) statement(words []string, r *Record) (err error) {
	r.Kind = Statement
	if len(words) < 2 {
		return invalid(words)
	}
	switch words[1] {
	case "ok":
		err = retryClause(words[2:], r)
	case "error":
		r.Want = WantError
		err = errClause(words[2:], r)
	case "count":
		r.Want = WantCount
		if len(words) < 3 {
			err = invalid(words)
		} else if r.Count, err = strconv.ParseUint(words[2], 10, 64); err == nil {
			err = retryClause(words[3:], r)
		}
	default:
		err = invalid(words)
	}
	delim, bodyErr := p.sql(words, r)
	if delim && r.Want != WantError && bodyErr == nil {
		bodyErr = fmt.Errorf("a statement has no result")
	}
	p.take(r)
	return first(err, bodyErr)
}

func (p *parser) query(words []string, r *Record) (err error) {
	r.Kind, r.Want = Query, WantRows
	rest := words[1:]
	switch {
	case len(rest) > 0 && rest[0] == "error":
		r.Want = WantError
		err = errClause(rest[1:], r)
	case len(rest) > 0:
		err = queryClause(rest, r)
	}
	delim, bodyErr := p.sql(words, r)
	r.HasRows = delim
	if delim && r.Want != WantError {
		for {
			row, more := p.next()
			if !more || row == "" {
				break
			}
			r.Rows = append(r.Rows, row)
		}
	}
	p.take(r)
	return first(err, bodyErr)
}

// queryClause reads types, sort mode, a label (which has no effect) and the retry clause.
func queryClause(rest []string, r *Record) error {
	r.Types, rest = rest[0], rest[1:]
	if len(rest) > 0 && slices.Contains(controls["sortmode"], rest[0]) {
		r.Sort, rest = rest[0], rest[1:]
	}
	if len(rest) > 0 && rest[0] != "retry" {
		rest = rest[1:]
	}
	return retryClause(rest, r)
}

// sql reads the body and, below "----", the text of an expected error.
func (p *parser) sql(words []string, r *Record) (delim bool, err error) {
	sql, delim, ok := p.body(true)
	if !ok {
		return false, fmt.Errorf("end of file after %q", strings.Join(words, " "))
	}
	r.SQL = sql
	if delim && r.Want == WantError {
		if !r.Err.empty() {
			err = fmt.Errorf("error text both inline and under ----")
		}
		text := p.block()
		r.Err.Multi = &text
	}
	return delim, err
}

// system reads a shell command. It takes the guards but leaves the connection to the next record.
func (p *parser) system(words []string, r *Record) error {
	if len(words) < 2 || words[1] != "ok" {
		return invalid(words)
	}
	r.Kind = System
	err := retryClause(words[2:], r)
	cmd, delim, ok := p.body(true)
	if !ok {
		err = first(err, fmt.Errorf("end of file after %q", strings.Join(words, " ")))
	}
	if delim {
		text := p.block()
		r.Stdout = &text
	}
	r.SQL = cmd
	r.Conds, p.conds = p.conds, nil
	return err
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (p *parser) let(words []string, r *Record) (err error) {
	if len(words) < 2 {
		return invalid(words)
	}
	r.Kind = Let
	for _, v := range strings.Split(strings.Join(words[1:], " "), ",") {
		if v = strings.TrimSpace(v); v == "" {
			continue
		}
		if !variableName.MatchString(v) {
			err = fmt.Errorf("invalid variable name %q", v)
		}
		r.Vars = append(r.Vars, v)
	}
	sql, _, ok := p.body(false)
	if err == nil && (!ok || len(r.Vars) == 0) {
		err = invalid(words)
	}
	r.SQL = sql
	p.take(r)
	return err
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// retryClause reads "retry N backoff D" from the rest of a record's first line.
func retryClause(words []string, r *Record) error {
	if len(words) == 0 {
		return nil
	}
	if !isRetry(words) {
		return fmt.Errorf("unexpected words %q", strings.Join(words, " "))
	}
	n, err := strconv.Atoi(words[1])
	if err != nil || n < 1 {
		return fmt.Errorf("invalid retry count %q", words[1])
	}
	d, err := parseDuration(words[3])
	if err != nil {
		return err
	}
	r.Retries, r.Backoff = n, d
	return nil
}

func isRetry(words []string) bool {
	return len(words) == 4 && words[0] == "retry" && words[2] == "backoff"
}

var sqlState = regexp.MustCompile(`^\(([0-9A-Za-z]{5})\)$`)

// errClause reads what follows "error" on a record's first line.
func errClause(words []string, r *Record) error {
	if len(words) == 0 {
		return nil
	}
	if isRetry(words) {
		return retryClause(words, r)
	}
	text := strings.Join(words, " ")
	if m := sqlState.FindStringSubmatch(text); m != nil {
		r.Err.SQLState = m[1]
		return nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return fmt.Errorf("invalid error regex %q: %v", text, err)
	}
	r.Err.Regex, r.Err.Inline = re, text
	return nil
}
