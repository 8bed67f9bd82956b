package session

import (
	"context"
	"iter"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
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
	root, via := s.plan(pl, params)
	view, err := s.view(ctx, append(slices.Clip(pl.uses), via...))
	if err != nil {
		return nil, err
	}
	tag := Tag{Text: "SELECT", CountRows: true}
	if pl.few {
		return s.answer(ctx, view, root, pl.columns(), tag)
	}
	return s.stream(view, s.reader(view), root, pl.columns(), tag), nil
}

// fresh waits until what is read has reached every write acknowledged before, and pins the epoch.
func (s *Session) fresh(ctx context.Context, rels []*catalog.Relation) (kv.View, error) {
	if err := s.refuseUnread(rels); err != nil {
		return nil, err
	}
	for range replacedMax {
		at, jobs := s.d.freshFor(s.d.asTheyAre(rels))
		if s.vars.Text("freshness") == "none" {
			at = 0
		}
		if len(jobs) == 0 {
			break
		}
		stale, err := s.d.engine.WaitFresh(ctx, jobs, at, s.vars.Bool("read_incomplete"))
		if err != nil {
			return nil, err
		}
		if _, now := s.d.freshFor(s.d.asTheyAre(rels)); slices.Equal(jobs, now) { // else what was waited for has been replaced
			s.noticeStale(stale)
			break
		}
	}
	return s.d.engine.View(), nil
}

// replacedMax bounds how often a reader waits again because a view was replaced while it waited.
const replacedMax = 8

func (s *Session) noticeStale(stale []engine.Stale) {
	for _, st := range stale {
		s.notice("NOTICE", "job %d is %s, its rows are as of epoch %d%s", st.Job, st.State, st.AsOf, because(st.Cause))
	}
}

// freshFor collects the jobs of the relations and the epoch of the last write to any table below them.
func (d *Database) freshFor(rels []*catalog.Relation) (at epoch.Epoch, jobs []id.Job) {
	c := d.engine.Catalog()
	var tables []id.Table
	seen := map[id.Relation]bool{}
	var visit func(r *catalog.Relation)
	visit = func(r *catalog.Relation) {
		if seen[r.ID] {
			return
		}
		seen[r.ID] = true
		if r.Base() {
			tables = append(tables, r.Table)
		}
		for _, up := range r.DependsOn {
			if u, ok := c.Relation(up); ok {
				visit(u)
			}
		}
	}
	for _, r := range rels {
		visit(r)
		if r.Job != 0 {
			jobs = append(jobs, r.Job)
		}
	}
	return max(d.seq.Wrote(tables), d.opened), jobs
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

// stream runs a plan and hands out its rows as they come. The view is closed with the result.
func (s *Session) stream(view kv.View, r kv.Reader, root plan.Node, columns []Column, tag Tag) Result {
	return &streamResult{columns: columns, view: view, tag: tag,
		run: func(ctx context.Context, emit func(*chunk.Chunk) error) error {
			return query.Run(ctx, root, s.env(r), emit)
		}}
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
