package capture

import (
	"context"
	"errors"
	"slices"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// apply makes a batch of upstream transactions one transaction here, and confirms it. A table that fails is left out, and a
// TRUNCATE that is too large for one transaction splits the batch.
func (s *source) apply(ctx context.Context, r connector.Reader, batch []connector.Event) error {
	for _, ev := range batch {
		s.at = max(s.at, ev.Position)
		if ev.Txn != nil {
			s.gave(ev.Txn.XID)
		}
	}
	if len(batch) == 0 { // what was reached before was not stored
		batch = []connector.Event{{Position: s.at}}
	}
	err := s.applyBatch(ctx, batch)
	r.Confirm(connector.Position(s.rec.Position))
	return err
}

func (s *source) applyBatch(ctx context.Context, batch []connector.Event) error {
	for {
		err := s.commit(ctx, func(a *applier, next *meta.Capture) (progress bool, err error) {
			if err := a.lookUp(batch); err != nil {
				return false, err
			}
			for _, ev := range batch {
				if err := a.event(ev, next); err != nil {
					return false, err
				}
			}
			return next.Part != nil, nil
		})
		var failed *tableFailure
		var large *truncateLarge
		switch {
		case errors.As(err, &failed):
			err = s.giveUp(failed.rel, failed.cause)
		case errors.As(err, &large):
			err = s.applySlices(ctx, batch, large)
		default:
			return err
		}
		if err != nil {
			return err
		}
	}
}

// applySlices applies what comes before a large TRUNCATE and empties its table in slices, so that the batch can be applied.
// A crash in between begins with the TRUNCATE again.
func (s *source) applySlices(ctx context.Context, batch []connector.Event, large *truncateLarge) error {
	i := slices.IndexFunc(batch, func(ev connector.Event) bool { return ev.Txn != nil && ev.Txn.XID == large.xid && ev.Txn.Has(large.at) })
	before := slices.Clone(batch[:i+1])
	before[i].Txn, before[i].Position = before[i].Txn.Before(large.at), 0 // the log is not behind the transaction yet
	if err := s.applyBatch(ctx, before); err != nil {
		return err
	}
	return s.clearAll(ctx, large.table, func(key []byte) bool { return large.table.takes(key, large.xid) })
}
