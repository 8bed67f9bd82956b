package query

import (
	"errors"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/spill"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// An aggregation whose groups do not fit keeps those that it has. Rows of others go to files by the hash of their group; when
// the input has ended and the groups in memory are passed on, each file is aggregated alone, in the same way.
const (
	partitionBits = 4  // of the hash choose a file, the highest first: the lowest spread the groups of a file in the index
	hashBits      = 64 // of a hash
	partitions    = 1 << partitionBits
	// partedMax bounds how often rows are parted again: by then there would be 65,536 files' worth of groups.
	partedMax = 4
	// growthShare is the part of what the groups took when they became too many that they may still grow by: a larger
	// max(text), a value more of count(DISTINCT).
	growthShare = 8
)

// grouping is an aggregation that tells which rows belong to groups that it has.
type grouping interface {
	stream.Operator
	stream.Sized
	Known(c *chunk.Chunk) (known, others []int32)
}

// aggregate runs an aggregation with GROUP BY.
func (x *executor) aggregate(n *plan.Agg, out stream.Out) error {
	return x.groups(n, 0, func(to stream.Out) error { return x.run(n.Input, to) }, guard{x.cancel, out})
}

// groups aggregates the rows that input gives, which were parted so often already.
func (x *executor) groups(n *plan.Agg, parted int, input func(stream.Out) error, out stream.Out) error {
	if err := x.cancel.Err(); err != nil {
		return err
	}
	op, err := x.operator(n)
	if err != nil {
		return err
	}
	g := &grouper{x: x, n: n, op: op.(grouping), held: x.hold(op), parted: parted, out: out, blocks: mem.NewMeter(x.Memory)}
	defer g.held.meter.Close()
	defer g.blocks.Close()
	if err = input(sink(g.add)); err == nil {
		err = op.Barrier(stream.Barrier{}, out)
	}
	if err == nil {
		err = g.rest()
	}
	return errors.Join(err, g.close())
}

// grouper feeds an aggregation, and files what it has no room for.
type grouper struct {
	x      *executor
	n      *plan.Agg
	op     grouping
	held   *held
	parted int
	out    stream.Out
	most   int                     // bytes that the groups may take; 0 as long as there is room
	files  [partitions]*spill.File // nil: nothing was filed
	blocks mem.Meter               // of the files
	hashes []uint64
	row    []byte
}

func (g *grouper) add(c *chunk.Chunk) error {
	if g.most > 0 {
		known, others := g.op.Known(c)
		if err := g.file(c, others); err != nil || len(known) == 0 {
			return err
		}
		c = c.Gather(known)
	}
	if err := g.op.Chunk(0, c, g.out); err != nil {
		return err
	}
	return g.grown()
}

// grown notes what the groups take, and when they begin to be too many.
func (g *grouper) grown() error {
	size := g.op.Size()
	err := fits(&g.held.meter, int64(size))
	if full, ok := errs.As(err); !ok || full.Entry != errs.OutOfMemory || g.parted == partedMax {
		return err
	}
	if g.most == 0 {
		g.most = size + size/growthShare
	}
	if size > g.most {
		return err
	}
	return nil
}

// file puts rows into the files of their groups.
func (g *grouper) file(c *chunk.Chunk, rows []int32) error {
	if len(rows) == 0 {
		return nil
	}
	g.hashes = append(g.hashes[:0], make([]uint64, c.Rows())...)
	vnode.Hash(c.Project(g.n.Group).Cols, g.hashes)
	for _, i := range rows {
		p := g.hashes[i] >> (hashBits - partitionBits*(g.parted+1)) % partitions
		if g.files[p] == nil {
			f, err := g.x.Spill.Create()
			if err != nil {
				return err
			}
			g.files[p] = f
			g.blocks.Note(g.blocks.Held() + spill.BlockBytes)
		}
		g.row = keyenc.AppendRow(g.row[:0], c.Cols, int(i))
		if err := g.files[p].Append(nil, g.row); err != nil {
			return err
		}
	}
	return nil
}

// rest aggregates what was filed. The groups that were in memory are gone by then.
func (g *grouper) rest() error {
	g.op, g.held.op = nil, nil
	g.held.meter.Close()
	for _, f := range g.files {
		if f != nil {
			if err := f.Seal(); err != nil {
				return err
			}
		}
	}
	g.blocks.Note(spill.BlockBytes) // of the one that is read
	for i, f := range g.files {
		if f == nil {
			continue
		}
		if err := g.x.groups(g.n, g.parted+1, g.read(f), g.out); err != nil {
			return err
		}
		g.files[i] = nil
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// read gives the rows of a file.
func (g *grouper) read(f *spill.File) func(stream.Out) error {
	return func(to stream.Out) error {
		p := rowsOut{types: types.FieldTypes(g.n.Input.Schema()), out: to}
		for {
			_, row, ok, err := f.Next()
			if err != nil {
				return err
			}
			if !ok {
				return p.flush()
			}
			if err := p.add(row); err != nil {
				return err
			}
		}
	}
}

// close removes the files that are left.
func (g *grouper) close() (err error) {
	for _, f := range g.files {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}
