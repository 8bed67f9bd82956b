package job

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/epoch"
)

// TestLifecycle runs the scripts of testdata/lifecycle. A set is told facts, and asked what is next:
//
//	is running pinned=10 pinned-at=0s no-scanned      facts; no- takes one back
//	next at=100ms [upstreams=detached] [visible=9]    what to do, until when nothing changes by itself
//	fail at=1s reason                                 a failure
//	undo at=1s                                        an attach that took too long
//	resume                                            ALTER JOB ... RESUME
func TestLifecycle(t *testing.T) {
	datadriven.Walk(t, "testdata/lifecycle", func(t *testing.T, path string) {
		s := &Set{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "new":
				s = &Set{}
			case "is":
				tell(t, d, s)
			case "next":
				return next(t, d, s)
			case "fail":
				s.Fail(at(t, d, "at"), d.CmdArgs[len(d.CmdArgs)-1].Key)
				return fmt.Sprintf("failures=%d %s\n", s.Failures, s.State(true))
			case "undo":
				s.Undo(at(t, d, "at"))
				return fmt.Sprintf("undone=%d patience=%v\n", s.Undone, s.Patience())
			case "resume":
				s.Resume()
				return fmt.Sprintf("failures=%d %s\n", s.Failures, s.State(true))
			default:
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			return ""
		})
	})
}

// start is the moment that scripts count from.
var start = time.Unix(1_000_000, 0)

func at(t *testing.T, d *datadriven.TestData, name string) time.Time {
	var text string
	d.ScanArgs(t, name, &text)
	return moment(t, d, text)
}

func moment(t *testing.T, d *datadriven.TestData, text string) time.Time {
	ago, err := time.ParseDuration(text)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return start.Add(ago)
}

func tell(t *testing.T, d *datadriven.TestData, s *Set) {
	flags := map[string]*bool{"scanned": &s.Scanned, "idle": &s.Idle, "in-step": &s.InStep, "replayed": &s.Replayed,
		"attaching": &s.Attaching, "paused": &s.Paused, "lagged-out": &s.LaggedOut, "running": &s.Running,
		"outgrown": &s.Outgrown, "settled": &s.Settled, "pressed": &s.Pressed, "held": &s.Held, "told": &s.Told, "arranged": &s.Arranged, "slows": &s.Slows}
	numbers := map[string]*int64{"rows": &s.Rows, "bytes": &s.Bytes, "bytes-max": &s.BytesMax}
	times := map[string]*time.Time{"pinned-at": &s.PinnedAt, "step-at": &s.StepAt, "paid-at": &s.PaidAt}
	for _, a := range d.CmdArgs {
		name, no := strings.CutPrefix(a.Key, "no-")
		switch {
		case flags[name] != nil:
			*flags[name] = !no
		case times[name] != nil:
			*times[name] = moment(t, d, a.Vals[0])
		case numbers[name] != nil:
			a.Scan(t, 0, numbers[name])
		case name == "replays":
			a.Scan(t, 0, &s.Replays)
		case name == "window":
			s.Window = moment(t, d, a.Vals[0]).Sub(start)
		case name == "before":
			s.Before = moment(t, d, a.Vals[0]).Sub(start)
		case name == "pinned" || name == "first" || name == "as-of":
			var e uint64
			a.Scan(t, 0, &e)
			*map[string]*epoch.Epoch{"pinned": &s.Pinned, "first": &s.First, "as-of": &s.AsOf}[name] = epoch.Epoch(e)
		default:
			d.Fatalf(t, "unknown fact %q", a.Key)
		}
	}
}

func next(t *testing.T, d *datadriven.TestData, s *Set) string {
	upstreams, visible := true, uint64(1000)
	for _, a := range d.CmdArgs {
		if a.Key == "upstreams" {
			upstreams = a.Vals[0] != "detached"
		}
	}
	d.MaybeScanArgs(t, "visible", &visible)
	action, until := s.Next(at(t, d, "at"), epoch.Epoch(visible), upstreams)
	name := [...]string{"wait", "start", "pin", "step", "replay", "attach", "halt"}[action]
	if !until.IsZero() {
		name += " until=" + until.Sub(start).String()
	}
	return fmt.Sprintf("%-20s %s\n", name, s.State(upstreams))
}
