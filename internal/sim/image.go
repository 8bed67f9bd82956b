package sim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"sort"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// image is what a relation should be in the store: its stored rows, in key order. It is a kv.Reader.
type image []pair

type pair struct{ key, value []byte }

// imageOf stores the rows of a table.
func imageOf(rel *catalog.Relation, rs rows) image {
	f := state.FormatOf(rel)
	var out image
	for key, row := range rs {
		out = append(out, pair{[]byte(key), keyenc.AppendDatums([]byte{}, f.Types, row)})
	}
	out.sort()
	return out
}

func (m image) sort() {
	slices.SortFunc(m, func(a, b pair) int { return bytes.Compare(a.key, b.key) })
}

func (m image) equal(o image) bool {
	return slices.EqualFunc(m, o, func(a, b pair) bool { return bytes.Equal(a.key, b.key) && bytes.Equal(a.value, b.value) })
}

// storing collects the rows of an answer in the form of its relation.
type storing struct {
	format *state.RelationFormat
	values map[string][]byte
	counts map[string]int64
}

func newStoring(rel *catalog.Relation) *storing {
	return &storing{state.FormatOf(rel), map[string][]byte{}, map[string]int64{}}
}

func (s *storing) add(c *chunk.Chunk) error {
	places := make([]uint64, c.Rows())
	if s.format.Vnodes > 1 {
		s.format.Hashes(c.Cols, places)
	}
	for i := range c.Rows() {
		v := vnode.ID(0)
		if s.format.Vnodes > 1 {
			v = vnode.Of(places[i], s.format.Vnodes)
		}
		key := string(s.format.AppendKey(kv.AppendTable(nil, s.format.Table, uint16(v)), c.Cols, i))
		s.counts[key] += int64(c.Op(i))
		if c.Op(i) == chunk.Insert {
			s.values[key] = keyenc.AppendRow([]byte{}, c.Cols, i)
		}
	}
	return nil
}

// image returns what was collected.
func (s *storing) image() (image, error) {
	var out image
	for key, n := range s.counts {
		switch {
		case n == 0:
		case n < 0 || n > 1 && !s.format.Multiset():
			return nil, fmt.Errorf("an answer has %d rows of one key", n)
		case s.format.Multiset():
			out = append(out, pair{[]byte(key), state.AppendCount(nil, n)})
		default:
			out = append(out, pair{[]byte(key), s.values[key]})
		}
	}
	out.sort()
	return out, nil
}

// stored reads what the store has of a table.
func stored(r kv.Reader, t id.Table) (image, error) {
	it := r.Scan(kv.TableRange(t))
	var out image
	for it.Next() {
		out = append(out, pair{bytes.Clone(it.Key()), bytes.Clone(it.Value())})
	}
	return out, it.Close()
}

// as returns the rows that keep lets through, as rows of another table.
func (m image) as(t id.Table, keep func(v vnode.ID, key []byte) bool) image {
	out := make(image, 0, len(m))
	for _, p := range m {
		_, v, key, _ := kv.TableOf(p.key)
		if keep == nil || keep(vnode.ID(v), key) {
			out = append(out, pair{append(kv.AppendTable(nil, t, v), key...), p.value})
		}
	}
	return out
}

// diff says where two images differ; it is empty when they do not.
func diff(rel *catalog.Relation, have, want image) string {
	var b bytes.Buffer
	i, j := 0, 0
	for i < len(have) || j < len(want) {
		c := 0
		switch {
		case i == len(have):
			c = 1
		case j == len(want):
			c = -1
		default:
			c = bytes.Compare(have[i].key, want[j].key)
		}
		switch {
		case c < 0:
			fmt.Fprintf(&b, "\n  too much: %s", show(rel, have[i]))
			i++
		case c > 0:
			fmt.Fprintf(&b, "\n  missing:  %s", show(rel, want[j]))
			j++
		default:
			if !bytes.Equal(have[i].value, want[j].value) {
				fmt.Fprintf(&b, "\n  instead of %s: %s", show(rel, want[j]), show(rel, have[i]))
			}
			i, j = i+1, j+1
		}
	}
	return b.String()
}

// show prints a stored row.
func show(rel *catalog.Relation, p pair) string {
	f := state.FormatOf(rel)
	_, v, key, _ := kv.TableOf(p.key)
	row, times := p.value, int64(1)
	if f.Multiset() {
		row = key
		times, _ = state.Count(p.value)
	}
	d, err := keyenc.DecodeRow(f.Types, row)
	if err != nil {
		return fmt.Sprintf("%x = %x: %v", p.key, p.value, err)
	}
	return fmt.Sprintf("%s x%d (vnode %d)", showRow(f.Types, d), times, v)
}

func showRow(ts []types.T, row types.Row) string {
	var b bytes.Buffer
	for i, d := range row {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(chunk.FormatValue(ts[i], d))
	}
	return b.String()
}

// digest is a number that tells contents apart.
func (m image) digest() uint64 {
	h := fnv.New64a()
	var n [8]byte
	for _, p := range m {
		for _, part := range [][]byte{p.key, p.value} {
			binary.BigEndian.PutUint64(n[:], uint64(len(part)))
			h.Write(n[:])
			h.Write(part)
		}
	}
	return h.Sum64()
}

// Get implements kv.Reader.
func (m image) Get(key []byte) ([]byte, bool, error) {
	i := m.seek(key)
	if i < len(m) && bytes.Equal(m[i].key, key) {
		return m[i].value, true, nil
	}
	return nil, false, nil
}

func (m image) seek(key []byte) int {
	return sort.Search(len(m), func(i int) bool { return bytes.Compare(m[i].key, key) >= 0 })
}

// Scan implements kv.Reader.
func (m image) Scan(start, end []byte) kv.Iterator {
	to := len(m)
	if end != nil {
		to = m.seek(end)
	}
	return &imageIterator{rows: m[min(m.seek(start), to):to], at: -1}
}

type imageIterator struct {
	rows image
	at   int
}

func (it *imageIterator) Next() bool    { it.at++; return it.at < len(it.rows) }
func (it *imageIterator) Key() []byte   { return it.rows[it.at].key }
func (it *imageIterator) Value() []byte { return it.rows[it.at].value }
func (it *imageIterator) Close() error  { return nil }
