package types

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// bounds reads what may precede an array: [0:2][1:4]=, where [4] is [1:4]. Without it the result is nil.
func (p *arrayParser) bounds() ([]Dim, error) {
	var dims []Dim
	for p.skip(); p.peek() == '['; p.skip() {
		p.pos++
		d, err := p.dim()
		if err != nil {
			return nil, err
		}
		if dims = append(dims, d); len(dims) > binaryDimsMax {
			return nil, errs.ArraySubscript.New("problem", fmt.Sprintf("number of array dimensions (%d) exceeds the maximum allowed (%d)", len(dims), binaryDimsMax))
		}
	}
	if dims == nil {
		return nil, nil
	}
	if p.peek() != '=' {
		return nil, p.malformed("Missing \"=\" after array dimensions.")
	}
	p.pos++
	p.skip()
	return dims, nil
}

// dim reads a dimension up to its bracket.
func (p *arrayParser) dim() (Dim, error) {
	lower, upper := int64(1), int64(0)
	first, ok := p.bound()
	if !ok {
		return Dim{}, p.malformed("\"[\" must introduce explicitly-specified array dimensions.")
	}
	if upper = first; p.peek() == ':' {
		p.pos++
		lower = first
		if upper, ok = p.bound(); !ok {
			return Dim{}, p.malformed("Missing array dimension value.")
		}
	}
	if p.peek() != ']' {
		return Dim{}, p.malformed("Missing \"]\" after array dimensions.")
	}
	p.pos++
	switch {
	case lower < math.MinInt32 || lower > math.MaxInt32 || upper < math.MinInt32 || upper > math.MaxInt32:
		return Dim{}, errs.ArrayBound.New()
	case upper < lower:
		return Dim{}, errs.ArraySubscript.New("problem", "upper bound cannot be less than lower bound")
	}
	d := Dim{Lower: lower, Len: int(upper - lower + 1)}
	return d, d.Check()
}

// bound reads a number with a sign.
func (p *arrayParser) bound() (int64, bool) {
	rest := p.in[p.pos:]
	digits := len(rest) - len(strings.TrimLeft(strings.TrimLeft(rest, "+-"), "0123456789"))
	v, err := strconv.ParseInt(rest[:digits], 10, 64)
	if err != nil {
		return 0, false
	}
	p.pos += digits
	return v, true
}

// bounded gives the array the bounds that precede it, which must fit what it holds.
func (p *arrayParser) bounded(t T, d Datum, declared []Dim) (Datum, error) {
	held := ArrayDims(t, d.str)
	lower := make([]int64, len(declared))
	fits := len(held) == len(declared)
	for i, dim := range declared {
		fits = fits && held[i].Len == dim.Len
		lower[i] = dim.Lower
	}
	if !fits {
		return Null, p.malformed("Specified array dimensions do not match array contents.")
	}
	return WithBounds(t, d, lower), nil
}
