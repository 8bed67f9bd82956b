package state

import (
	"bytes"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Difference emits what makes the rows of one relation those of another, for one vnode and keys <= upTo (nil: all): what
// only the old one has as deletes, what only the new one has as inserts. The new one has the key of the old one and may
// have more columns at the end; cols are of those that both have.
func Difference(r kv.Reader, old, new *RelationFormat, cols []int, v vnode.ID, upTo []byte, emit func(*chunk.Chunk) error) error {
	d := &differ{emit: emit}
	d.sides[0].open(r, old, cols, v, upTo)
	d.sides[1].open(r, new, cols, v, upTo)
	// Stored forms are comparable where they have the same columns; otherwise every row goes and comes.
	d.alike = slices.EqualFunc(old.Types, new.Types, types.T.Equal) && slices.Equal(old.Key, new.Key)
	err := d.run()
	for i := range d.sides {
		if closed := d.sides[i].it.Close(); err == nil {
			err = closed
		}
	}
	return err
}

// differ walks over both relations in key order.
type differ struct {
	sides [2]side // old, new
	alike bool
	emit  func(*chunk.Chunk) error
}

// side is the rows of one relation.
type side struct {
	it   kv.Iterator
	rows *rowDecoder
	upTo []byte
	more bool
}

func (s *side) open(r kv.Reader, f *RelationFormat, cols []int, v vnode.ID, upTo []byte) {
	prefix := kv.AppendTable(nil, f.Table, uint16(v))
	s.it, s.rows, s.upTo = r.Scan(prefix, kv.PrefixEnd(prefix)), newRowDecoder(f, cols), upTo
	s.next()
}

func (s *side) next() {
	s.more = s.it.Next() && (s.upTo == nil || bytes.Compare(s.key(), s.upTo) <= 0)
}

func (s *side) key() []byte { return s.it.Key()[kv.TablePrefixLen:] }

func (d *differ) run() error {
	old, new := &d.sides[0], &d.sides[1]
	for old.more || new.more {
		c := d.order()
		if d.alike && c == 0 {
			if err := d.changed(); err != nil {
				return err
			}
			old.next()
			new.next()
			continue
		}
		gone := c <= 0
		s, op := new, chunk.Insert
		if gone {
			s, op = old, chunk.Delete
		}
		if err := d.whole(s, op); err != nil {
			return err
		}
	}
	return d.flush(0)
}

// order says whose row is next: the old one's (< 0), the new one's (> 0), or both.
func (d *differ) order() int {
	switch old, new := &d.sides[0], &d.sides[1]; {
	case !old.more:
		return 1
	case !new.more || !d.alike:
		return -1
	default:
		return bytes.Compare(old.key(), new.key())
	}
}

// whole emits a row that the other side does not have, and goes on to the next.
func (d *differ) whole(s *side, op chunk.Op) error {
	if err := s.rows.add(op, s.key(), s.it.Value(), 0); err != nil {
		return err
	}
	s.next()
	return d.flush(changesRows)
}

// changed emits what is different of a key that both have.
func (d *differ) changed() error {
	old, new := &d.sides[0], &d.sides[1]
	if bytes.Equal(old.it.Value(), new.it.Value()) {
		return nil
	}
	if err := new.rows.change(new.key(), old.it.Value(), new.it.Value()); err != nil {
		return err
	}
	return d.flush(changesRows)
}

// flush emits what each side has when that is at least so many rows, the old one's first.
func (d *differ) flush(rows int) error {
	for i := range d.sides {
		if r := d.sides[i].rows; r.n >= max(rows, 1) {
			if err := d.emit(r.take()); err != nil {
				return err
			}
		}
	}
	return nil
}
