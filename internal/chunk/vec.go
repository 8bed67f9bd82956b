// Package chunk has the columnar batches of changes that flow between operators, and a text notation for tests:
//
//   - 1 apple
//   - 2 NULL
package chunk

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/types"
)

// RowsMax is how many rows a chunk usually holds: enough to make the cost of a call vanish, few enough to stay in the
// cache. Operators may emit fewer; more than twice as many only where one input row makes many.
const RowsMax = 1024

// Vec is one column: a typed slice and its nulls. Exactly one of the slices is in use, that of the type's physical class.
type Vec struct {
	Type   types.T
	Nulls  []bool // nil when no value is NULL, else as long as the column
	Bools  []bool
	Ints   []int64
	Floats []float64
	Strs   []string // Bytes class; values may share backing memory and are never written to
}

// NewVec returns an empty column with room for n values.
func NewVec(t types.T, n int) *Vec {
	v := &Vec{Type: t}
	switch t.Phys() {
	case types.PhysBool:
		v.Bools = make([]bool, 0, n)
	case types.PhysInt:
		v.Ints = make([]int64, 0, n)
	case types.PhysFloat:
		v.Floats = make([]float64, 0, n)
	default:
		v.Strs = make([]string, 0, n)
	}
	return v
}

// MakeVec returns a column of n zero values that are not NULL, to be filled by index.
func MakeVec(t types.T, n int) *Vec {
	v := NewVec(t, n)
	v.Bools, v.Ints, v.Floats, v.Strs = v.Bools[:cap(v.Bools)], v.Ints[:cap(v.Ints)], v.Floats[:cap(v.Floats)], v.Strs[:cap(v.Strs)]
	v.truncate(n)
	return v
}

// Len is the number of values.
func (v *Vec) Len() int {
	switch v.Type.Phys() {
	case types.PhysBool:
		return len(v.Bools)
	case types.PhysInt:
		return len(v.Ints)
	case types.PhysFloat:
		return len(v.Floats)
	}
	return len(v.Strs)
}

// IsNull reports whether value i is NULL.
func (v *Vec) IsNull(i int) bool { return v.Nulls != nil && v.Nulls[i] }

// SetNull makes value i NULL.
func (v *Vec) SetNull(i int) {
	if v.Nulls == nil {
		v.Nulls = make([]bool, v.Len())
	}
	v.Nulls[i] = true
}

// Datum returns value i.
func (v *Vec) Datum(i int) types.Datum {
	if v.IsNull(i) {
		return types.Null
	}
	switch v.Type.Phys() {
	case types.PhysBool:
		return types.NewBool(v.Bools[i])
	case types.PhysInt:
		return types.NewInt(v.Ints[i])
	case types.PhysFloat:
		return types.NewFloat(v.Floats[i])
	}
	return types.NewBytes(v.Strs[i])
}

// Set replaces value i.
func (v *Vec) Set(i int, d types.Datum) {
	if d.IsNull() {
		v.SetNull(i)
		return
	}
	if v.Nulls != nil {
		v.Nulls[i] = false
	}
	switch v.Type.Phys() {
	case types.PhysBool:
		v.Bools[i] = d.Bool()
	case types.PhysInt:
		v.Ints[i] = d.Int()
	case types.PhysFloat:
		v.Floats[i] = d.Float()
	default:
		v.Strs[i] = d.Bytes()
	}
}

// Append adds a value at the end.
func (v *Vec) Append(d types.Datum) {
	switch v.Type.Phys() {
	case types.PhysBool:
		v.Bools = append(v.Bools, !d.IsNull() && d.Bool())
	case types.PhysInt:
		v.Ints = append(v.Ints, d.Int())
	case types.PhysFloat:
		v.Floats = append(v.Floats, d.Float())
	default:
		v.Strs = append(v.Strs, d.Bytes())
	}
	v.appendNull(d.IsNull())
}

// AppendFrom adds value i of a column of the same physical class at the end.
func (v *Vec) AppendFrom(o *Vec, i int) {
	switch v.Type.Phys() {
	case types.PhysBool:
		v.Bools = append(v.Bools, o.Bools[i])
	case types.PhysInt:
		v.Ints = append(v.Ints, o.Ints[i])
	case types.PhysFloat:
		v.Floats = append(v.Floats, o.Floats[i])
	default:
		v.Strs = append(v.Strs, o.Strs[i])
	}
	v.appendNull(o.IsNull(i))
}

// appendNull notes whether the value just added is NULL.
func (v *Vec) appendNull(null bool) {
	if v.Nulls != nil {
		v.Nulls = append(v.Nulls, null)
	} else if null {
		n := v.Len()
		v.Nulls = make([]bool, n, max(n, cap(v.Ints), cap(v.Strs), cap(v.Floats), cap(v.Bools)))
		v.Nulls[n-1] = true
	}
}

// Gather returns the values at the given positions, in that order.
func (v *Vec) Gather(rows []int32) *Vec {
	out := &Vec{Type: v.Type}
	switch v.Type.Phys() {
	case types.PhysBool:
		out.Bools = gather(v.Bools, rows)
	case types.PhysInt:
		out.Ints = gather(v.Ints, rows)
	case types.PhysFloat:
		out.Floats = gather(v.Floats, rows)
	default:
		out.Strs = gather(v.Strs, rows)
	}
	if v.Nulls != nil {
		out.Nulls = gather(v.Nulls, rows)
	}
	return out
}

func gather[E any](in []E, rows []int32) []E {
	out := make([]E, len(rows))
	for i, r := range rows {
		out[i] = in[r]
	}
	return out
}

// Slice returns values from (included) to to (excluded); it shares memory with v.
func (v *Vec) Slice(from, to int) *Vec {
	out := &Vec{Type: v.Type}
	if v.Nulls != nil {
		out.Nulls = v.Nulls[from:to]
	}
	switch v.Type.Phys() {
	case types.PhysBool:
		out.Bools = v.Bools[from:to:to]
	case types.PhysInt:
		out.Ints = v.Ints[from:to:to]
	case types.PhysFloat:
		out.Floats = v.Floats[from:to:to]
	default:
		out.Strs = v.Strs[from:to:to]
	}
	return out
}

// Concat adds all values of o at the end.
func (v *Vec) Concat(o *Vec) {
	n, m := v.Len(), o.Len()
	if v.Nulls != nil || o.Nulls != nil {
		if v.Nulls == nil {
			v.Nulls = make([]bool, n, n+m)
		}
		if o.Nulls != nil {
			v.Nulls = append(v.Nulls, o.Nulls...)
		} else {
			v.Nulls = append(v.Nulls, make([]bool, m)...)
		}
	}
	v.Bools = append(v.Bools, o.Bools...)
	v.Ints = append(v.Ints, o.Ints...)
	v.Floats = append(v.Floats, o.Floats...)
	v.Strs = append(v.Strs, o.Strs...)
}

// Const returns a column of n copies of d.
func Const(t types.T, d types.Datum, n int) *Vec {
	v := MakeVec(t, n)
	if d.IsNull() {
		v.Nulls = slices.Repeat([]bool{true}, n)
		return v
	}
	for i := range n {
		v.Set(i, d)
	}
	return v
}

// Grow makes room for n values more.
func (v *Vec) Grow(n int) {
	switch v.Type.Phys() {
	case types.PhysBool:
		v.Bools = slices.Grow(v.Bools, n)
	case types.PhysInt:
		v.Ints = slices.Grow(v.Ints, n)
	case types.PhysFloat:
		v.Floats = slices.Grow(v.Floats, n)
	default:
		v.Strs = slices.Grow(v.Strs, n)
	}
}

func (v *Vec) truncate(n int) {
	switch v.Type.Phys() {
	case types.PhysBool:
		v.Bools = v.Bools[:n]
	case types.PhysInt:
		v.Ints = v.Ints[:n]
	case types.PhysFloat:
		v.Floats = v.Floats[:n]
	default:
		v.Strs = v.Strs[:n]
	}
}
