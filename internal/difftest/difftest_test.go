package difftest

import (
	"context"
	"errors"
	"flag"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

var (
	seedFlag  = flag.Uint64("seed", 1, "the first seed")
	seedsFlag = flag.Int("seeds", 0, "how many seeds; 0: what each test needs")
)

// shrinkMax is the time to make a failing history smaller.
const shrinkMax = 20 * time.Second

// connect starts PostgreSQL and opens a connection for a test.
func connect(t *testing.T) *Oracle {
	t.Helper()
	pg := pgtest.Start(t, pgtest.Options{})
	o, err := Connect(t.Context(), pg.DSN())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close(context.Background()) })
	return o
}

func seeds(atLeast int) int {
	if *seedsFlag > 0 {
		return *seedsFlag
	}
	return atLeast
}

func TestViews(t *testing.T) {
	oracle := connect(t)
	count := NewCount()
	for i := range seeds(3) {
		seed := *seedFlag + uint64(i)
		start := time.Now()
		one(t, oracle, count, seed, everyday, Shape{Parallelism: 2, Vnodes: 16, Commit: time.Second})
		t.Logf("seed %d: %v", seed, time.Since(start))
	}
	t.Logf("%s", count)
}

func one(t *testing.T, oracle *Oracle, count *Count, seed uint64, plan Plan, shape Shape) {
	t.Helper()
	if err := oracle.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	subject, err := OpenSubject(shape)
	if err != nil {
		t.Fatal(err)
	}
	h, err := Run(t.Context(), &Pair{Oracle: oracle, Subject: subject, Count: count}, seed, plan)
	var f *Failure
	if errors.As(err, &f) {
		h, f = Shrink(t.Context(), h, f, Replayer(oracle, shape), shrinkMax)
		t.Errorf("seed %d, %v: %v\nrepeat it with: go test ./internal/difftest -run '^%s$' -seed %[1]d -seeds 1\nthe least of it that fails:\n%[5]s", seed, shape, f, t.Name(), h)
	} else if err != nil {
		t.Fatal(err)
	}
	if err := subject.Close(context.Background()); err != nil {
		t.Error(err)
	}
}
