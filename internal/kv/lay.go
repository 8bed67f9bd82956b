package kv

import "bytes"

// Lay lays writes over the rows of an iterator. They are sorted by key, each key once; at tells the key of one and the value
// that it leaves, nil for a row that it takes away.
func Lay[W any](base Iterator, writes []W, at func(W) (key, value []byte)) Iterator {
	if len(writes) == 0 {
		return base
	}
	return &laid[W]{base: base, baseOK: base.Next(), writes: writes, at: at}
}

type laid[W any] struct {
	base       Iterator
	baseOK     bool // base stands on a row
	fromBase   bool // the current row is the base's
	writes     []W
	at         func(W) (key, value []byte)
	key, value []byte
}

func (it *laid[W]) Next() bool {
	if it.fromBase {
		it.baseOK, it.fromBase = it.base.Next(), false
	}
	for len(it.writes) > 0 {
		key, value := it.at(it.writes[0])
		if it.baseOK {
			c := bytes.Compare(it.base.Key(), key)
			if c < 0 {
				break
			}
			if c == 0 {
				it.baseOK = it.base.Next()
			}
		}
		it.writes = it.writes[1:]
		if value != nil {
			it.key, it.value = key, value
			return true
		}
	}
	if !it.baseOK {
		return false
	}
	it.key, it.value, it.fromBase = it.base.Key(), it.base.Value(), true
	return true
}

func (it *laid[W]) Key() []byte   { return it.key }
func (it *laid[W]) Value() []byte { return it.value }
func (it *laid[W]) Close() error  { return it.base.Close() }
