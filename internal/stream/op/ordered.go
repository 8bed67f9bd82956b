package op

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// orderedRows keeps the rows of partitions in order, ties broken by all columns so that the order depends on the rows
// alone. The changes of an epoch are held as their net effect until the operator, at the barrier, has looked at each
// changed partition as it was.
//
// A row is stored as
//
//	partition key, order key, key of all columns, compact row -> count, length of the order key, length of the row
type orderedRows struct {
	types     []types.T
	partition []int
	order     []plan.Order
	vnodes    int
	dist      []int
	table     *state.Table

	parts   *state.Index // partitions that changed in this epoch
	places  []vnode.ID   // by partition
	changes *state.Multimap
	hashes  []uint64
	slots   []int32
	keys    state.Keys
	buf     []byte
}

func (o *orderedRows) init() *orderedRows {
	o.parts, o.changes = state.NewIndex(), state.NewMultimap()
	return o
}

// add takes the changes of a chunk.
func (o *orderedRows) add(c *chunk.Chunk) {
	o.find(c)
	for i, p := range o.slots {
		o.changes.Add(p, o.form(c, i), int64(c.Op(i)))
	}
}

// pending is about how many bytes the changes of the epoch take.
func (o *orderedRows) pending() int { return o.parts.Size() + o.changes.Size() }

// unstaged is about how many bytes the changes of the epoch come to in the table.
func (o *orderedRows) unstaged() int { return o.changes.Used() }

// shrink gives back the memory of an epoch that is over.
func (o *orderedRows) shrink() {
	o.init()
	o.places = nil
}

// size is pending with the table of a query.
func (o *orderedRows) size() int {
	n := o.pending()
	if o.table.Reader == nil {
		n += o.table.Size()
	}
	return n
}

// find fills slots with the partitions of the rows.
func (o *orderedRows) find(c *chunk.Chunk) {
	o.hashes, o.slots = sized(o.hashes, c.Rows()), sized(o.slots, c.Rows())
	cols := c.Project(o.partition).Cols
	appendKeys(&o.keys, cols, c.Rows())
	vnode.Hash(cols, o.hashes)
	o.parts.InsertBatch(o.hashes, &o.keys, o.slots)
	if o.vnodes > 1 {
		vnode.Hash(c.Project(o.dist).Cols, o.hashes)
	}
	for i, p := range o.slots {
		if int(p) < len(o.places) {
			continue
		}
		v := vnode.ID(0)
		if o.vnodes > 1 {
			v = vnode.Of(o.hashes[i], o.vnodes)
		}
		o.places = append(o.places, v)
	}
}

// form is how a change is held: the two lengths, then the stored key without the partition.
func (o *orderedRows) form(c *chunk.Chunk, i int) []byte {
	key := o.buf[:0]
	for _, s := range o.order {
		key = keyenc.AppendKeyVec(key, c.Cols[s.Col], i, keyenc.Order{Desc: s.Desc, NullsFirst: s.NullsFirst})
	}
	orderLen := len(key)
	for _, col := range c.Cols {
		key = keyenc.AppendKeyVec(key, col, i, keyenc.Order{})
	}
	rowAt := len(key)
	key = keyenc.AppendRow(key, c.Cols, i)
	o.buf = key
	b := binary.AppendUvarint(nil, uint64(orderLen))
	b = binary.AppendUvarint(b, uint64(len(key)-rowAt))
	return append(b, key...)
}

// each calls visit for the partitions that changed, in the order in which they did, and forgets the epoch.
func (o *orderedRows) each(visit func(p int32) error) error {
	for p := range int32(o.parts.Len()) {
		if err := visit(p); err != nil {
			return err
		}
	}
	o.parts.Reset()
	o.changes.Reset()
	o.places = o.places[:0]
	return nil
}

// apply writes the changes of a partition.
func (o *orderedRows) apply(p int32) error {
	for r := o.changes.First(p); r >= 0; r = o.changes.Next(r) {
		form := o.changes.Bytes(r)
		_, n := binary.Uvarint(form)
		_, k := binary.Uvarint(form[n:])
		key := append(append([]byte{}, o.parts.Key(p)...), form[n+k:]...)
		old, _, err := o.table.Get(o.places[p], key)
		if err != nil {
			return err
		}
		var had int64
		if old != nil {
			if had, _ = binary.Varint(old); had == 0 {
				return errs.RowCorrupt.New("what", "count of an ordered row")
			}
		}
		count := had + o.changes.Count(r)
		if count < 0 {
			return negative("row of an ordered partition")
		}
		if count == 0 {
			o.table.Put(o.places[p], key, nil, nil)
			continue
		}
		o.table.Put(o.places[p], key, nil, append(binary.AppendVarint([]byte{}, count), form[:n+k]...))
	}
	return nil
}

// orderedRow is a row met in a scan; its bytes are valid until the next.
type orderedRow struct {
	row, order []byte
	count      int64
}

// scan visits the rows of a partition in order until visit says no.
func (o *orderedRows) scan(p int32, visit func(r orderedRow) (bool, error)) error {
	prefix := len(o.parts.Key(p))
	it := o.table.Scan(o.places[p], o.parts.Key(p))
	var err error
	for more := true; more && err == nil && it.Next(); {
		var r orderedRow
		if r, err = splitOrdered(it.Key()[prefix:], it.Value()); err == nil {
			more, err = visit(r)
		}
	}
	if cerr := it.Close(); err == nil {
		err = cerr
	}
	return err
}

func splitOrdered(key, value []byte) (orderedRow, error) {
	count, n := binary.Varint(value)
	if n > 0 {
		value = value[n:]
		orderLen, n := binary.Uvarint(value)
		if n > 0 {
			rowLen, k := binary.Uvarint(value[n:])
			if size := uint64(len(key)); k > 0 && orderLen <= size && rowLen <= size {
				return orderedRow{row: key[len(key)-int(rowLen):], order: key[:orderLen], count: count}, nil
			}
		}
	}
	return orderedRow{}, errs.RowCorrupt.New("what", "lengths of an ordered row")
}

// negative reports an upstream that deleted what it had not inserted.
func negative(what string) error {
	return errs.Internal.New("what", "a "+what+" was deleted more often than it was inserted")
}

// appendKeys fills a batch with the keys of n rows of the columns.
func appendKeys(keys *state.Keys, cols []*chunk.Vec, n int) {
	keys.Reset()
	for i := range n {
		for _, v := range cols {
			keys.Bytes = keyenc.AppendKeyVec(keys.Bytes, v, i, keyenc.Order{})
		}
		keys.Ends = append(keys.Ends, len(keys.Bytes))
	}
}

// sized returns a slice of n elements, the old one if it is large enough.
func sized[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, max(n, chunk.RowsMax))
	}
	return s[:n]
}
