package op

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
)

// spellings counts, for rows that are equal, in which forms they are there: numeric 1.0 and 1.00 are one group, and it
// must not be printed as 1.00 when that row has gone. The form that stands for all is the greatest one as bytes, so that
// it depends on the rows that are there alone, not on the order in which they came.
type spellings struct {
	forms *state.Multimap // by slot
	buf   []byte
}

// newSpellings returns nil for columns whose values have one form each.
func newSpellings(ts []types.T) *spellings {
	if !slices.ContainsFunc(ts, func(t types.T) bool { return !t.Exact() }) {
		return nil
	}
	return &spellings{forms: state.NewMultimap()}
}

// add counts the form of row i.
func (p *spellings) add(slot int32, cols []*chunk.Vec, i int, op chunk.Op) {
	p.buf = keyenc.AppendRow(p.buf[:0], cols, i)
	p.forms.Add(slot, p.buf, int64(op))
}

// best returns the form that stands for the rows, nil without rows. It is valid until the next change.
func (p *spellings) best(slot int32) []byte {
	var best []byte
	for r := p.forms.First(slot); r >= 0; r = p.forms.Next(r) {
		if form := p.forms.Bytes(r); p.forms.Count(r) > 0 && (best == nil || bytes.Compare(form, best) > 0) {
			best = form
		}
	}
	return best
}

// merge adds what other counts for a slot of its own.
func (p *spellings) merge(slot int32, other *spellings, from int32) {
	for r := other.forms.First(from); r >= 0; r = other.forms.Next(r) {
		p.forms.Add(slot, other.forms.Bytes(r), other.forms.Count(r))
	}
}

// encode adds the number of forms, then each with its count and length.
func (p *spellings) encode(slot int32, dst []byte) []byte {
	n := 0
	for r := p.forms.First(slot); r >= 0; r = p.forms.Next(r) {
		n++
	}
	dst = binary.AppendUvarint(dst, uint64(n))
	for r := p.forms.First(slot); r >= 0; r = p.forms.Next(r) {
		form := p.forms.Bytes(r)
		dst = binary.AppendVarint(dst, p.forms.Count(r))
		dst = append(binary.AppendUvarint(dst, uint64(len(form))), form...)
	}
	return dst
}

// decode reads what encode wrote into a slot that has no forms.
func (p *spellings) decode(slot int32, b []byte) (rest []byte, err error) {
	n, k := binary.Uvarint(b)
	if k <= 0 {
		return nil, errs.RowCorrupt.New("what", "forms of equal rows")
	}
	for b = b[k:]; n > 0; n-- {
		count, k := binary.Varint(b)
		if k <= 0 {
			return nil, errs.RowCorrupt.New("what", "forms of equal rows")
		}
		b = b[k:]
		size, k := binary.Uvarint(b)
		if k <= 0 || size > uint64(len(b)-k) {
			return nil, errs.RowCorrupt.New("what", "forms of equal rows")
		}
		b = b[k:]
		p.forms.Add(slot, b[:size], count)
		b = b[size:]
	}
	return b, nil
}
