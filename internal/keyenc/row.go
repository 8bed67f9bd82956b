package keyenc

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// A compact row is its values one after the other: a byte 0 for NULL, else by physical class
//
//	Bool   1 false, 2 true
//	Int    1, zigzag varint
//	Float  1, 8 bytes little endian
//	Bytes  length+1 as uvarint, bytes
//
// The form of a value is unique, so that rows are equal if and only if their bytes are.

// AppendRow adds the compact form of row i of the columns.
func AppendRow(dst []byte, cols []*chunk.Vec, i int) []byte {
	for _, v := range cols {
		if v.IsNull(i) {
			dst = append(dst, 0)
			continue
		}
		switch v.Type.Phys() {
		case types.PhysBool:
			dst = append(dst, 1+b2i(v.Bools[i]))
		case types.PhysInt:
			dst = binary.AppendVarint(append(dst, 1), v.Ints[i])
		case types.PhysFloat:
			dst = appendFloat(append(dst, 1), v.Floats[i])
		default:
			dst = binary.AppendUvarint(dst, uint64(len(v.Strs[i]))+1)
			dst = append(dst, v.Strs[i]...)
		}
	}
	return dst
}

// AppendDatums is AppendRow for a single row.
func AppendDatums(dst []byte, ts []types.T, row types.Row) []byte {
	for i, d := range row {
		if d.IsNull() {
			dst = append(dst, 0)
			continue
		}
		switch ts[i].Phys() {
		case types.PhysBool:
			dst = append(dst, 1+b2i(d.Bool()))
		case types.PhysInt:
			dst = binary.AppendVarint(append(dst, 1), d.Int())
		case types.PhysFloat:
			dst = appendFloat(append(dst, 1), d.Float())
		default:
			dst = binary.AppendUvarint(dst, uint64(len(d.Bytes()))+1)
			dst = append(dst, d.Bytes()...)
		}
	}
	return dst
}

// appendFloat gives every NaN one form.
func appendFloat(dst []byte, f float64) []byte {
	if f != f {
		f = math.NaN()
	}
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
}

func b2i(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// DecodeRow reads a compact row of the types; all bytes must be used.
func DecodeRow(ts []types.T, b []byte) (types.Row, error) { return DecodeGrown(ts, b, nil) }

// DecodeGrown is DecodeRow for a row that may have been stored when the relation had fewer or more columns.
func DecodeGrown(ts []types.T, b []byte, g *Growth) (types.Row, error) {
	row := make(types.Row, len(ts))
	for i, t := range ts {
		if len(b) == 0 {
			b = g.rest(i, len(ts))
		}
		d, rest, err := decodeDatum(t, b)
		if err != nil {
			return nil, err
		}
		row[i], b = d, rest
	}
	if len(b) != 0 && !g.open() {
		return nil, errs.RowCorrupt.New("what", "bytes after the last column")
	}
	return row, nil
}

func decodeDatum(t types.T, b []byte) (types.Datum, []byte, error) {
	if len(b) == 0 {
		return types.Null, nil, errs.RowCorrupt.New("what", "row is too short")
	}
	if b[0] == 0 {
		return types.Null, b[1:], nil
	}
	switch t.Phys() {
	case types.PhysBool:
		if b[0] <= 2 {
			return types.NewBool(b[0] == 2), b[1:], nil
		}
	case types.PhysInt:
		if v, n := binary.Varint(b[1:]); n > 0 && b[0] == 1 {
			return types.NewInt(v), b[1+n:], nil
		}
	case types.PhysFloat:
		if len(b) >= 9 && b[0] == 1 {
			return types.NewFloat(math.Float64frombits(binary.LittleEndian.Uint64(b[1:]))), b[9:], nil
		}
	default:
		if v, n := binary.Uvarint(b); n > 0 && v > 0 && v-1 <= uint64(len(b)-n) {
			end := n + int(v-1)
			return types.NewBytes(string(b[n:end])), b[end:], nil
		}
	}
	return types.Null, nil, errs.RowCorrupt.New("what", "value does not fit its type")
}

// DecodeInto appends the values of a compact row to columns. Strings are copied.
func DecodeInto(cols []*chunk.Vec, b []byte) error { return decodeInto(cols, nil, b, false, nil) }

// DecodeIntoAlias is DecodeInto with strings that share the memory of b, which must never change afterwards.
func DecodeIntoAlias(cols []*chunk.Vec, b []byte) error { return decodeInto(cols, nil, b, true, nil) }

// DecodeSome is DecodeInto for some columns of a row of the given types: the value of a column that is nil is skipped.
func DecodeSome(cols []*chunk.Vec, ts []types.T, b []byte, g *Growth) error {
	return decodeInto(cols, ts, b, false, g)
}

func decodeInto(cols []*chunk.Vec, ts []types.T, b []byte, alias bool, g *Growth) error {
	for i, v := range cols {
		if len(b) == 0 {
			if b = g.rest(i, len(cols)); b == nil {
				return errs.RowCorrupt.New("what", "row is too short")
			}
		}
		if v == nil {
			n := valueSize(ts[i].Phys(), b)
			if n <= 0 {
				return errs.RowCorrupt.New("what", "value does not fit its type")
			}
			b = b[n:]
			continue
		}
		if b[0] == 0 {
			v.Append(types.Null)
			b = b[1:]
			continue
		}
		n := appendValue(v, b, alias)
		if n <= 0 {
			return errs.RowCorrupt.New("what", "value does not fit its type")
		}
		if v.Nulls != nil {
			v.Nulls = append(v.Nulls, false)
		}
		b = b[n:]
	}
	if len(b) != 0 && !g.open() {
		return errs.RowCorrupt.New("what", "bytes after the last column")
	}
	return nil
}

// valueSize is the number of bytes of the value at the front of b, which is not empty; 0 when they are bad.
func valueSize(p types.Phys, b []byte) int {
	switch {
	case b[0] == 0:
		return 1
	case p == types.PhysBool:
		return 1
	case p == types.PhysInt:
		for i := 1; i < len(b); i++ {
			if b[i] < 0x80 {
				return i + 1
			}
		}
		return 0
	case p == types.PhysFloat:
		return min(len(b), 9) / 9 * 9
	}
	x, n := binary.Uvarint(b)
	if n <= 0 || x == 0 || x-1 > uint64(len(b)-n) {
		return 0
	}
	return n + int(x-1)
}

// uvarint is binary.Uvarint for numbers that are mostly short.
func uvarint(b []byte) (uint64, int) {
	if len(b) >= 3 {
		x, y, z := uint64(b[0]), uint64(b[1]), uint64(b[2])
		switch {
		case x < 0x80:
			return x, 1
		case y < 0x80:
			return x&0x7f | y<<7, 2
		case z < 0x80:
			return x&0x7f | (y&0x7f)<<7 | z<<14, 3
		}
	}
	return binary.Uvarint(b)
}

// appendValue reads a value that is not NULL and returns the bytes used, 0 when they are bad.
func appendValue(v *chunk.Vec, b []byte, alias bool) int {
	switch v.Type.Phys() {
	case types.PhysBool:
		if b[0] > 2 {
			return 0
		}
		v.Bools = append(v.Bools, b[0] == 2)
		return 1
	case types.PhysInt:
		x, n := uvarint(b[1:])
		if n <= 0 || b[0] != 1 {
			return 0
		}
		v.Ints = append(v.Ints, int64(x>>1)^-int64(x&1)) // as binary.Varint
		return n + 1
	case types.PhysFloat:
		if len(b) < 9 || b[0] != 1 {
			return 0
		}
		v.Floats = append(v.Floats, math.Float64frombits(binary.LittleEndian.Uint64(b[1:])))
		return 9
	}
	x, n := binary.Uvarint(b)
	if n <= 0 || x == 0 || x-1 > uint64(len(b)-n) {
		return 0
	}
	s := b[n : n+int(x-1)]
	if alias {
		v.Strs = append(v.Strs, unsafe.String(unsafe.SliceData(s), len(s)))
	} else {
		v.Strs = append(v.Strs, string(s))
	}
	return n + int(x-1)
}
