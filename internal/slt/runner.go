package slt

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// Failure says why a record failed.
type Failure struct {
	File   string `json:"file,omitempty"` // set when it is not the entry file
	Line   int    `json:"line"`
	Kind   string `json:"kind"`   // unexpected-error, wrong-rows, wrong-error, no-error, wrong-count, timeout, connection, system, let, parse, restart
	Reason string `json:"reason"` // normalized, for grouping
	SQL    string `json:"sql"`
	Detail string `json:"detail"`
}

// FileResult is the outcome of one unit, includes and all.
type FileResult struct {
	Path     string    `json:"path"`
	Entry    string    `json:"entry,omitempty"` // set when the unit is an include of that file
	Dir      string    `json:"dir"`
	Class    string    `json:"class"`
	Way      string    `json:"way,omitempty"`
	Status   string    `json:"status"` // pass, pass-skipped, fail, empty
	Total    int       `json:"total"`  // records that are judged
	Passed   int       `json:"passed"`
	Answers  int       `json:"answers"`  // queries run that expect rows
	Answered int       `json:"answered"` // those that got them
	Failed   int       `json:"failed"`
	Skipped  int       `json:"skipped"`  // system commands not run, or after a stop
	Guarded  int       `json:"guarded"`  // left out by skipif or onlyif; not in Total
	Ignored  int       `json:"ignored"`  // matched -ignore-stmt; not in Total
	Millis   int64     `json:"ms"`       // wall time
	Lost     int       `json:"lost"`     // times the connection was lost
	Failures []Failure `json:"failures"` // the first few
	Reasons  []string  `json:"-"`        // of all failures
	First    string    `json:"-"`        // reason of the first failure
}

// lostMax is how often a unit may lose its connection before it is given up.
const lostMax = 5

// Runner runs units, one at a time, over sessions of its own.
type Runner struct {
	opt      *Options
	worker   int
	dsn      string
	server   *server // nil when the server is somebody else's
	database string  // of the current unit
	conns    map[string]*Conn
	vars     map[string]string
	testDir  string
	st       state
	baseline map[string]bool // objects that were there before the run
	lastDir  string
}

// session gives the named session, opening it if need be. After a crash it waits for the server to come back, for at most
// opt.Reconnect.
func (r *Runner) session(name string) (*Conn, error) {
	if c := r.conns[name]; c != nil && !c.Dead() {
		return c, nil
	}
	delete(r.conns, name)
	c, err := r.dial(r.database, r.opt.Reconnect)
	if err != nil {
		return nil, err
	}
	r.conns[name] = c
	return c, nil
}

// dialMax bounds one attempt to open a session.
const dialMax = 30 * time.Second

func (r *Runner) dial(database string, wait time.Duration) (*Conn, error) {
	end := time.Now().Add(wait)
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		ctx, stop := context.WithTimeout(context.Background(), dialMax)
		c, err := Dial(ctx, r.dsn, database, r.opt.Extended)
		stop()
		if err == nil {
			return c, nil
		}
		if time.Now().After(end) {
			return nil, err
		}
		time.Sleep(pause)
	}
}

func (r *Runner) closeAll() {
	for k, c := range r.conns {
		c.Close()
		delete(r.conns, k)
	}
}

func (r *Runner) skip(conds []Cond) bool {
	for _, c := range conds {
		if r.opt.Labels[c.Label] != c.Only {
			return true
		}
	}
	return false
}

func (r *Runner) variable(name string) (string, bool) {
	switch name {
	case "__TEST_DIR__":
		return r.dir(), true
	case "__NOW__":
		return fmt.Sprint(time.Now().UnixNano()), true
	case "__DATABASE__":
		return r.database, true
	}
	if v, ok := r.vars[name]; ok {
		return v, true
	}
	return os.LookupEnv(name)
}

func (r *Runner) dir() string {
	if r.testDir == "" {
		r.testDir, _ = os.MkdirTemp("", "slt-")
	}
	return r.testDir
}

// RunFile runs one unit.
func (r *Runner) RunFile(u Unit) *FileResult {
	res := &FileResult{Path: r.opt.rel(u.Path), Dir: r.opt.dirOf(u.Path), Class: u.Class.Class, Way: u.Way}
	if u.Entry != u.Path {
		res.Entry = r.opt.rel(u.Entry)
	}
	start := time.Now()
	r.st, r.vars = state{}, map[string]string{}
	if err := r.prepare(u.Path, res.Dir); err != nil {
		res.Total = countExecutable(u.Recs)
		r.fail(res, &Record{File: u.Path, Kind: Bad}, &Failure{Kind: "connection", Detail: "prepare: " + err.Error()})
		res.Skipped = res.Total - res.Failed
	} else {
		r.runRecords(u.Recs, res, start)
		r.cleanup()
	}
	r.closeAll()
	if r.testDir != "" {
		os.RemoveAll(r.testDir)
		r.testDir = ""
	}
	res.Millis = time.Since(start).Milliseconds()
	res.Status = res.status()
	return res
}

func (r *FileResult) status() string {
	switch {
	case r.Failed > 0:
		return "fail"
	case r.Skipped > 0:
		return "pass-skipped"
	case r.Total == 0:
		return "empty"
	}
	return "pass"
}

// runRecords runs the records until a halt. After a stop the rest is counted as skipped.
func (r *Runner) runRecords(recs []Record, res *FileResult, start time.Time) {
	stopped := false
	for i := range recs {
		rec := &recs[i]
		switch {
		case rec.Kind == Halt:
			return
		case rec.Prelude:
			r.attempt(rec) // a server that does not know the variable is not to blame here
		case !rec.Kind.Executable():
			if !stopped {
				r.steer(rec)
			}
		case r.left(rec, res):
		case !stopped && time.Since(start) > r.opt.FileTimeout:
			r.fail(res, rec, &Failure{Kind: "timeout", Detail: "the file's time limit ran out"})
			stopped = true
		case stopped || rec.Kind == System && !r.opt.System:
			res.Skipped++
		default:
			stopped = r.judge(rec, res, start)
		}
	}
}

// left tells whether labels or -ignore-stmt leave the record out; otherwise it is counted.
func (r *Runner) left(rec *Record, res *FileResult) bool {
	if r.skip(rec.Conds) {
		res.Guarded++
		return true
	}
	if ig := r.opt.Ignore; ig != nil && (rec.Kind == Statement || rec.Kind == Query) && ig.MatchString(rec.SQL) {
		res.Ignored++
		return true
	}
	res.Total++
	return false
}

// steer obeys a record that only changes how the next are run.
func (r *Runner) steer(rec *Record) {
	switch rec.Kind {
	case Sleep:
		r.pause(rec.Dur)
	case HashThreshold:
		fmt.Sscan(rec.Arg, &r.st.hashThreshold)
	case Control:
		switch rec.Ctl {
		case "substitution":
			r.st.substitute = rec.Arg == "on"
		case "sortmode":
			r.st.sort = rec.Arg
		case "resultmode":
			r.st.valueWise = rec.Arg == "valuewise"
		}
	}
}

func (r *Runner) pause(d time.Duration) { time.Sleep(time.Duration(float64(d) * r.opt.SleepScale)) }

// judge runs a record with its retries, counts the outcome, and tells whether the unit ends here.
func (r *Runner) judge(rec *Record, res *FileResult, start time.Time) (stop bool) {
	f := r.attempt(rec)
	for n := 1; f != nil && f.Kind != "timeout" && n < rec.Retries && time.Since(start) < r.opt.FileTimeout; n++ {
		r.pause(rec.Backoff)
		f = r.attempt(rec)
	}
	answer := rec.Kind == Query && len(rec.Rows) > 0
	if answer {
		res.Answers++
	}
	if f == nil {
		if answer {
			res.Answered++
		}
		res.Passed++
		return false
	}
	if f.Kind == "connection" {
		res.Lost++
	}
	r.fail(res, rec, f)
	return !r.opt.Continue || f.Kind == "restart" || f.Kind == "connection" && res.Lost > lostMax
}

func countExecutable(recs []Record) (n int) {
	for _, r := range recs {
		if r.Kind.Executable() && !r.Prelude {
			n++
		}
	}
	return n
}

func (r *Runner) fail(res *FileResult, rec *Record, f *Failure) {
	res.Failed++
	f.Line = rec.Line
	if p := r.opt.rel(rec.File); p != res.Path {
		f.File = p
	}
	f.SQL = clip(rec.SQL, 2000)
	f.Reason = f.Kind
	switch f.Kind {
	case "unexpected-error", "system", "let", "parse", "connection", "restart":
		f.Reason += ": " + NormalizeReason(f.Detail)
	case "no-error":
		f.Reason += ": wanted " + clip(NormalizeReason(rec.Err.String()), 90)
	}
	f.Detail = clip(f.Detail, 4000)
	res.Reasons = append(res.Reasons, f.Reason)
	if res.First == "" {
		res.First = f.Reason
	}
	if len(res.Failures) < r.opt.MaxDetail {
		res.Failures = append(res.Failures, *f)
	}
}

func diff(want, got []string) string {
	return "--- wanted\n" + clip(strings.Join(want, "\n"), 1800) + "\n+++ got\n" + clip(strings.Join(got, "\n"), 1800)
}
