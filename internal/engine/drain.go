package engine

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// NextDurable waits until an epoch after the given one is durable and pins a view that has it. Who passes changes on, and
// must not do so twice, reads what is durable alone: anything else may be computed again after a crash, in other epochs.
func (e *Engine) NextDurable(ctx context.Context, j id.Job, after epoch.Epoch) (view kv.View, to epoch.Epoch, err error) {
	err = e.await(ctx, func(l look) (bool, error) {
		if _, ok := l.job(j); !ok {
			return false, errs.NoSuchJob.New("job", j)
		}
		to = l.durable
		return to > after, nil
	})
	if err != nil {
		return nil, 0, err
	}
	return e.View(), to, nil
}

// Drained gives up the changes of a sink up to an epoch: they were passed on, and that is stored.
func (e *Engine) Drained(sink id.Relation, to epoch.Epoch) {
	e.post(func() {
		if s := e.d.subscriptions[sink]; s != nil && s.from < to {
			s.from = to
			e.d.updateLeases()
		}
	})
}
