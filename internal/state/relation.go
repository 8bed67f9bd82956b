package state

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// RelationFormat is how the rows of a relation are stored under table | vnode.
//
// With a key: the key columns in key encoding -> all columns as a compact row. Without one the relation is a multiset:
// the exact compact row -> how many times it is there. The exact form keeps rows apart that compare equal but print
// differently, such as numeric 1.0 and 1.00.
type RelationFormat struct {
	Table   id.Table
	Types   []types.T // of all columns
	Key     []int     // empty: a multiset
	DistKey []int     // columns whose hash is the vnode
	Vnodes  int
	Growth  *keyenc.Growth // of a table, whose columns may be added to; nil: all rows have all columns
}

// FormatOf is how the rows of a relation are stored. Without a distribution key the key chooses the vnode.
func FormatOf(r *catalog.Relation) *RelationFormat {
	dist := r.DistKey
	if len(dist) == 0 {
		dist = r.Key
	}
	f := &RelationFormat{Table: r.Table, Types: r.Types(), Key: r.Key, DistKey: dist, Vnodes: r.Vnodes}
	if r.Base() {
		f.Growth = &keyenc.Growth{Added: r.Added()}
	}
	return f
}

// Multiset reports whether rows are stored with a count.
func (f *RelationFormat) Multiset() bool { return len(f.Key) == 0 }

// AppendKey adds the stored key (after table and vnode) of row i of columns in relation order.
func (f *RelationFormat) AppendKey(dst []byte, cols []*chunk.Vec, i int) []byte {
	if f.Multiset() {
		return keyenc.AppendRow(dst, cols, i)
	}
	for _, k := range f.Key {
		dst = keyenc.AppendKeyVec(dst, cols[k], i, keyenc.Order{})
	}
	return dst
}

// AppendKeyRow is AppendKey for a single row.
func (f *RelationFormat) AppendKeyRow(dst []byte, row types.Row) []byte {
	if f.Multiset() {
		return keyenc.AppendDatums(dst, f.Types, row)
	}
	for _, k := range f.Key {
		dst = keyenc.AppendKey(dst, f.Types[k], row[k], keyenc.Order{})
	}
	return dst
}

// Hashes fills dst with the hashes of the distribution key of all rows.
func (f *RelationFormat) Hashes(cols []*chunk.Vec, dst []uint64) {
	dist := make([]*chunk.Vec, len(f.DistKey))
	for i, k := range f.DistKey {
		dist[i] = cols[k]
	}
	vnode.Hash(dist, dst)
}

// VnodeOf returns the vnode of a row.
func (f *RelationFormat) VnodeOf(row types.Row) vnode.ID {
	if f.Vnodes == 1 {
		return 0
	}
	var few [4]types.T // most keys are not longer: nothing is allocated
	var values [len(few)]types.Datum
	ts, dist := few[:0], types.Row(values[:0])
	for _, k := range f.DistKey {
		ts, dist = append(ts, f.Types[k]), append(dist, row[k])
	}
	return vnode.Of(vnode.HashDatums(ts, dist), f.Vnodes)
}

// AppendCount and Count are the value of a multiset row.
func AppendCount(dst []byte, n int64) []byte { return binary.AppendVarint(dst, n) }

// Count reads the value of a multiset row.
func Count(value []byte) (int64, error) {
	n, k := binary.Varint(value)
	if k <= 0 || k != len(value) {
		return 0, errs.RowCorrupt.New("what", "count of a multiset row")
	}
	return n, nil
}

// encoded returns the bytes that hold all columns of a stored row, and how many times the row is there.
func (f *RelationFormat) encoded(key, value []byte) (row []byte, count int64, err error) {
	if !f.Multiset() {
		return value, 1, nil
	}
	n, err := Count(value)
	return key, n, err
}

// Widen gives rows that were made before columns were added the initial values of these.
func (f *RelationFormat) Widen(c *chunk.Chunk) (*chunk.Chunk, error) {
	cols := c.Cols[:len(c.Cols):len(c.Cols)]
	for i := len(cols); i < len(f.Types); i++ {
		v := chunk.NewVec(f.Types[i], c.Rows())
		for range c.Rows() {
			if err := keyenc.DecodeInto([]*chunk.Vec{v}, f.Growth.Initial(i, len(f.Types))); err != nil {
				return nil, err
			}
		}
		cols = append(cols, v)
	}
	return chunk.New(c.Ops, cols, c.Rows()), nil
}
