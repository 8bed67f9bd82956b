package op

import (
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// shelf is a relation of a key and a value whose rows a test changes between barriers.
type shelf struct {
	t    *testing.T
	rows []string // "key value"
	open int
}

func (s *shelf) Lookup(values types.Row, emit func(*chunk.Chunk) error) error {
	for _, r := range s.rows {
		c, err := chunk.Parse(twoInts, "+ "+r)
		if err != nil {
			s.t.Fatal(err)
		}
		if c.Row(0)[0] == values[0] {
			if err := emit(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *shelf) Close() { s.open-- }

func lookupJoin(t *testing.T, s *shelf, outer bool) *LookupJoin {
	both := append(append([]types.T{}, twoInts...), twoInts...)
	return NewLookupJoin(LookupJoinConfig{Outer: outer, Right: twoInts, Keys: []int{0}, Ctx: &expr.Ctx{},
		Cond: operator(t, ">", col(both, 1), col(both, 3)),
		Open: func() (Lookups, error) { s.open++; return s, nil }})
}

// through feeds rows and returns what the barrier emits.
func through(t *testing.T, j *LookupJoin, rows string) string {
	t.Helper()
	if got := feed(t, j, twoInts, rows); got != "" {
		return got
	}
	var out stream.Collect
	if err := j.Barrier(stream.Barrier{}, &out); err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, c := range out.Chunks {
		b.WriteString(chunk.Format(c))
	}
	return b.String()
}

func TestLookupJoinMeetsWhatIsThereAtTheBarrier(t *testing.T) {
	s := &shelf{t: t, rows: []string{"1 5", "1 20", "2 5"}}
	left, inner := lookupJoin(t, s, true), lookupJoin(t, s, false)
	for _, c := range []struct {
		name        string
		in          string
		left, inner string
	}{
		{"several rows, one of which the condition refuses", "+ 1 10\n+ 1 30", "+ 1 10 1 5\n+ 1 30 1 5\n+ 1 30 1 20\n", "+ 1 10 1 5\n+ 1 30 1 5\n+ 1 30 1 20\n"},
		{"no match, none by the condition, no key", "+ 3 10\n+ 2 1\n+ NULL 9\n+ 2 6",
			"+ 2 6 2 5\n+ 3 10 NULL NULL\n+ 2 1 NULL NULL\n+ NULL 9 NULL NULL\n", "+ 2 6 2 5\n"},
		{"nothing came", "", "", ""},
	} {
		if got := through(t, left, c.in); got != c.left {
			t.Errorf("%s: left join\n%swant\n%s", c.name, got, c.left)
		}
		if got := through(t, inner, c.in); got != c.inner {
			t.Errorf("%s: inner join\n%swant\n%s", c.name, got, c.inner)
		}
	}
	s.rows = nil
	if got := through(t, left, ""); got != "" {
		t.Errorf("rows that went change what was emitted: %s", got)
	}
	if got, want := through(t, left, "+ 1 10"), "+ 1 10 NULL NULL\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
	if s.open != 0 {
		t.Errorf("%d views were left open", s.open)
	}
}

func TestLookupJoinRefusesWhatIsTakenBack(t *testing.T) {
	if got := through(t, lookupJoin(t, &shelf{t: t}, true), "- 1 10"); !strings.Contains(got, "taken back") {
		t.Errorf("got %q", got)
	}
}
