package pgcdc

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TestCopied reads rows as COPY writes them, however the bytes are cut.
func TestCopied(t *testing.T) {
	c := &connector.Capture{Table: "public.t", Columns: []connector.Column{{Name: "a", Type: types.Int4}, {Name: "b", Type: types.Text}}}
	long := strings.Repeat("longer than most ", 3)
	text := "1\tplain\n-2\t\\N\n\\N\t\n3\ta\\tb\\nc\\\\N\\r\\b\\f\\v\n4\t\\\\.\n5\t" + long + "\n6\t" + long + "\\\\\n" + "+" + strings.Repeat("0", shortValue) + "7\t\n"
	want := []types.Row{{types.NewInt(1), types.NewBytes("plain")}, {types.NewInt(-2), types.Null}, {types.Null, types.NewBytes("")},
		{types.NewInt(3), types.NewBytes("a\tb\nc\\N\r\b\f\v")}, {types.NewInt(4), types.NewBytes("\\.")},
		{types.NewInt(5), types.NewBytes(long)}, {types.NewInt(6), types.NewBytes(long + "\\")}, {types.NewInt(7), types.NewBytes("")}}
	for cut := 1; cut <= len(text); cut++ {
		var rows []types.Row
		w := &copied{capture: c, each: func(r types.Row) error { rows = append(rows, slices.Clone(r)); return nil }}
		for part := range slices.Chunk([]byte(text), cut) {
			if _, err := w.Write(part); err != nil {
				t.Fatalf("cut %d: %v", cut, err)
			}
		}
		if !slices.EqualFunc(rows, want, slices.Equal[types.Row]) {
			t.Fatalf("cut %d: %v", cut, rows)
		}
	}
	for text, entry := range map[string]*errs.Entry{"1\n": errs.StreamCorrupt, "1\t2\t3\n": errs.StreamCorrupt, "x\ty\n": errs.CapturedValue} {
		w := &copied{capture: c, each: func(types.Row) error { return nil }}
		if _, err := w.Write([]byte(text)); !errs.Of(err, entry) || w.err == nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
