package difftest

import (
	"context"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// shapes takes databases of several shapes through the same histories: the answers must be the same.
func shapes(t *testing.T, pg *pgtest.Server) {
	seeds := 3
	if *seedsFlag > 0 {
		seeds = *seedsFlag
	}
	oracle := connect(t, pg, "shapes")
	count := NewCount()
	for i := range seeds {
		sameInAllShapes(t, oracle, *seedFlag+uint64(i), count)
	}
	t.Logf("%s", count)
}

func sameInAllShapes(t *testing.T, oracle *Postgres, seed uint64, count *Count) {
	plan := Plan{Tables: 2, Batches: [3]int{5, 5, 0}, Rounds: 3}
	base := Shape{Parallelism: 1, Vnodes: 64, Commit: time.Second}
	subject, err := begin(t.Context(), oracle, base)
	if err != nil {
		t.Fatal(err)
	}
	tape := Record(oracle)
	h, err := Run(t.Context(), &Pair{Oracle: tape, Subject: subject, Count: count}, seed, plan)
	report(t, oracle, seed, base, h, err)
	if err := subject.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if err != nil {
		return
	}
	for _, parallel := range []int{1, 2, 4} {
		for _, vnodes := range []int{1, 16} {
			shape := Shape{Parallelism: parallel, Vnodes: vnodes, Commit: 20 * time.Millisecond, Background: vnodes == 16}
			inShape(t, oracle, tape.Play(), seed, shape, h, count)
		}
	}
}

// inShape takes a database of a shape through a history; the oracle is asked again only to make a failure smaller.
func inShape(t *testing.T, oracle *Postgres, tape *Tape, seed uint64, shape Shape, h History, count *Count) {
	subject, err := OpenSubject(shape)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Follow(t.Context(), &Pair{Oracle: tape, Subject: subject, Count: count}, h)
	if f != nil {
		err = f
	}
	report(t, oracle, seed, shape, h, err)
	if err := subject.Close(context.Background()); err != nil {
		t.Error(err)
	}
}
