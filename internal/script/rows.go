package script

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Bag is a multiset of printed rows.
type Bag map[string]int

// Add sums the changes of a chunk.
func (b Bag) Add(c *chunk.Chunk) {
	for i := range c.Rows() {
		row := chunk.FormatRow(c.Cols, i)
		if b[row] += int(c.Op(i)); b[row] == 0 {
			delete(b, row)
		}
	}
}

// AddRow adds n copies of a row.
func (b Bag) AddRow(ts []types.T, row types.Row, n int) {
	var text strings.Builder
	for i, d := range row {
		text.WriteString(" " + chunk.FormatValue(ts[i], d))
	}
	if b[text.String()] += n; b[text.String()] == 0 {
		delete(b, text.String())
	}
}

// Diff prints what differs from another bag, "" when nothing does.
func (b Bag) Diff(want Bag) string {
	var lines []string
	for row, n := range b {
		if n != want[row] {
			lines = append(lines, fmt.Sprintf("%s: %d times, want %d", row, n, want[row]))
		}
	}
	for row, n := range want {
		if b[row] == 0 {
			lines = append(lines, fmt.Sprintf("%s: missing, want %d", row, n))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// print lists the changes of chunks in the notation of chunks, sorted, so that the order in which an operator emits
// within an epoch does not matter.
func print(chunks []*chunk.Chunk) string {
	var lines []string
	for _, c := range chunks {
		for line := range strings.Lines(chunk.Format(c)) {
			lines = append(lines, line)
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[1:]+a[:1], b[1:]+b[:1]) })
	return strings.Join(lines, "")
}
