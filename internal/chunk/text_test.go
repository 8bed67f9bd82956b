package chunk

import (
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/tidemark-db/tidemark/internal/types"
	"pgregory.net/rapid"
)

// TestNotation reads chunks and prints them: parse <type> <type> ...
func TestNotation(t *testing.T) {
	datadriven.RunTest(t, "testdata/notation", func(t *testing.T, d *datadriven.TestData) string {
		var ts []types.T
		for _, arg := range d.CmdArgs {
			typ, err := types.Lookup(strings.ReplaceAll(arg.Key, "_", " "))
			if err != nil {
				t.Fatal(err)
			}
			ts = append(ts, typ)
		}
		c, err := Parse(ts, d.Input)
		if err != nil {
			return "error: " + err.Error()
		}
		return Format(c)
	})
}

// Whatever the text is, it reads back as it was.
func TestNotationRoundTrip(t *testing.T) {
	ts := []types.T{types.Text, types.Int8}
	rapid.Check(t, func(r *rapid.T) {
		b := NewBuilder(ts, RowsMax)
		for range rapid.IntRange(1, 4).Draw(r, "rows") {
			row := types.Row{types.NewBytes(rapid.String().Draw(r, "text")), types.NewInt(rapid.Int64().Draw(r, "int"))}
			if rapid.Bool().Draw(r, "null") {
				row[0] = types.Null
			}
			b.Append(rapid.SampledFrom([]Op{Insert, Delete}).Draw(r, "op"), row)
		}
		want := b.Take()
		got, err := Parse(ts, Format(want))
		if err != nil {
			r.Fatal(err)
		}
		for i := range want.Rows() {
			if got.Op(i) != want.Op(i) || !slices.Equal(got.Row(i), want.Row(i)) {
				r.Fatalf("row %d: %v, want %v", i, got.Row(i), want.Row(i))
			}
		}
	})
}

// AppendFrom copies values and NULLs of every physical class.
func TestAppendFrom(t *testing.T) {
	ts := []types.T{types.Bool, types.Int4, types.Float8, types.Text}
	in, err := Parse(ts, "+ t 1 1.5 a\n- NULL 2 NULL NULL\n+ f NULL 2.5 c\n")
	if err != nil {
		t.Fatal(err)
	}
	b := NewBuilder(ts, 0)
	for _, i := range []int{2, 0, 1, 1} {
		b.AppendFrom(in.Op(i), in, i)
	}
	const want = "+ f NULL 2.5 c\n+ t 1 1.5 a\n- NULL 2 NULL NULL\n- NULL 2 NULL NULL\n"
	if got := Format(b.Take()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func FuzzParseChunk(f *testing.F) {
	f.Add("+ 1 a\n- 2 NULL\n")
	f.Add("+ NULL \"a b\"\n\n")
	f.Add("- 7 \"\\xff\\n\"")
	ts := []types.T{types.Int4, types.Text}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(ts, text)
		if err != nil {
			return
		}
		printed := Format(c)
		again, err := Parse(ts, printed)
		if err != nil {
			t.Fatalf("%q does not read back: %v", printed, err)
		}
		if got := Format(again); got != printed {
			t.Fatalf("%q reads back as %q", printed, got)
		}
	})
}
