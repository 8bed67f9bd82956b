package session

import (
	"context"
	"iter"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/query"
	"github.com/tidemark-db/tidemark/internal/types"
)

// query runs a SELECT.
func (s *Session) query(ctx context.Context, p *Prepared, params []types.Datum) (Result, error) {
	defer s.d.engine.Attend()()
	pl, err := s.plannedFor(p, params)
	if err != nil {
		return nil, err
	}
	root, from := s.plan(pl, params)
	view, err := s.view(ctx, from)
	if err != nil {
		return nil, err
	}
	env := s.env(s.reader(view))
	env.Ctx.Params, env.Formats = params, pl.formats
	if pl.few {
		return s.answer(ctx, view, root, env, pl)
	}
	return s.stream(view, env, root, pl), nil
}

func (s *Session) noticeStale(stale []engine.Stale) {
	for _, st := range stale {
		s.notice("NOTICE", "job %d is %s, its rows are as of epoch %d%s", st.Job, st.State, st.AsOf, because(st.Cause))
	}
}

// reader lays the transaction's own writes over a view.
func (s *Session) reader(view kv.View) kv.Reader {
	if w := s.ownWrites(); w != nil {
		return w.Reader(view)
	}
	return view
}

// ownWrites is the open transaction if it has written anything, else nil.
func (s *Session) ownWrites() *dml.Txn {
	if s.txn.writes == nil || s.txn.writes.Empty() {
		return nil
	}
	return s.txn.writes
}

// selected is the tag of a query.
var selected = Tag{Text: "SELECT", CountRows: true}

// stream runs a plan and hands out its rows as they come. The view is closed with the result.
func (s *Session) stream(view kv.View, env query.Env, root plan.Node, pl *planned) Result {
	return &streamResult{columns: pl.columns, view: view, tag: selected,
		run: func(ctx context.Context, emit func(*chunk.Chunk) error) error { return query.Run(ctx, root, env, emit) }}
}

// streamResult pulls the rows out of a running query.
type streamResult struct {
	columns []Column
	view    kv.View
	tag     Tag
	run     func(context.Context, func(*chunk.Chunk) error) error
	next    func() (*chunk.Chunk, error, bool)
	stop    func()
}

func (r *streamResult) Columns() []Column { return r.columns }

func (r *streamResult) Next(ctx context.Context) (*chunk.Chunk, error) {
	if r.next == nil {
		r.next, r.stop = iter.Pull2(func(yield func(*chunk.Chunk, error) bool) {
			err := r.run(ctx, func(c *chunk.Chunk) error {
				if !yield(c, nil) {
					return context.Canceled
				}
				return nil
			})
			if err != nil {
				yield(nil, err)
			}
		})
	}
	c, err, ok := r.next()
	if !ok {
		return nil, nil
	}
	return c, err
}

func (r *streamResult) Finish(context.Context) (Tag, error) { return r.tag, nil }

func (r *streamResult) Close() {
	if r.stop != nil {
		r.stop()
	}
	if r.view != nil {
		r.view.Close()
		r.view = nil
	}
}
