package state

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/chunk"
)

// netBytes bounds what a net holds back.
const netBytes = 4 << 20

// net folds the changes of a key to the first old and the last new value, so that what was undone within a window is
// never seen: neither its cost, nor a row that somebody has put right since.
type net struct {
	rows  *rowDecoder
	emit  func(*chunk.Chunk) error
	at    map[string]int // position in keys
	keys  []netted       // in the order of their first change
	bytes int
}

type netted struct {
	key      string
	old, new []byte
}

func newNet(rows *rowDecoder, emit func(*chunk.Chunk) error) *net {
	return &net{rows: rows, emit: emit, at: map[string]int{}}
}

// add takes the next change of a key; the slices are the caller's.
func (n *net) add(key, old, new []byte) error {
	if i, ok := n.at[string(key)]; ok {
		n.bytes += len(new)
		n.keys[i].new = bytes.Clone(new)
		return n.spill()
	}
	k := netted{string(key), bytes.Clone(old), bytes.Clone(new)}
	n.at[k.key] = len(n.keys)
	n.keys = append(n.keys, k)
	n.bytes += len(key) + len(old) + len(new)
	return n.spill()
}

func (n *net) spill() error {
	if n.bytes < netBytes {
		return nil
	}
	return n.flush()
}

// flush emits what was held back.
func (n *net) flush() error {
	for _, k := range n.keys {
		if (k.old == nil) == (k.new == nil) && bytes.Equal(k.old, k.new) {
			continue
		}
		if err := n.rows.change([]byte(k.key), k.old, k.new); err != nil {
			return err
		}
		if n.rows.n >= changesRows {
			if err := n.emit(n.rows.take()); err != nil {
				return err
			}
		}
	}
	clear(n.at)
	n.keys, n.bytes = n.keys[:0], 0
	if c := n.rows.take(); c != nil {
		return n.emit(c)
	}
	return nil
}
