package state

import (
	"bytes"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Scanner reads chosen columns of a relation through any reader.
type Scanner struct {
	reader kv.Reader
	format *RelationFormat
	cols   []int
}

// NewScanner returns a reader of the columns.
func NewScanner(r kv.Reader, f *RelationFormat, cols []int) *Scanner { return &Scanner{r, f, cols} }

// RelationSnapshot is a Scanner of one view that also reads the relation's changelog.
type RelationSnapshot struct {
	Scanner
	view kv.View
}

// NewRelationSnapshot returns a reader of the columns; the view must stay open as long as it is used.
func NewRelationSnapshot(v kv.View, f *RelationFormat, cols []int) *RelationSnapshot {
	return &RelationSnapshot{Scanner{v, f, cols}, v}
}

// Scan reads at most rowsMax stored rows of a vnode with keys after the cursor. It returns the rows (nil: none), the key
// of the last one, and whether the vnode ends there. A row of a multiset comes as often as it is there.
func (s *Scanner) Scan(v vnode.ID, after []byte, rowsMax int) (c *chunk.Chunk, cursor []byte, end bool, err error) {
	prefix := kv.AppendTable(nil, s.format.Table, uint16(v))
	start := append([]byte(nil), prefix...)
	if len(after) > 0 {
		start = append(append(start, after...), 0) // the first key after it
	}
	rows := newRowDecoder(s.format, s.cols)
	it := s.reader.Scan(start, kv.PrefixEnd(prefix))
	n := 0
	for n < rowsMax && it.Next() {
		key := it.Key()[kv.TablePrefixLen:]
		cursor = append(cursor[:0], key...)
		if err := rows.add(chunk.Insert, key, it.Value(), 0); err != nil {
			it.Close()
			return nil, nil, false, err
		}
		n++
	}
	if err := it.Close(); err != nil {
		return nil, nil, false, err
	}
	if n == 0 {
		cursor = after
	}
	return rows.take(), cursor, n < rowsMax, nil
}

// changesRows is the size of the chunks that Changes emits.
const changesRows = chunk.RowsMax

// Changes emits what happened to a vnode in (from, to], the net effect on each key, restricted to keys <= upTo when upTo
// is not nil. Of a key that changes without end the rows between are not told, but for every netBytes of changes.
func (s *RelationSnapshot) Changes(v vnode.ID, from, to epoch.Epoch, upTo []byte, emit func(*chunk.Chunk) error) error {
	it, err := s.view.Log(s.format.Table, uint16(v), from, to)
	if err != nil {
		return err
	}
	n := newNet(newRowDecoder(s.format, s.cols), emit)
	for it.Next() && err == nil {
		if key := it.Key()[kv.TablePrefixLen:]; upTo == nil || bytes.Compare(key, upTo) <= 0 {
			err = n.add(key, it.Old(), it.New())
		}
	}
	if closed := it.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return n.flush()
}

// rowDecoder turns stored rows into chunks of chosen columns.
type rowDecoder struct {
	format *RelationFormat
	cols   []int
	first  int          // room that a chunk begins with
	all    []*chunk.Vec // nil: not chosen
	ops    []chunk.Op   // nil while all rows are inserts
	n      int
}

// The room of a chunk, in rows. Most ranges of most relations have few, and not many of them are worth the memory of a full
// chunk; what has more grows twice.
const (
	roomFirst = 16
	roomNext  = 128
)

func newRowDecoder(f *RelationFormat, cols []int) *rowDecoder {
	return &rowDecoder{format: f, cols: cols, first: roomFirst}
}

// makeRoom makes room for a row more.
func (d *rowDecoder) makeRoom() {
	switch d.n {
	case 0:
		d.all, d.ops = make([]*chunk.Vec, len(d.format.Types)), nil
		for _, c := range d.cols {
			d.all[c] = chunk.NewVec(d.format.Types[c], d.first)
		}
	case roomFirst:
		d.grow(roomNext - roomFirst)
	case roomNext:
		d.grow(chunk.RowsMax - roomNext)
	}
}

func (d *rowDecoder) grow(rows int) {
	for _, c := range d.cols {
		d.all[c].Grow(rows)
	}
}

// note keeps what the row just decoded does.
func (d *rowDecoder) note(op chunk.Op) {
	if d.ops == nil && op != chunk.Insert {
		d.ops = slices.Repeat([]chunk.Op{chunk.Insert}, d.n)
	}
	if d.ops != nil {
		d.ops = append(d.ops, op)
	}
	d.n++
}

// change adds the difference between two stored values of a key. For a multiset that is a number of copies.
func (d *rowDecoder) change(key, old, new []byte) error {
	if !d.format.Multiset() {
		if old != nil {
			if err := d.add(chunk.Delete, key, old, 0); err != nil {
				return err
			}
		}
		if new != nil {
			return d.add(chunk.Insert, key, new, 0)
		}
		return nil
	}
	var was, is int64
	var err error
	if old != nil {
		if was, err = Count(old); err != nil {
			return err
		}
	}
	if new != nil {
		if is, err = Count(new); err != nil {
			return err
		}
	}
	op, n := chunk.Insert, is-was
	if n < 0 {
		op, n = chunk.Delete, -n
	}
	return d.add(op, key, nil, n)
}

// add decodes a stored row; copies 0 takes the count from the value.
func (d *rowDecoder) add(op chunk.Op, key, value []byte, copies int64) error {
	row := key
	if copies == 0 && (!d.format.Multiset() || value != nil) {
		var err error
		if row, copies, err = d.format.encoded(key, value); err != nil {
			return err
		}
	}
	for range copies {
		d.makeRoom()
		if err := keyenc.DecodeSome(d.all, d.format.Types, row, d.format.Growth); err != nil {
			return err
		}
		d.note(op)
	}
	return nil
}

// take returns the rows so far, nil when there are none.
func (d *rowDecoder) take() *chunk.Chunk {
	if d.n == 0 {
		return nil
	}
	cols := make([]*chunk.Vec, len(d.cols))
	for i, c := range d.cols {
		cols[i] = d.all[c]
	}
	c := chunk.New(d.ops, cols, d.n)
	d.all, d.ops, d.n = nil, nil, 0
	return c
}
