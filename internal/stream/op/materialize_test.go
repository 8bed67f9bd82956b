package op

import (
	"math/rand"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

func materializeSpec(f relation) script.Spec {
	dist := f.key
	if len(dist) == 0 {
		for i := range f.types {
			dist = append(dist, i)
		}
	}
	return script.Spec{Ports: []script.Port{{Types: f.types, Keys: dist}}, Out: f.types, Tables: 1, Logged: true,
		Build: func(e script.Env) stream.Operator {
			m := f.operator(e, dist)
			m.init()
			m.Table.CacheMax = max(m.Table.CacheMax, 1) // what Write keeps is not read before it is staged
			return &readBack{op: m, owned: e.Owned, all: e.Bounded}
		}}
}

type relation struct {
	types  []types.T
	key    []int
	policy catalog.ConflictPolicy
}

func TestMaterializeScript(t *testing.T) {
	policies := map[string]catalog.ConflictPolicy{"overwrite": catalog.ConflictOverwrite, "ignore": catalog.ConflictIgnore}
	script.RunScript(t, "testdata/materialize", func(d *datadriven.TestData) script.Spec {
		f := relation{types: parseTypes(t, arg(d, "types")), key: ints(t, d, "key")}
		if p := arg(d, "policy"); p != nil {
			f.policy = policies[p[0]]
		}
		s := materializeSpec(f)
		build := s.Build
		s.Build = func(e script.Env) stream.Operator {
			m := build(e).(*readBack).op
			m.index = nil // as it is made
			return m
		}
		return s
	})
}

func TestMaterializeMultiset(t *testing.T) {
	ts := []types.T{types.Int4, types.Text, types.Numeric}
	script.Check(t, script.Random{Spec: materializeSpec(relation{types: ts}), Row: rowsOf(3, ts), Oracle: sameRows})
}

func TestMaterializeKeyed(t *testing.T) {
	ts := []types.T{types.Int8, types.Text}
	next := int64(0) // keys are never used twice, so that random deletes keep the promise
	row := func(r *rand.Rand, _ int) types.Row {
		next++
		return types.Row{types.NewInt(next), types.NewBytes("x")}
	}
	script.Check(t, script.Random{Spec: materializeSpec(relation{types: ts, key: []int{0}}), Row: row, Oracle: sameRows})
}

func sameRows(in [][]types.Row) []types.Row { return in[0] }

// readBack emits, instead of what the operator passes on, how the stored relation changed: what is stored must be what
// the changes sum to.
type readBack struct {
	stream.NoWatermark
	op     *Materialize
	owned  vnode.Set
	all    bool
	before []storedRow // what was stored at the last barrier
	begun  bool
}

// begin reads what was stored when the operator was made.
func (b *readBack) begin() (err error) {
	if !b.begun {
		b.begun = true
		b.before, err = b.rows()
	}
	return err
}

func (b *readBack) Chunk(port int, c *chunk.Chunk, _ stream.Out) error {
	if err := b.begin(); err != nil {
		return err
	}
	return b.op.Chunk(port, c, stream.Discard{})
}

func (b *readBack) Barrier(barrier stream.Barrier, out stream.Out) error {
	if err := b.begin(); err != nil {
		return err
	}
	if err := b.op.Barrier(barrier, stream.Discard{}); err != nil {
		return err
	}
	after, err := b.rows()
	if err != nil {
		return err
	}
	d := newDiffer(b.op.Format.Types, out)
	for _, r := range b.before {
		d.rows.Add(0, r.bytes, -r.n)
	}
	for _, r := range after {
		d.rows.Add(0, r.bytes, r.n)
	}
	b.before = after
	if err := d.emit(); err != nil {
		return err
	}
	return d.flush()
}

type storedRow struct {
	bytes []byte
	n     int64
}
