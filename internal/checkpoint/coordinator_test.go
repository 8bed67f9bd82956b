package checkpoint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// TestCoordinator runs the conversations of testdata/coordinator: one event a stanza, its effects as golden output.
func TestCoordinator(t *testing.T) {
	datadriven.Walk(t, "testdata/coordinator", func(t *testing.T, path string) {
		var c *Coordinator
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "new" {
				c = New(9, 10)
				return ""
			}
			c.Step(event(t, d))
			var out strings.Builder
			for _, e := range c.Ready() {
				fmt.Fprintln(&out, e)
			}
			if out.Len() == 0 {
				return "(nothing)\n"
			}
			return out.String()
		})
	})
}

// event parses a command such as `ack job=2 attempt=1 epoch=10`.
func event(t *testing.T, d *datadriven.TestData) Event {
	var set, actors, until, asOf, e int
	var jobs, attempt int = 0, 1
	var ups []int
	for name, dst := range map[string]*int{"job": &jobs, "attempt": &attempt, "set": &set, "actors": &actors, "until": &until, "as-of": &asOf, "epoch": &e} {
		d.MaybeScanArgs(t, name, dst)
	}
	var apart []int
	for _, s := range d.CmdArgs {
		for name, dst := range map[string]*[]int{"ups": &ups, "apart": &apart} {
			for i := range s.Vals {
				if s.Key == name {
					*dst = append(*dst, 0)
					s.Scan(t, i, &(*dst)[i])
				}
			}
		}
	}
	switch d.Cmd {
	case "add":
		ev := AddJob{Job: id.Job(jobs), Attempt: id.Attempt(attempt), Actors: max(actors, 1), Detached: d.HasArg("detached"), Fresh: d.HasArg("fresh"), AsOf: epoch.Epoch(asOf), Replays: d.HasArg("replays")}
		for _, u := range ups {
			ev.Ups = append(ev.Ups, id.Job(u))
		}
		for _, a := range apart {
			ev.Apart = append(ev.Apart, id.Job(a))
		}
		return ev
	case "rewired":
		r := Rewired{Job: id.Job(jobs)}
		for _, u := range ups {
			r.Ups = append(r.Ups, id.Job(u))
		}
		return r
	case "drop":
		return DropJob{id.Job(jobs)}
	case "tick":
		return Tick{}
	case "step":
		return SetStep{SetID(set), epoch.Epoch(until)}
	case "attach":
		return Attach{SetID(set)}
	case "ack":
		return Ack{id.Job(jobs), id.Attempt(attempt), epoch.Epoch(e)}
	case "fail":
		return Failed{id.Job(jobs), id.Attempt(attempt)}
	case "restarted":
		r := Restarted{Set: SetID(set), Attempts: map[id.Job]id.Attempt{}, Actors: map[id.Job]int{}}
		for _, u := range ups {
			r.Attempts[id.Job(u)], r.Actors[id.Job(u)] = id.Attempt(attempt), 1
		}
		return r
	case "replaced":
		return Replaced{id.Job(jobs), id.Attempt(attempt), max(actors, 1)}
	case "commit":
		return CommitDue{}
	case "committed":
		return Committed{epoch.Epoch(e)}
	}
	d.Fatalf(t, "unknown command %q", d.Cmd)
	return nil
}
