package op

import (
	"bytes"

	"github.com/zeebo/xxh3"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/tally"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Materialize writes the rows of a relation and passes the changes on.
//
// Changes of an epoch come in any order, so they are netted by key first and applied at the barrier. Under
// catalog.ConflictError the upstream promises that each delete names the row that is there and that a key has one row;
// changes then pass as they come. Under the other policies it promises nothing but the order of one key's changes, and
// what is passed on, at the barrier, is what really changed:
//
//	overwrite  an insert replaces the row of its key, a delete removes it whatever its other columns say
//	ignore     an insert of a key that is there does nothing, nor does a delete of another row than that
type Materialize struct {
	stream.NoWatermark
	Format *state.RelationFormat
	Table  *state.Table
	Policy catalog.ConflictPolicy
	Tally  *tally.Counter // of the rows' changes; nil: they are not counted

	// An epoch that only inserts, such as one of a scan, needs no netting: its rows are written as they come. The first
	// delete takes them back, to index and net.
	netting bool

	index  *state.Index // vnode and key of rows that changed in this epoch
	net    *state.Multimap
	chains []chain // by key, under the other policies
	hashes []uint64
	places []uint64
	slots  []int32
	keys   state.Keys
	row    []byte
	buf    []byte       // vnode and key
	grown  stream.Grown // of the epoch so far
	told   stream.Grown // of the epoch that ended
}

// chain is what a key had before the epoch and has now.
type chain struct{ was, is []byte }

func (m *Materialize) init() {
	if m.index != nil {
		return
	}
	m.index, m.net = state.NewIndex(), state.NewMultimap()
	if m.trusting() && !m.Format.Multiset() {
		m.Table.CacheMax = -1 // it is only written
	}
}

// trusting reports whether the changes are taken as they are.
func (m *Materialize) trusting() bool {
	return m.Policy == catalog.ConflictError || m.Format.Multiset()
}

// Chunk records the changes.
func (m *Materialize) Chunk(_ int, c *chunk.Chunk, out stream.Out) error {
	m.init()
	m.grown.Changed = true
	if m.trusting() && !m.Format.Multiset() {
		if !m.netting && c.Ops == nil {
			m.write(c)
			return out.Chunk(c)
		}
		m.unfold()
	}
	m.keys.Reset()
	m.appendKeys(&m.keys, c)
	m.find(&m.keys)
	for i, s := range m.slots {
		m.row = keyenc.AppendRow(m.row[:0], c.Cols, i)
		if m.trusting() {
			m.net.Add(s, m.row, int64(c.Op(i)))
			m.grown.Rows += int64(c.Op(i))
			v, _ := splitPlace(m.keys.At(i))
			m.tally(v, m.row, int64(c.Op(i)))
		} else if err := m.step(s, c.Op(i), m.row); err != nil {
			return err
		}
	}
	if m.trusting() {
		return out.Chunk(c)
	}
	return nil
}

// write writes rows of an epoch without deletes.
func (m *Materialize) write(c *chunk.Chunk) {
	m.keys.Reset()
	m.appendKeys(&m.keys, c)
	for i := range c.Rows() {
		v, key := splitPlace(m.keys.At(i))
		m.row = keyenc.AppendRow(m.row[:0], c.Cols, i)
		m.Table.Write(v, key, nil, m.row)
		m.tally(v, m.row, 1)
	}
	m.grown.Rows += int64(c.Rows())
}

// tally counts a change of a row. It is an addition, so a trusted change is counted as it comes, netted or not.
func (m *Materialize) tally(v vnode.ID, row []byte, n int64) {
	if m.Tally != nil {
		m.Tally.Add(v, m.Format.Growth.Trim(m.Format.Types, row), n)
	}
}

// unfold begins to net: what was written comes first.
func (m *Materialize) unfold() {
	if m.netting {
		return
	}
	m.netting = true
	m.Table.TakeBack(func(v vnode.ID, key, row []byte) {
		m.buf = append(append(m.buf[:0], byte(v>>8), byte(v)), key...)
		s, _ := m.index.Insert(xxh3.Hash(m.buf), m.buf)
		m.net.Add(s, row, 1)
	})
}

// appendKeys adds vnode and key of each row.
func (m *Materialize) appendKeys(keys *state.Keys, c *chunk.Chunk) {
	n := c.Rows()
	m.places = sized(m.places, n)
	clear(m.places)
	if m.Format.Vnodes > 1 {
		m.Format.Hashes(c.Cols, m.places)
	}
	for i := range n {
		v := vnode.ID(0)
		if m.Format.Vnodes > 1 {
			v = vnode.Of(m.places[i], m.Format.Vnodes)
		}
		keys.Bytes = m.Format.AppendKey(append(keys.Bytes, byte(v>>8), byte(v)), c.Cols, i)
		keys.Ends = append(keys.Ends, len(keys.Bytes))
	}
}

// find fills slots with the keys.
func (m *Materialize) find(keys *state.Keys) {
	n := keys.Len()
	m.hashes, m.slots = sized(m.hashes, n), sized(m.slots, n)
	for i := range n {
		m.hashes[i] = xxh3.Hash(keys.At(i))
	}
	m.index.InsertBatch(m.hashes, keys, m.slots)
}

// place splits what is under a slot.
func (m *Materialize) place(s int32) (vnode.ID, []byte) { return splitPlace(m.index.Key(s)) }

func splitPlace(k []byte) (vnode.ID, []byte) { return vnode.ID(k[0])<<8 | vnode.ID(k[1]), k[2:] }

// step applies a change in the order of arrival.
func (m *Materialize) step(s int32, op chunk.Op, row []byte) error {
	if int(s) >= len(m.chains) {
		if err := m.open(s); err != nil {
			return err
		}
	}
	k := &m.chains[s]
	overwrite := m.Policy == catalog.ConflictOverwrite
	switch {
	case op == chunk.Insert && (overwrite || k.is == nil):
		k.is = bytes.Clone(row)
	case op == chunk.Delete && (overwrite || bytes.Equal(k.is, row)):
		k.is = nil
	}
	return nil
}

// open reads what the keys up to slot s have.
func (m *Materialize) open(s int32) error {
	for at := int32(len(m.chains)); at <= s; at++ {
		v, key := m.place(at)
		old, ok, err := m.Table.Get(v, key)
		if err != nil {
			return err
		}
		if ok {
			old = bytes.Clone(m.Format.Growth.Whole(m.Format.Types, old))
		}
		m.chains = append(m.chains, chain{old, old})
	}
	return nil
}

// Pending implements stream.Pending.
func (m *Materialize) Pending() int {
	n := m.Table.Written()
	if m.index != nil {
		n += m.index.Size() + m.net.Size() + cap(m.chains)*chainSize
	}
	return n
}

// Shrink implements stream.Pending.
func (m *Materialize) Shrink() { m.index, m.net, m.chains = state.NewIndex(), state.NewMultimap(), nil }

// chainSize is of a chain beside its rows.
const chainSize = 48

// Barrier applies the net effect on each key.
func (m *Materialize) Barrier(b stream.Barrier, out stream.Out) error {
	m.init()
	var err error
	switch {
	case m.Format.Multiset():
		err = m.each(m.count)
	case m.trusting():
		err = m.each(m.replace) // none, unless there was netting
	default:
		err = m.settle(out)
	}
	m.index.Reset()
	m.net.Reset()
	m.chains, m.netting = m.chains[:0], false
	m.told, m.grown = m.grown, stream.Grown{}
	if m.Tally != nil {
		m.told.Tally = m.Tally.Take()
	}
	m.widen(b.Mutations)
	return err
}

// Report tells what the epoch has added.
func (m *Materialize) Report() any { return m.told }

// widen takes over columns that the rows after the barrier have.
func (m *Materialize) widen(mutations []stream.Mutation) {
	for _, u := range mutations {
		if w, ok := u.(stream.Widen); ok && w.Table == m.Format.Table {
			f := *m.Format
			f.Types, f.Growth = w.Types, &keyenc.Growth{Added: w.Added}
			m.Format = &f
		}
	}
}

func (m *Materialize) each(apply func(s int32) error) error {
	for s := range int32(m.index.Len()) {
		if err := apply(s); err != nil {
			return err
		}
	}
	return nil
}

// count changes how many times a row of a multiset is there.
func (m *Materialize) count(s int32) error {
	r := m.net.First(s)
	if r < 0 {
		return nil
	}
	v, key := m.place(s)
	old, ok, err := m.Table.Get(v, key)
	if err != nil {
		return err
	}
	var had int64
	if ok {
		if had, err = state.Count(old); err != nil {
			return err
		}
		old = bytes.Clone(old)
	}
	total := had + m.net.Count(r)
	switch {
	case total < 0:
		return negative("row of relation " + m.Format.Table.String())
	case total == 0:
		m.Table.Put(v, key, old, nil)
	default:
		m.Table.Put(v, key, old, state.AppendCount(nil, total))
	}
	return nil
}

// replace writes one key: at most one row goes and one comes, unless the upstream broke its promise.
func (m *Materialize) replace(s int32) error {
	var old, new []byte
	for r := m.net.First(s); r >= 0; r = m.net.Next(r) {
		switch n := m.net.Count(r); {
		case n == 1 && new == nil:
			new = m.net.Bytes(r)
		case n == -1 && old == nil:
			old = m.net.Bytes(r)
		default:
			return errs.Internal.New("what", "a key of relation "+m.Format.Table.String()+" got more than one row in an epoch")
		}
	}
	if old == nil && new == nil {
		return nil
	}
	v, key := m.place(s)
	m.Table.Write(v, key, old, new)
	return nil
}

// settle writes and passes on what changed of each key under the other policies.
func (m *Materialize) settle(out stream.Out) error {
	e := newEmitter(m.Format.Types, out)
	for s, k := range m.chains {
		if bytes.Equal(k.was, k.is) && (k.was == nil) == (k.is == nil) {
			continue
		}
		v, key := m.place(int32(s))
		if k.was != nil {
			if err := e.row(k.was, -1); err != nil {
				return err
			}
			m.grown.Rows--
			m.tally(v, k.was, -1)
		}
		if k.is != nil {
			if err := e.row(k.is, +1); err != nil {
				return err
			}
			m.grown.Rows++
			m.tally(v, k.is, 1)
		}
		m.Table.Put(v, key, k.was, k.is)
	}
	return e.flush()
}
