package sim

import (
	"fmt"
	"maps"
	"strconv"
)

// tailLines is how much of a trace is kept to be printed.
const tailLines = 60

// trace records what happened: all of it in a digest, the end of it in words.
type trace struct {
	digest uint64
	counts map[string]int
	tail   [tailLines]string // the last ones, in a circle
	lines  int
	line   []byte // the one being made
	log    func(string)
}

func newTrace(log func(string)) *trace { return &trace{counts: map[string]int{}, log: log} }

// add records an event; what names its kind.
func (t *trace) add(step int, what, format string, args ...any) {
	t.line = strconv.AppendInt(t.line[:0], int64(step), 10)
	t.line = append(append(append(t.line, ' '), what...), ' ')
	t.line = fmt.Appendf(t.line, format, args...)
	line := string(t.line)
	if t.log != nil {
		t.log(line)
	}
	for i := range len(line) {
		t.digest = (t.digest ^ uint64(line[i])) * fnvPrime
	}
	t.digest *= fnvPrime
	t.counts[what]++
	t.tail[t.lines%tailLines] = line
	t.lines++
}

// fnvPrime is that of FNV-1a with 64 bits.
const fnvPrime = 1099511628211

func (t *trace) report() *Report {
	r := &Report{Counts: maps.Clone(t.counts), Digest: t.digest}
	for i := max(0, t.lines-tailLines); i < t.lines; i++ {
		r.Tail = append(r.Tail, t.tail[i%tailLines])
	}
	return r
}
