package op

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Materialize writes the rows of a relation and passes the changes on.
//
// With a key, the changes of an epoch to one key are a chain: each delete names the row that is there. They may come in
// any order, so they are netted by key first and applied at the barrier. Without a key rows are counted.
type Materialize struct {
	stream.NoWatermark
	Format *state.RelationFormat
	Table  *state.Table
	Policy catalog.ConflictPolicy

	hashes []uint64
	key    []byte
	row    []byte
	net    map[string]*keyNet // keyed relations: by vnode and key
	order  []string
}

// keyNet is what happened to one key in an epoch: rows that came and went, as compact bytes with their counts.
type keyNet struct {
	v    vnode.ID
	rows []rowCount
}

type rowCount struct {
	row []byte
	n   int
}

func (k *keyNet) add(row []byte, n int) {
	for i := range k.rows {
		if string(k.rows[i].row) == string(row) {
			k.rows[i].n += n
			return
		}
	}
	k.rows = append(k.rows, rowCount{append([]byte{}, row...), n})
}

// Chunk records the changes and passes them on.
func (m *Materialize) Chunk(_ int, c *chunk.Chunk, out stream.Out) error {
	m.hash(c)
	for i := range c.Rows() {
		v := vnode.ID(0)
		if m.Format.Vnodes > 1 {
			v = vnode.Of(m.hashes[i], m.Format.Vnodes)
		}
		m.key = m.Format.AppendKey(m.key[:0], c.Cols, i)
		if m.Format.Multiset() {
			if err := m.count(v, int64(c.Op(i))); err != nil {
				return err
			}
			continue
		}
		m.row = keyenc.AppendRow(m.row[:0], c.Cols, i)
		m.change(v, int(c.Op(i)))
	}
	return out.Chunk(c)
}

func (m *Materialize) hash(c *chunk.Chunk) {
	if m.Format.Vnodes == 1 {
		return
	}
	if cap(m.hashes) < c.Rows() {
		m.hashes = make([]uint64, c.Rows())
	}
	m.hashes = m.hashes[:c.Rows()]
	m.Format.Hashes(c.Cols, m.hashes)
}

// count changes how many times a row of a multiset is there. Between barriers it may be less than nothing.
func (m *Materialize) count(v vnode.ID, n int64) error {
	old, ok, err := m.Table.Get(v, m.key)
	if err != nil {
		return err
	}
	total := n
	if ok {
		had, err := state.Count(old)
		if err != nil {
			return err
		}
		total += had
		old = append([]byte{}, old...)
	}
	if total == 0 {
		m.Table.Put(v, m.key, old, nil)
		return nil
	}
	m.Table.Put(v, m.key, old, state.AppendCount(nil, total))
	return nil
}

func (m *Materialize) change(v vnode.ID, n int) {
	k := string(append([]byte{byte(v >> 8), byte(v)}, m.key...))
	e := m.net[k]
	if e == nil {
		if m.net == nil {
			m.net = map[string]*keyNet{}
		}
		e = &keyNet{v: v}
		m.net[k] = e
		m.order = append(m.order, k)
	}
	e.add(m.row, n)
}

// Barrier applies the net effect on each key.
func (m *Materialize) Barrier(stream.Barrier, stream.Out) error {
	for _, k := range m.order {
		if err := m.apply([]byte(k[2:]), m.net[k]); err != nil {
			return err
		}
	}
	clear(m.net)
	m.order = m.order[:0]
	return nil
}

// apply writes one key: at most one row goes and one comes, unless the upstream broke its promise of a unique key.
func (m *Materialize) apply(key []byte, e *keyNet) error {
	var old, new []byte
	for _, r := range e.rows {
		switch {
		case r.n == 0:
		case r.n == 1 && new == nil:
			new = r.row
		case r.n == -1 && old == nil:
			old = r.row
		default:
			return errs.Internal.New("what", "a key of a relation got more than one row in an epoch")
		}
	}
	if old == nil && new == nil {
		return nil
	}
	m.Table.Put(e.v, key, old, new)
	return nil
}
