package kv

import (
	"bytes"
	"slices"
)

// SortedReader is a Reader for which looking up many keys in one pass is cheaper than one by one.
type SortedReader interface {
	Reader
	// GetSorted calls each once for every key that is there, in any order, with its place and its value, which is valid
	// until each returns. The keys ascend.
	GetSorted(keys [][]byte, each func(i int, value []byte) error) error
}

// GetSorted looks up keys that ascend, in one pass if the reader can.
func GetSorted(r Reader, keys [][]byte, each func(i int, value []byte) error) error {
	if s, ok := r.(SortedReader); ok {
		return s.GetSorted(keys, each)
	}
	for i, key := range keys {
		value, ok, err := r.Get(key)
		if ok && err == nil {
			err = each(i, value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// GetAll looks up keys in any order, in one pass if the reader can. It calls each as GetSorted does.
func GetAll(r Reader, keys [][]byte, each func(i int, value []byte) error) error {
	places := make([]int, len(keys))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(x, y int) int { return bytes.Compare(keys[x], keys[y]) })
	ascending := make([][]byte, len(places))
	for i, p := range places {
		ascending[i] = keys[p]
	}
	return GetSorted(r, ascending, func(i int, value []byte) error { return each(places[i], value) })
}

// GetSortedOver looks up keys that ascend in a layer and then, those of which it says nothing, in what lies below it.
func GetSortedOver(below Reader, keys [][]byte, layer func(key []byte) (value []byte, ok, found bool), each func(i int, value []byte) error) error {
	var rest [][]byte
	var places []int
	for i, key := range keys {
		value, ok, found := layer(key)
		if !found {
			rest, places = append(rest, key), append(places, i)
			continue
		}
		if !ok {
			continue
		}
		if err := each(i, value); err != nil {
			return err
		}
	}
	return GetSorted(below, rest, func(i int, value []byte) error { return each(places[i], value) })
}
