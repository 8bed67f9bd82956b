package session

import (
	"context"
	"errors"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Subscription follows a relation: its rows as of one epoch, then what each later epoch changed. One goroutine at a time
// uses it.
type Subscription struct {
	d       *Database
	rel     *catalog.Relation
	columns []Column
	cols    []int
	lease   *engine.Lease
	first   kv.View     // of the snapshot, until that is read
	at      epoch.Epoch // everything up to it was emitted
}

// Subscribe starts to follow a table, materialized view or index. The snapshot holds every write acknowledged before.
func (s *Session) Subscribe(ctx context.Context, name string) (*Subscription, error) {
	rel, err := s.followed(name)
	if err != nil {
		return nil, err
	}
	view, err := s.fresh(ctx, basisOf(rel))
	if err != nil {
		return nil, err
	}
	view.Close() // the lease pins one that is at least as new
	out := &Subscription{d: s.d, rel: rel, cols: rel.Visible()}
	for _, i := range out.cols {
		out.columns = append(out.columns, Column{Name: rel.Columns[i].Name, Type: rel.Columns[i].Type})
	}
	out.lease, out.first, err = s.d.engine.Follow(rel.Job)
	if err != nil {
		return nil, err
	}
	out.at = out.first.Epoch()
	return out, nil
}

// followed finds a relation that has a changelog, by its name as a statement writes it.
func (s *Session) followed(name string) (*catalog.Relation, error) {
	e, err := parser.ParseExpr(name) // a column's name has the form of a relation's
	if err != nil {
		return nil, err
	}
	ref, ok := e.(*ast.ColumnRef)
	if !ok {
		return nil, errs.SubscribeName.New("name", name)
	}
	rel, err := s.binder(nil).Relation(ast.Name{Pos: ref.Pos, Parts: ref.Parts})
	if err != nil {
		return nil, err
	}
	if rel.Job == 0 {
		return nil, errs.SubscribeKind.New("name", rel.Name, "kind", rel.Kind)
	}
	return rel, nil
}

// Columns describes the rows.
func (s *Subscription) Columns() []Column { return s.columns }

// Next emits what comes next, chunk by chunk: first the snapshot, then the changes of the epochs that have become visible
// since, waiting for one. It returns the epoch that all of it leads to. After an error the subscription is at its end.
func (s *Subscription) Next(ctx context.Context, emit func(epoch.Epoch, *chunk.Chunk) error) (epoch.Epoch, error) {
	if s.first != nil {
		return s.at, s.snapshot(emit)
	}
	view, err := s.lease.Next(ctx, s.at)
	if err != nil {
		if errs.Of(err, errs.NoSuchJob) {
			err = s.gone()
		}
		return s.at, err
	}
	defer view.Close()
	to := view.Epoch()
	err = s.reader(view).Follow(s.at, to, emit)
	switch {
	case errors.Is(err, kv.ErrLogGone):
		return s.at, errs.SubscriptionLagged.New("name", s.rel.Name, "epoch", s.at)
	case err != nil:
		return s.at, err
	}
	s.at = to
	s.lease.Advance(to)
	return to, nil
}

// gone tells what became of a relation that cannot be followed any more.
func (s *Subscription) gone() error {
	if _, there := s.d.engine.Catalog().Relation(s.rel.ID); there {
		return errs.SubscriptionReplaced.New("name", s.rel.Name)
	}
	return errs.SubscriptionDropped.New("name", s.rel.Name)
}

// snapshotRows bounds the rows of one chunk of a snapshot.
const snapshotRows = chunk.RowsMax

// snapshot emits the rows of the first view.
func (s *Subscription) snapshot(emit func(epoch.Epoch, *chunk.Chunk) error) error {
	defer s.closeFirst()
	r := s.reader(s.first)
	for v := range s.rel.Vnodes {
		var cursor []byte
		for end := false; !end; {
			var c *chunk.Chunk
			var err error
			c, cursor, end, err = r.Scan(vnode.ID(v), cursor, snapshotRows)
			if err != nil {
				return err
			}
			if c == nil {
				continue
			}
			if err := emit(s.at, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Subscription) reader(view kv.View) *state.RelationSnapshot {
	return state.NewRelationSnapshot(view, state.FormatOf(s.rel), s.cols)
}

func (s *Subscription) closeFirst() {
	if s.first != nil {
		s.first.Close()
		s.first = nil
	}
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.closeFirst()
	s.lease.Release()
}
