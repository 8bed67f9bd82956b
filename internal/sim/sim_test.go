package sim

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

var (
	seedsFlag = flag.Uint64("seeds", 300, "how many seeds to run")
	fromFlag  = flag.Uint64("from", 0, "the first of them")
	printFlag = flag.Bool("print", false, "print all that happens")
	seedFlag  = flag.Int64("seed", -1, "run this seed only, and print its trace")
)

// repeatEvery: one of so many seeds is run twice, and the traces compared.
const repeatEvery = 100

// heapGrowth is how far the heap may grow between two collections: a run has little that lives, and makes much that dies.
const heapGrowth = 800

func TestSeeds(t *testing.T) {
	if *seedFlag >= 0 {
		report := run(t, uint64(*seedFlag))
		t.Log(strings.Join(report.Tail, "\n"))
		return
	}
	defer debug.SetGCPercent(debug.SetGCPercent(heapGrowth))
	var workers sync.WaitGroup
	var next atomic.Uint64
	totals := make([]map[string]int, runtime.GOMAXPROCS(0))
	for i := range totals {
		totals[i] = map[string]int{}
		workers.Go(func() {
			for n := next.Add(1) - 1; n < *seedsFlag && !t.Failed(); n = next.Add(1) - 1 {
				try(t, *fromFlag+n, totals[i])
			}
		})
	}
	workers.Wait()
	for _, other := range totals[1:] {
		count(totals[0], other)
	}
	t.Logf("%d seeds: %v", *seedsFlag, totals[0])
}

// TestPastSeeds runs seeds that have found something which no script of testdata/regress repeats.
func TestPastSeeds(t *testing.T) {
	for seed, found := range map[uint64]string{
		210244: "a set that lagged out took another with it, whose turn came after it was gone",
		213122: "the last reader of an outgrown table was gone, and no barrier came at which it could change hands",
		302211: "the oracle took what a replaced view had read for what has that name now",
	} {
		t.Run(found, func(t *testing.T) { run(t, seed) })
	}
}

// try runs a seed, some of them twice, and adds to what the runs have done.
func try(t *testing.T, seed uint64, total map[string]int) {
	report := run(t, seed)
	count(total, report.Counts)
	if seed%repeatEvery > 0 || t.Failed() {
		return
	}
	if again := run(t, seed); again.Digest != report.Digest {
		t.Errorf("two runs of seed %d differ: go test ./internal/sim -run TestSeeds -seed %d", seed, seed)
	}
}

func count(total, more map[string]int) {
	for what, n := range more {
		total[what] += n
	}
}

// run simulates a seed and tells how to repeat it when it fails.
func run(t *testing.T, seed uint64) *Report {
	t.Helper()
	var o Options
	if *printFlag {
		o.Log = func(line string) { fmt.Println(line) }
	}
	report, err := Run(seed, o)
	if err != nil {
		t.Errorf("%v\n%s\ngo test ./internal/sim -run TestSeeds -seed %d", err, strings.Join(report.Tail, "\n"), seed)
	}
	return report
}
