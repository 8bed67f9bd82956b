package sim

import (
	"fmt"
	"hash/fnv"
	"maps"
)

// tailLines is how much of a trace is kept to be printed.
const tailLines = 60

// trace records what happened: all of it in a digest, the end of it in words.
type trace struct {
	digest uint64
	counts map[string]int
	tail   []string
	log    func(string)
}

func newTrace(log func(string)) *trace { return &trace{counts: map[string]int{}, log: log} }

// add records an event; what names its kind.
func (t *trace) add(step int, what, format string, args ...any) {
	line := fmt.Sprintf("%d %s ", step, what) + fmt.Sprintf(format, args...)
	if t.log != nil {
		t.log(line)
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%x %s", t.digest, line)
	t.digest = h.Sum64()
	t.counts[what]++
	if len(t.tail) == tailLines {
		t.tail = t.tail[1:]
	}
	t.tail = append(t.tail, line)
}

func (t *trace) report() *Report {
	return &Report{Counts: maps.Clone(t.counts), Digest: t.digest, Tail: t.tail}
}
