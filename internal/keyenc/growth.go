package keyenc

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/types"
)

// Growth is how stored rows may differ from the columns of their relation, because columns were added when rows were there
// already. A row that ends early goes on with the values that the columns were added with. A row that goes on behind the
// last column was written after one was added that the reader does not know yet; it does not look there.
type Growth struct {
	Added [][]byte // the encoded initial values of the last columns
}

// rest returns what a row of width columns that ends before column i goes on with; nil when it may not end there.
func (g *Growth) rest(i, width int) []byte {
	if g == nil || i < width-len(g.Added) {
		return nil
	}
	var b []byte
	for _, v := range g.Added[i-(width-len(g.Added)):] {
		b = append(b, v...)
	}
	return b
}

// Initial is the encoded value of column i of width in rows that were there before it.
func (g *Growth) Initial(i, width int) []byte {
	if at := i - (width - len(g.Added)); at >= 0 {
		return g.Added[at]
	}
	return nil // which no decoder takes
}

// open reports whether rows may be longer.
func (g *Growth) open() bool { return g != nil }

// Whole returns a compact row of the types with the values of all columns.
func (g *Growth) Whole(ts []types.T, b []byte) []byte {
	if g == nil || len(g.Added) == 0 {
		return b
	}
	at := b
	for i, t := range ts {
		if len(at) == 0 {
			return append(b[:len(b):len(b)], g.rest(i, len(ts))...)
		}
		n := valueSize(t.Phys(), at)
		if n <= 0 {
			return b // the reader of the row reports it
		}
		at = at[n:]
	}
	return b
}

// Trim returns a compact row without the values at its end that it would go on with: one form of what is one row.
func (g *Growth) Trim(ts []types.T, b []byte) []byte {
	if g == nil || len(g.Added) == 0 {
		return b
	}
	first := len(ts) - len(g.Added)
	at, end := b, 0
	for i, t := range ts {
		if len(at) == 0 {
			break
		}
		n := valueSize(t.Phys(), at)
		if n <= 0 || n > len(at) {
			return b // the reader of the row reports it
		}
		if i < first || !bytes.Equal(at[:n], g.Added[i-first]) {
			end = len(b) - len(at) + n
		}
		at = at[n:]
	}
	if len(at) != 0 {
		return b
	}
	return b[:end]
}
