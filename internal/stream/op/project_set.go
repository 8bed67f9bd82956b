package op

import (
	"iter"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// ProjectSet appends the rows of set-returning functions, run in lock step, to each input row; see plan.ProjectSet. A
// function that fails on a row of a running view has no more rows there.
type ProjectSet struct {
	stream.NoWatermark
	calls             []plan.SetCall
	argTypes          [][]types.T
	ordinality, outer bool
	ctx               *expr.Ctx
	types             []types.T
}

// NewProjectSet returns the operator; ts are the types of its output.
func NewProjectSet(calls []plan.SetCall, ordinality, outer bool, ts []types.T, ctx *expr.Ctx) *ProjectSet {
	p := &ProjectSet{calls: calls, ordinality: ordinality, outer: outer, ctx: ctx, types: ts}
	for _, c := range calls {
		p.argTypes = append(p.argTypes, expr.Types(c.Args))
	}
	return p
}

// Chunk emits the rows of each change.
func (p *ProjectSet) Chunk(_ int, c *chunk.Chunk, out stream.Out) error {
	args := make([]*chunk.Chunk, len(p.calls)) // by call
	for i, call := range p.calls {
		cols := make([]*chunk.Vec, len(call.Args))
		for j, e := range call.Args {
			v, err := e.Eval(p.ctx, c, nil)
			if err != nil {
				return err
			}
			cols[j] = v
		}
		args[i] = c.With(cols)
	}
	b := chunk.NewBuilder(p.types, 0)
	for i := range c.Rows() {
		if err := p.expand(c, args, i, b, out); err != nil {
			return err
		}
	}
	return send(b, out)
}

// send emits what a builder has collected.
func send(b *chunk.Builder, out stream.Out) error {
	if c := b.Take(); c != nil {
		return out.Chunk(c)
	}
	return nil
}

// expand emits the rows of one input row.
func (p *ProjectSet) expand(c *chunk.Chunk, args []*chunk.Chunk, i int, b *chunk.Builder, out stream.Out) error {
	step := p.open(args, i)
	defer step.close()
	row := make(types.Row, len(p.types))
	in := copy(row, c.Row(i))
	for n := int64(1); ; n++ {
		clear(row[in:])
		some, err := step.next(row[in:])
		if err != nil {
			return err
		}
		if !some && !(n == 1 && p.outer) {
			return nil
		}
		if p.ordinality && some {
			row[len(row)-1] = types.NewInt(n)
		}
		b.Append(c.Op(i), row)
		if b.Full() {
			if err := send(b, out); err != nil {
				return err
			}
		}
		if !some {
			return nil
		}
	}
}

// lockStep runs the functions of one input row side by side.
type lockStep struct {
	*ProjectSet
	runs []setRun
}

type setRun struct {
	next func() (types.Row, error, bool)
	stop func()
	done bool
	cols int
}

func (p *ProjectSet) open(args []*chunk.Chunk, i int) *lockStep {
	s := &lockStep{ProjectSet: p}
	for k, call := range p.calls {
		next, stop := iter.Pull2(call.Fn.Run(p.ctx, p.argTypes[k], args[k].Row(i)))
		s.runs = append(s.runs, setRun{next: next, stop: stop, cols: len(call.Fields)})
	}
	return s
}

func (s *lockStep) close() {
	for _, r := range s.runs {
		r.stop()
	}
}

// next fills the columns of the functions that still have a row and reports whether one had.
func (s *lockStep) next(to types.Row) (some bool, err error) {
	for i := range s.runs {
		r := &s.runs[i]
		if r.done {
			to = to[r.cols:]
			continue
		}
		row, err, ok := r.next()
		if err != nil {
			if err = failed(s.ctx, err); err != nil {
				return false, err
			}
			ok = false
		}
		if r.done = !ok; ok {
			copy(to, row)
			some = true
		}
		to = to[r.cols:]
	}
	return some, nil
}

// Barrier moves the clock.
func (p *ProjectSet) Barrier(b stream.Barrier, _ stream.Out) error {
	tick(p.ctx, b)
	return nil
}
