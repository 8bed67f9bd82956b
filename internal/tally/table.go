package tally

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Table has the sums of a relation by vnode.
type Table struct{ Sums []Sum }

// NewTable returns the table of a relation without rows.
func NewTable(vnodes int) *Table { return &Table{make([]Sum, vnodes)} }

// Merge adds changes. A vnode that the relation should not have makes the table longer.
func (t *Table) Merge(changes []Delta) {
	for _, d := range changes {
		for int(d.Vnode) >= len(t.Sums) {
			t.Sums = append(t.Sums, Sum{})
		}
		t.Sums[d.Vnode].Merge(d.Sum)
	}
}

// Clone returns a copy to change.
func (t *Table) Clone() *Table { return &Table{append([]Sum(nil), t.Sums...)} }

// Less is what t has by vnode that o has not: empty where both are the same.
func (t *Table) Less(o *Table) []Delta {
	var out []Delta
	for v := range max(len(t.Sums), len(o.Sums)) {
		if d := t.at(v).Less(o.at(v)); d != (Sum{}) {
			out = append(out, Delta{vnode.ID(v), d})
		}
	}
	return out
}

// Rows is how many there are in all.
func (t *Table) Rows() (n int64) {
	for _, s := range t.Sums {
		n += s.Rows
	}
	return n
}

func (t *Table) at(v int) Sum {
	if v < len(t.Sums) {
		return t.Sums[v]
	}
	return Sum{}
}

// formatVersion is the first byte of a stored table.
const formatVersion = 1

// entryMin is the least that a vnode takes.
const entryMin = 1 + 16

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode returns the stored form: version, number of vnodes, for each its rows and the sum of 16 bytes, checksum.
func (t *Table) Encode() []byte { return sealed(t.body()) }

func (t *Table) body() []byte {
	b := binary.AppendUvarint([]byte{formatVersion}, uint64(len(t.Sums)))
	for _, s := range t.Sums {
		b = binary.AppendVarint(b, s.Rows)
		b = binary.BigEndian.AppendUint64(b, s.Hi)
		b = binary.BigEndian.AppendUint64(b, s.Lo)
	}
	return b
}

func sealed(body []byte) []byte {
	return binary.BigEndian.AppendUint32(body, crc32.Checksum(body, castagnoli))
}

// Decode reads the stored form.
func Decode(b []byte) (*Table, error) {
	if len(b) < 6 {
		return nil, unread("it is too short")
	}
	body, sum := b[:len(b)-4], binary.BigEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, unread("its checksum does not hold")
	}
	n, k := binary.Uvarint(body[1:])
	if body[0] != formatVersion || k <= 0 || n > uint64(len(body)/entryMin) {
		return nil, unread("its format is not known")
	}
	t, at := NewTable(int(n)), body[1+k:]
	for v := range t.Sums {
		rows, k := binary.Varint(at)
		if k <= 0 || len(at) < k+16 {
			return nil, unread("its fields do not fill it")
		}
		t.Sums[v] = Sum{Hi: binary.BigEndian.Uint64(at[k:]), Lo: binary.BigEndian.Uint64(at[k+8:]), Rows: rows}
		at = at[k+16:]
	}
	if len(at) != 0 {
		return nil, unread("its fields do not fill it")
	}
	return t, nil
}

func unread(what string) error { return errs.StateHashUnread.New("what", what) }
