package difftest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

var (
	seedFlag   = flag.Uint64("seed", 1, "the first seed")
	seedsFlag  = flag.Int("seeds", 0, "how many seeds; 0: what each test needs")
	roundsFlag = flag.Int("rounds", everyday.Rounds, "changes after each batch of views; more of them are more comparisons of each view")
)

// TestAgainstPostgres shares one PostgreSQL among all comparisons.
func TestAgainstPostgres(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{})
	t.Run("regress", func(t *testing.T) { regress(t, connect(t, pg, "regress")) })
	t.Run("templates", func(t *testing.T) { everyTemplate(t, pg) })
	t.Run("views", func(t *testing.T) { views(t, pg) })
	t.Run("large", func(t *testing.T) { large(t, pg) })
	t.Run("crashes", func(t *testing.T) { crashes(t, pg) })
	t.Run("shapes", func(t *testing.T) { shapes(t, pg) })
}

// connect opens a connection for a test.
func connect(t *testing.T, pg *pgtest.Server, schema string) *Postgres {
	t.Helper()
	o, err := Connect(t.Context(), pg.DSN(), schema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close(context.Background()) })
	return o
}

// views is the usual comparison. Its distribution is part of the promise.
func views(t *testing.T, pg *pgtest.Server) {
	plan := everyday
	plan.Rounds = *roundsFlag
	count := run(t, pg, 44, plan, func(seed uint64) Shape {
		return Shape{Parallelism: 1 + int(seed%2), Vnodes: 16, Commit: time.Second, Background: seed%3 == 0}
	})
	if *seedsFlag > 0 {
		return
	}
	if count.Comparisons < 3000 || count.Distinct() < 1000 {
		t.Errorf("%d comparisons over %d distinct views are too few", count.Comparisons, count.Distinct())
	}
	for i := range asserted {
		if count.FeatureShare(i) < 5 {
			t.Errorf("only %.1f %% of the views have %s", count.FeatureShare(i), featureNames[i])
		}
	}
	if count.NonEmptyShare() < 60 {
		t.Errorf("only %.1f %% of the comparisons after a retraction had rows", count.NonEmptyShare())
	}
}

// large has tables of several chunks, so that catching up takes more than a moment and a change may come in the middle.
func large(t *testing.T, pg *pgtest.Server) {
	plan := Plan{Tables: 2, Batches: [3]int{2, 4, 4}, Rounds: 2, Rows: 3000}
	run(t, pg, 4, plan, func(seed uint64) Shape {
		return Shape{Parallelism: 2, Vnodes: 8, Commit: 100 * time.Millisecond, Background: seed%2 == 0}
	})
}

// crashes kills the database under test between any two statements and within them.
func crashes(t *testing.T, pg *pgtest.Server) {
	plan := Plan{Tables: 2, Batches: [3]int{4, 4, 2}, Rounds: 4, Crashes: true}
	count := run(t, pg, 9, plan, func(seed uint64) Shape {
		commit := []time.Duration{10 * time.Millisecond, 50 * time.Millisecond, 10 * time.Minute}[seed%3]
		return Shape{Parallelism: 1 + int(seed%2), Vnodes: 8, Commit: commit, Background: seed%4 < 2}
	})
	if *seedsFlag == 0 && count.Crashes < 100 {
		t.Errorf("%d crashes are too few", count.Crashes)
	}
}

// workers is how many histories are under way at once: most of their time is waiting for each other's barriers.
const workers = 3

// progressEvery is how many histories a long run goes without a word.
const progressEvery = 20

// shrinkMax is the time to make a failing history smaller.
const shrinkMax = 20 * time.Second

// run makes a history of each seed and reports the failures and the distribution.
func run(t *testing.T, pg *pgtest.Server, seeds int, plan Plan, shape func(seed uint64) Shape) *Count {
	if *seedsFlag > 0 {
		seeds = *seedsFlag
	}
	next := make(chan uint64)
	var all sync.WaitGroup
	var sum struct {
		sync.Mutex
		*Count
	}
	sum.Count = NewCount()
	for i := range workers {
		oracle := connect(t, pg, fmt.Sprintf("worker%d", i))
		all.Go(func() {
			for seed := range next {
				count := one(t, oracle, seed, plan, shape(seed))
				sum.Lock()
				if sum.Add(count); sum.Histories%progressEvery == 0 {
					t.Logf("after %d histories: %d comparisons", sum.Histories, sum.Comparisons)
				}
				sum.Unlock()
			}
		})
	}
	for i := range seeds {
		next <- *seedFlag + uint64(i)
	}
	close(next)
	all.Wait()
	t.Logf("%s", sum.Count)
	if sum.RefusedShare() >= 5 {
		t.Errorf("%.1f %% of the views were refused", sum.RefusedShare())
	}
	return sum.Count
}

// one makes the history of a seed. A failure is reported with the least that shows it.
func one(t *testing.T, oracle *Postgres, seed uint64, plan Plan, shape Shape) *Count {
	count := NewCount()
	subject, err := begin(t.Context(), oracle, shape)
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return count
	}
	h, err := Run(t.Context(), &Pair{Oracle: oracle, Subject: subject, Count: count}, seed, plan)
	report(t, oracle, seed, shape, h, err)
	if err := subject.Close(context.Background()); err != nil {
		t.Errorf("seed %d, %v: close: %v", seed, shape, err)
	}
	return count
}

// begin opens two empty databases.
func begin(ctx context.Context, oracle *Postgres, shape Shape) (*Subject, error) {
	if err := oracle.Reset(ctx); err != nil {
		return nil, err
	}
	return OpenSubject(shape)
}

func report(t *testing.T, oracle *Postgres, seed uint64, shape Shape, h History, err error) {
	var f *Failure
	if errors.As(err, &f) {
		h, f = Shrink(t.Context(), h, f, Replayer(oracle, shape), shrinkMax)
		t.Errorf("seed %d, %v: %v\nrepeat it with: go test ./internal/difftest -run '%s' -seed %[1]d -seeds 1 -rounds %[5]d\nthe least of it that fails:\n%[6]s", seed, shape, f, t.Name(), *roundsFlag, h)
	} else if err != nil {
		t.Errorf("seed %d, %v: %v", seed, shape, err)
	}
}
