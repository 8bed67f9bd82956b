package sim

import (
	"flag"
	"fmt"
	"strings"
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

func TestSeeds(t *testing.T) {
	if *seedFlag >= 0 {
		report := run(t, uint64(*seedFlag))
		t.Log(strings.Join(report.Tail, "\n"))
		return
	}
	total := map[string]int{}
	for seed := *fromFlag; seed < *fromFlag+*seedsFlag; seed++ {
		report := run(t, seed)
		for what, n := range report.Counts {
			total[what] += n
		}
		if seed%repeatEvery == 0 {
			if again := run(t, seed); again.Digest != report.Digest {
				t.Fatalf("two runs of seed %d differ: go test ./internal/sim -run TestSeeds -seed %d", seed, seed)
			}
		}
	}
	t.Logf("%d seeds: %v", *seedsFlag, total)
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
		t.Fatalf("%v\n%s\ngo test ./internal/sim -run TestSeeds -seed %d", err, strings.Join(report.Tail, "\n"), seed)
	}
	return report
}
