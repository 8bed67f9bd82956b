package engine

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Lease keeps the changelog of one relation for a reader who follows it. The reader moves it on as it reads; one that does
// not come back within the retention loses it and is told so by its next read of the changelog.
type Lease struct {
	e     *Engine
	job   id.Job
	table id.Table
	from  epoch.Epoch   // changes after it are kept
	since time.Time     // when a change was published that the reader has not read; zero: it has read all
	read  atomic.Uint64 // the epoch that the reader has read up to; the driver may not have heard of it yet
}

// Follow grants a lease on the changelog of a job's relation and pins the epoch that it begins at: the view and the
// changes after it are the whole history.
func (e *Engine) Follow(j id.Job) (l *Lease, view kv.View, err error) {
	err = e.do(context.Background(), func(d *driver) error {
		def := d.jobs[j]
		if def == nil {
			return errs.NoSuchJob.New("job", j)
		}
		view = e.store.View()
		l = &Lease{e: e, job: j, table: def.Table, from: view.Epoch()}
		d.grant(l)
		return nil
	})
	if err != nil && view != nil { // granted by a driver that ended at once
		view.Close()
	}
	return l, view, err
}

// grant keeps the changelog from where the lease stands on.
func (d *driver) grant(l *Lease) {
	l.since = time.Time{}
	if d.behindChanges(l) {
		l.since = d.e.opts.Now()
	}
	d.leases[l] = true
	d.updateLeases()
}

// advance moves a lease on to what its reader has read.
func (d *driver) advance(l *Lease) {
	l.from = max(l.from, epoch.Epoch(l.read.Load()))
	d.grant(l)
}

// Next waits until an epoch after the one the lease stands at is visible, and pins it.
func (l *Lease) Next(ctx context.Context, after epoch.Epoch) (kv.View, error) {
	err := l.e.await(ctx, func(k look) (bool, error) {
		if _, ok := k.job(l.job); !ok {
			return false, errs.NoSuchJob.New("job", l.job)
		}
		return k.visible > after, nil
	})
	if err != nil {
		return nil, err
	}
	return l.e.View(), nil
}

// Advance gives up the changes up to an epoch: the reader has them.
func (l *Lease) Advance(to epoch.Epoch) {
	l.read.Store(uint64(to))
	l.e.post(func() {
		if l.e.d.leases[l] {
			l.e.d.advance(l)
		}
	})
}

// Release ends the lease.
func (l *Lease) Release() {
	l.e.post(func() {
		delete(l.e.d.leases, l)
		l.e.d.updateLeases()
	})
}

// behindChanges reports whether the relation has changed since where the lease stands. Of what was before the driver began it is not
// known when.
func (d *driver) behindChanges(l *Lease) bool { return max(d.movedAt[l.job], d.began) > l.from }

// noticeUnread notes which readers of changelogs have something to read from now on.
func (d *driver) noticeUnread(now time.Time) {
	for l := range d.leases {
		if l.since.IsZero() && d.behindChanges(l) {
			l.since = now
		}
	}
}

// expireLeases ends those whose readers did not read what there is within the retention.
func (d *driver) expireLeases(now time.Time) {
	expired := false
	for l := range d.leases {
		switch {
		case l.since.IsZero() || now.Sub(l.since) <= d.e.opts.ChangelogRetention:
		case epoch.Epoch(l.read.Load()) > l.from: // the reader was in time, the driver is late
			d.advance(l)
		default:
			delete(d.leases, l)
			expired = true
		}
	}
	if expired {
		d.updateLeases()
	}
	d.expireSets(now)
}

// expireSets ends those that did not get on within the retention: a changelog is not kept for ever.
func (d *driver) expireSets(now time.Time) {
	for _, s := range d.eachSet() {
		if s.AsOf == 0 || s.LaggedOut || now.Sub(s.asOfAt) <= d.e.opts.ChangelogRetention {
			continue
		}
		err := laggedOut(s.jobs[0], s.AsOf)
		if s.Running {
			d.actorFailed(d.insts[s.jobs[0]], err)
		} else {
			d.setFailed(s, err)
		}
		d.updateLeases()
	}
}

func laggedOut(j id.Job, asOf epoch.Epoch) error {
	return errs.BackfillLaggedOut.New("job", j, "epoch", asOf)
}
