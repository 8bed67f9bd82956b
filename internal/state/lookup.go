package state

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Lookup emits the rows whose leading key columns equal the values, none of which is NULL. The whole key is one point
// read. Less of it is a range of one vnode if the vnode follows from the values, else a range of each.
func (s *Scanner) Lookup(values types.Row, emit func(*chunk.Chunk) error) error {
	f := s.format
	var prefix []byte
	for i, d := range values {
		prefix = keyenc.AppendKey(prefix, f.Types[f.Key[i]], d, keyenc.Order{})
	}
	v, known := f.vnodeOfKey(values)
	if known && len(values) == len(f.Key) {
		return s.point(kv.AppendTable(nil, f.Table, uint16(v)), prefix, emit)
	}
	if known {
		return s.prefix(v, prefix, emit)
	}
	for v := range f.Vnodes {
		if err := s.prefix(vnode.ID(v), prefix, emit); err != nil {
			return err
		}
	}
	return nil
}

// vnodeOfKey returns the vnode of the rows with these leading key columns, if they decide it.
func (f *RelationFormat) vnodeOfKey(values types.Row) (v vnode.ID, known bool) {
	row := make(types.Row, len(f.Types))
	for i, d := range values {
		row[f.Key[i]] = d
	}
	for _, c := range f.DistKey {
		if f.Vnodes > 1 && !slices.Contains(f.Key[:len(values)], c) {
			return 0, false
		}
	}
	return f.VnodeOf(row), true
}

// point reads the row with the key.
func (s *Scanner) point(stored, key []byte, emit func(*chunk.Chunk) error) error {
	value, ok, err := s.reader.Get(append(stored, key...))
	if err != nil || !ok {
		return err
	}
	rows := newRowDecoder(s.format, s.cols)
	if err := rows.add(chunk.Insert, key, value, 0); err != nil {
		return err
	}
	return emit(rows.take())
}

// prefix reads the rows of a vnode whose key begins with the prefix.
func (s *Scanner) prefix(v vnode.ID, prefix []byte, emit func(*chunk.Chunk) error) error {
	start := append(kv.AppendTable(nil, s.format.Table, uint16(v)), prefix...)
	rows := newRowDecoder(s.format, s.cols)
	it := s.reader.Scan(start, kv.PrefixEnd(start))
	for it.Next() {
		if err := rows.add(chunk.Insert, it.Key()[kv.TablePrefixLen:], it.Value(), 0); err != nil {
			it.Close()
			return err
		}
		if rows.n == chunk.RowsMax {
			if err := emit(rows.take()); err != nil {
				it.Close()
				return err
			}
		}
	}
	if err := it.Close(); err != nil {
		return err
	}
	if c := rows.take(); c != nil {
		return emit(c)
	}
	return nil
}
