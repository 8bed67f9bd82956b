package verify

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/query"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// comparison is one run: both sides are read in each pass.
type comparison struct {
	Subject
	Options
	ctx    context.Context
	format *state.RelationFormat
	chosen []bool
	entry  []byte // of the row at hand
	places []uint64
}

// side takes the rows of both sides as entries: n times more in the view, or -1 for a row of the query's answer. The
// entry is only lent.
type side interface{ add(entry []byte, n int64) }

// An entry is a row where it is stored and as it is stored:
//
//	vnode 2 | length of key | key | value
//
// In a multiset the value is left out, and n is what it says. So rows in the wrong vnode, or under a key that is not
// theirs, are differences as well: a look-up would not find them.
func (c *comparison) set(v vnode.ID, key []byte) {
	c.entry = append(c.entry[:0], byte(v>>8), byte(v))
	c.entry = binary.AppendUvarint(c.entry, uint64(len(key)))
	c.entry = append(c.entry, key...)
}

// pass reads both sides.
func (c *comparison) pass(to side) error {
	if err := c.stored(to); err != nil {
		return err
	}
	return query.Run(c.ctx, c.Plan, query.Env{Reader: c.Reader, Ctx: c.Ctx}, func(rows *chunk.Chunk) error {
		c.fresh(rows, to)
		return nil
	})
}

// fresh adds rows of the query's answer.
func (c *comparison) fresh(rows *chunk.Chunk, to side) {
	c.places = slices.Grow(c.places[:0], rows.Rows())[:rows.Rows()]
	if c.format.Vnodes > 1 {
		c.format.Hashes(rows.Cols, c.places)
	}
	var key []byte
	for i := range rows.Rows() {
		v := vnode.ID(0)
		if c.format.Vnodes > 1 {
			v = vnode.Of(c.places[i], c.format.Vnodes)
		}
		if c.chosen != nil && !c.chosen[v] {
			continue
		}
		key = c.format.AppendKey(key[:0], rows.Cols, i)
		c.set(v, key)
		if !c.format.Multiset() {
			c.entry = keyenc.AppendRow(c.entry, rows.Cols, i)
		}
		to.add(c.entry, -1)
	}
}

// stored adds what the view has. All of its table is read, not only vnodes that there should be.
func (c *comparison) stored(to side) error {
	if c.chosen == nil {
		start, end := kv.TableRange(c.format.Table)
		return c.storedIn(start, end, to)
	}
	for v, chosen := range c.chosen {
		if !chosen {
			continue
		}
		start := kv.AppendTable(nil, c.format.Table, uint16(v))
		if err := c.storedIn(start, kv.PrefixEnd(start), to); err != nil {
			return err
		}
	}
	return nil
}

// lookEvery is how many stored rows are read between two looks at whether the statement was cancelled.
const lookEvery = 1024

func (c *comparison) storedIn(start, end []byte, to side) error {
	it := c.Reader.Scan(start, end)
	for n := 0; it.Next(); n++ {
		if n%lookEvery == 0 && c.ctx.Err() != nil {
			it.Close()
			return c.ctx.Err()
		}
		_, v, key, _ := kv.TableOf(it.Key())
		c.set(vnode.ID(v), key)
		copies := int64(1)
		if !c.format.Multiset() {
			c.entry = append(c.entry, it.Value()...)
		} else if count, err := state.Count(it.Value()); err == nil && count > 0 {
			copies = count
		} else {
			c.entry = append(c.entry, it.Value()...) // no row of an answer is like this
		}
		to.add(c.entry, copies)
	}
	return it.Close()
}
