package script

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/chunk"
)

// RunScript runs the golden script of an operator.
//
//	op ...                 build makes the operator from the command's arguments; a new world begins
//	input [port=N]         the rows of the command's text
//	barrier [now=HH:MM]    prints what the epoch emitted, sorted
//	barrier hold           the same, and results may be held back
//	crash                  back to the last barrier
//	rescale n=N            the same, with N instances
//	rows [table=N]         how many rows a state table has
//	bounded                prints what a query over all input so far emits
func RunScript(t *testing.T, path string, build func(d *datadriven.TestData) Spec) {
	t.Helper()
	r := &runner{build: build}
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		out, err := r.run(d)
		if err != nil {
			return "error: " + err.Error() + "\n"
		}
		return out
	})
	r.end()
}

type runner struct {
	build   func(d *datadriven.TestData) Spec
	world   *World
	past    [][]*chunk.Chunk // by port, of past epochs
	current [][]*chunk.Chunk
}

func (r *runner) end() {
	if r.world != nil {
		r.world.Close()
	}
}

func (r *runner) run(d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "op":
		return "", r.begin(r.build(d))
	case "input":
		return "", r.input(number(d, "port", 0), d.Input)
	case "barrier":
		if d.HasArg("now") {
			var text string
			d.ScanArgs(&testing.T{}, "now", &text)
			now, err := time.Parse("2006-01-02 15:04", "2026-01-01 "+text)
			if err != nil {
				return "", err
			}
			r.world.Time = now
		}
		r.world.Hold = d.HasArg("hold")
		out, err := r.world.Barrier()
		r.keep()
		return print(out), err
	case "crash":
		clear(r.current)
		return "", r.world.Crash()
	case "rescale":
		clear(r.current)
		return "", r.world.Rescale(number(d, "n", 1))
	case "rows":
		n, err := r.world.Rows(number(d, "table", 0))
		return fmt.Sprintln(n), err
	case "bounded":
		out, err := Bounded(r.world.Spec, r.past)
		return print(out), err
	}
	return "", fmt.Errorf("unknown command %s", d.Cmd)
}

func (r *runner) begin(s Spec) (err error) {
	r.end()
	r.past, r.current = make([][]*chunk.Chunk, len(s.Ports)), make([][]*chunk.Chunk, len(s.Ports))
	r.world, err = NewWorld(s, 1)
	return err
}

func (r *runner) input(port int, text string) error {
	c, err := chunk.Parse(r.world.Ports[port].Types, text)
	if err != nil {
		return err
	}
	r.current[port] = append(r.current[port], c)
	return r.world.Input(port, c)
}

func (r *runner) keep() {
	for p, cs := range r.current {
		r.past[p] = append(r.past[p], cs...)
	}
	clear(r.current)
}

func number(d *datadriven.TestData, key string, otherwise int) int {
	if !d.HasArg(key) {
		return otherwise
	}
	var text string
	d.ScanArgs(&testing.T{}, key, &text)
	n, err := strconv.Atoi(text)
	if err != nil {
		return otherwise
	}
	return n
}
