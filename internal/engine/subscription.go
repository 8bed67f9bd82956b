package engine

import (
	"context"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
)

// subscription keeps the changelog of a relation for readers to come, as far back as its retention says.
type subscription struct {
	table     id.Table
	job       id.Job
	retention time.Duration
	from      epoch.Epoch // changes after it are kept
	marks     []mark      // when epochs were visible, the oldest first
	drained   bool        // it is a sink's own, which is kept until the sink has passed it on
}

// mark says that an epoch was visible at a time.
type mark struct {
	at    time.Time
	epoch epoch.Epoch
}

// marksMax bounds the marks of a subscription: its retention is kept to that fraction.
const marksMax = 256

// recoverSubscriptions begins to keep what the catalog's subscriptions are owed. How old an epoch is, is not stored: what
// was kept before a restart is kept for a whole retention after it.
func (d *driver) recoverSubscriptions() {
	d.subscriptions = map[id.Relation]*subscription{}
	for _, rel := range d.e.Catalog().Relations() {
		d.subscribe(rel)
	}
}

// subscribe begins to keep the changelog for a relation that is a subscription.
func (d *driver) subscribe(rel *catalog.Relation) {
	if rel.Drains() {
		d.subscriptions[rel.ID] = &subscription{table: rel.Table, job: rel.Job, from: epoch.Epoch(rel.Since), drained: true}
		return
	}
	if rel.Kind != catalog.KindSubscription || len(rel.DependsOn) == 0 {
		return
	}
	if on, ok := d.e.Catalog().Relation(rel.DependsOn[0]); ok {
		d.subscriptions[rel.ID] = &subscription{table: on.Table, job: on.Job, retention: rel.Retention, from: epoch.Epoch(rel.Since)}
	}
}

// ageSubscriptions gives up what is older than the retention.
func (d *driver) ageSubscriptions(now time.Time) {
	moved := false
	for r, s := range d.subscriptions {
		if s.drained {
			continue
		}
		if rel, ok := d.e.Catalog().Relation(r); ok {
			s.retention = rel.Retention // it may have been altered
		}
		if n := len(s.marks); n == 0 || now.Sub(s.marks[n-1].at) >= s.retention/marksMax {
			s.marks = append(s.marks, mark{now, d.coord.Visible()})
		}
		for len(s.marks) > 1 && now.Sub(s.marks[1].at) >= s.retention {
			s.marks = s.marks[1:]
			s.from, moved = max(s.from, s.marks[0].epoch), true
		}
	}
	if moved {
		d.updateLeases()
	}
}

// FollowFrom grants a lease on the changelog that a subscription keeps, from after an epoch on; 0 is the oldest that there
// is. The reader has everything up to the epoch that is returned.
func (e *Engine) FollowFrom(ctx context.Context, sub id.Relation, after epoch.Epoch) (l *Lease, at epoch.Epoch, err error) {
	err = e.do(ctx, func(d *driver) error {
		s := d.subscriptions[sub]
		if s == nil {
			return errs.NoSuchSubscription.New()
		}
		if at = after; at == 0 {
			at = s.from
		}
		if at < s.from || at > d.coord.Visible() {
			return errs.SubscriptionRange.New("epoch", after, "from", s.from, "to", d.coord.Visible())
		}
		l = &Lease{e: e, job: s.job, table: s.table, from: at}
		d.grant(l)
		return nil
	})
	return l, at, err
}
