package pgwire

import (
	"io"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// wideChunk has rows of about 1 KB: numbers, a date and text.
func wideChunk(rows int) ([]Column, *chunk.Chunk) {
	ts := []types.T{types.Int8, types.Int4, types.Timestamptz, types.Float8, types.Text, types.Text}
	cols := make([]Column, len(ts))
	for i, t := range ts {
		cols[i] = Column{Name: "c", Type: t}
	}
	b := chunk.NewBuilder(ts, rows)
	for i := range int64(rows) {
		b.Append(chunk.Insert, types.Row{
			types.NewInt(i * 1_000_003), types.NewInt(i), types.NewInt(i * 1_000_000_000), types.NewFloat(float64(i) / 8),
			types.NewBytes(strings.Repeat("x", 480)), types.NewBytes(strings.Repeat("y", 480)),
		})
	}
	return cols, b.Take()
}

func BenchmarkDataRow(b *testing.B) {
	cols, ch := wideChunk(chunk.RowsMax)
	for _, format := range []struct {
		name  string
		codes []int16
	}{{"text", nil}, {"binary", []int16{formatBinary}}} {
		b.Run(format.name, func(b *testing.B) {
			c := &connection{out: outbox{w: io.Discard}}
			e := newRowEncoder(cols, format.codes, types.Ctx{})
			b.SetBytes(int64(len(e.append(nil, ch, 0)) * ch.Rows()))
			b.ReportAllocs()
			for b.Loop() {
				if err := c.sendRows(e, ch, 0, ch.Rows()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Nothing is allocated per row.
func TestDataRowAllocations(t *testing.T) {
	cols, ch := wideChunk(64)
	c := &connection{out: outbox{w: io.Discard}}
	e := newRowEncoder(cols, nil, types.Ctx{})
	send := func() { _ = c.sendRows(e, ch, 0, ch.Rows()) }
	for range 3 {
		send() // grows the buffer
	}
	if n := testing.AllocsPerRun(20, send); n > 1 {
		t.Fatalf("%.0f allocations for 64 rows", n)
	}
}
