package state

import (
	"encoding/binary"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// keyRoom is room for the stored form of most keys.
const keyRoom = 64

// Lookup emits the rows whose leading key columns equal the values, none of which is NULL. The whole key is one point
// read. Less of it is a range of one vnode if the vnode follows from the values, else a range of each.
func (s *Scanner) Lookup(values types.Row, emit func(*chunk.Chunk) error) error {
	f := s.format
	v, known := f.vnodeOfKey(values)
	stored := kv.AppendTable(make([]byte, 0, keyRoom), f.Table, uint16(v))
	for i, d := range values {
		stored = keyenc.AppendKey(stored, f.Types[f.Key[i]], d, keyenc.Order{})
	}
	if known && len(values) == len(f.Key) {
		return s.point(stored, emit)
	}
	first, last := int(v), int(v)
	if !known {
		first, last = 0, f.Vnodes-1
	}
	rows := newRowDecoder(f, s.cols)
	for v := first; v <= last; v++ {
		binary.BigEndian.PutUint16(stored[kv.TablePrefixLen-vnodeSize:], uint16(v))
		if err := s.prefix(stored, rows, emit); err != nil {
			return err
		}
	}
	if c := rows.take(); c != nil {
		return emit(c)
	}
	return nil
}

// vnodeSize is that of a vnode in a stored key, where it comes last before the row's own.
const vnodeSize = 2

// vnodeOfKey returns the vnode of the rows with these leading key columns, if they decide it.
func (f *RelationFormat) vnodeOfKey(values types.Row) (v vnode.ID, known bool) {
	if f.Vnodes == 1 {
		return 0, true
	}
	var few [4]types.T // most keys are not longer: nothing is allocated
	var fewValues [len(few)]types.Datum
	ts, dist := few[:0], types.Row(fewValues[:0])
	for _, c := range f.DistKey {
		i := slices.Index(f.Key[:len(values)], c)
		if i < 0 {
			return 0, false
		}
		ts, dist = append(ts, f.Types[c]), append(dist, values[i])
	}
	return vnode.Of(vnode.HashDatums(ts, dist), f.Vnodes), true
}

// point reads the row with the stored key.
func (s *Scanner) point(stored []byte, emit func(*chunk.Chunk) error) error {
	value, ok, err := s.reader.Get(stored)
	if err != nil || !ok {
		return err
	}
	rows := rowDecoder{format: s.format, cols: s.cols, first: 1}
	if err := rows.add(chunk.Insert, stored[kv.TablePrefixLen:], value, 0); err != nil {
		return err
	}
	return emit(rows.take())
}

// prefix reads the rows whose stored key begins with the prefix. It emits full chunks.
func (s *Scanner) prefix(stored []byte, rows *rowDecoder, emit func(*chunk.Chunk) error) error {
	it := s.reader.Scan(stored, kv.PrefixEnd(stored))
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
	return it.Close()
}
