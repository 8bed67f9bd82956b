package kv

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// The key space. The first byte names the space; numbers are big endian so that byte order is number order.
//
//	m | name                              meta space: catalog, jobs, progress, offsets, DML log
//	t | table 4 | vnode 2 | key           rows of state tables
//	l | table 4 | vnode 2 | epoch 8 | key changelog segments
const (
	SpaceMeta  = 'm'
	SpaceTable = 't'
	SpaceLog   = 'l'
)

// TablePrefixLen is the length of the part of a row's key before the operator's own key.
const TablePrefixLen = 7

// AppendTable adds the prefix of a table's vnode; the operator's key follows it.
func AppendTable(dst []byte, t id.Table, vnode uint16) []byte {
	dst = append(dst, SpaceTable)
	dst = binary.BigEndian.AppendUint32(dst, uint32(t))
	return binary.BigEndian.AppendUint16(dst, vnode)
}

// AppendLog adds the prefix of a changelog segment.
func AppendLog(dst []byte, t id.Table, vnode uint16, e epoch.Epoch) []byte {
	dst = append(dst, SpaceLog)
	dst = binary.BigEndian.AppendUint32(dst, uint32(t))
	dst = binary.BigEndian.AppendUint16(dst, vnode)
	return binary.BigEndian.AppendUint64(dst, uint64(e))
}

// TableOf splits a row's key.
func TableOf(key []byte) (t id.Table, vnode uint16, rest []byte, ok bool) {
	if len(key) < TablePrefixLen || key[0] != SpaceTable {
		return 0, 0, nil, false
	}
	return id.Table(binary.BigEndian.Uint32(key[1:])), binary.BigEndian.Uint16(key[5:]), key[TablePrefixLen:], true
}

// PrefixEnd returns the first key after all keys with the prefix, nil when there is none.
func PrefixEnd(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}
