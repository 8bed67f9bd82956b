package session

import (
	"context"
	"sync"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/state"
)

// pump passes what happens to a sink's rows on into its table: each epoch is one transaction, and the epoch is stored in
// the same synced write as the rows. It reads durable epochs only. So whatever crashes, what it has stored is never computed
// again, and what it has not is still in the changelog, which is kept for it.
type pump struct {
	s      *Session // of the sink's owner, for defaults and conflicts of the table; nil until there is one
	sinks  *sinks
	sink   *catalog.Relation
	stored epoch.Epoch // as far as is known to the store
	cancel context.CancelFunc
	begun  chan struct{} // closed once it is known where the sink begins
	ended  chan struct{}
	mu     struct {
		sync.Mutex
		pumpStatus
	}
}

// pumpStatus is how far a sink has come.
type pumpStatus struct {
	at  epoch.Epoch // what happened up to it is in the table; 0: it is not known yet where it begins
	fed epoch.Epoch // the epoch in which the table has the last of it
	err error       // why it does not get on; it tries again
}

func (p *pump) status() pumpStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mu.pumpStatus
}

// change updates the status and tells of it.
func (p *pump) change(fn func(st *pumpStatus)) {
	p.mu.Lock()
	fn(&p.mu.pumpStatus)
	p.mu.Unlock()
	p.sinks.tell()
}

// waitBegun waits until it is known where the sink begins: what happens from then on reaches the table.
func (p *pump) waitBegun(ctx context.Context) error {
	select {
	case <-p.begun:
		return nil
	case <-p.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pumpRetry is how long a sink that failed waits before it tries again.
const pumpRetry = time.Second

// run passes on until the sink is gone or the database closes.
func (p *pump) run(ctx context.Context) {
	defer close(p.ended)
	defer p.close()
	defer p.sinks.forget(p)
	for {
		err := p.advance(ctx)
		if ctx.Err() != nil || errs.Of(err, errs.NoSuchJob) || errs.Of(err, errs.ShuttingDown) {
			return
		}
		p.change(func(st *pumpStatus) { st.err = err })
		if err == nil {
			continue
		}
		p.sinks.d.logger.Warn("sink does not get on", "sink", p.sink.Qualified(), "error", err)
		select {
		case <-time.After(pumpRetry):
		case <-ctx.Done():
			return
		}
	}
}

// advance does the next thing: it opens the session, finds where the sink begins, or passes on.
func (p *pump) advance(ctx context.Context) (err error) {
	switch {
	case p.s == nil:
		p.s, err = p.sinks.d.NewSession(Startup{User: p.sink.Owner, Settings: map[string]string{"application_name": "sink " + p.sink.Name}})
		return err
	case p.status().at == 0:
		return p.begin(ctx)
	}
	return p.step(ctx)
}

func (p *pump) close() {
	if p.s != nil {
		p.s.Close()
	}
}

// begin finds the epoch after which changes are passed on by a sink without what was there when it was made: where it had
// caught up.
func (p *pump) begin(ctx context.Context) error {
	if err := p.sinks.d.engine.WaitJob(ctx, p.sink.Job); err != nil {
		return err
	}
	at := p.sinks.d.engine.Visible()
	if err := p.sinks.d.engine.WaitDurable(ctx, at); err != nil {
		return err
	}
	if err := p.store(at); err != nil {
		return err
	}
	p.change(func(st *pumpStatus) { st.at = at })
	close(p.begun)
	return nil
}

// store makes it known that everything up to an epoch was passed on.
func (p *pump) store(at epoch.Epoch) error {
	if err := p.sinks.d.store.Apply([]kv.Write{meta.PutSink(p.sink.ID, at)}); err != nil {
		return err
	}
	p.release(at)
	return nil
}

// release gives up the changelog up to an epoch that is stored.
func (p *pump) release(at epoch.Epoch) {
	p.stored = at
	p.sinks.d.engine.Drained(p.sink.ID, at)
}

// storeAfter is how many epochs without a change go by before that is stored, so that their changelog can go.
const storeAfter = 1024

// step waits for durable epochs and passes on what happened in them.
func (p *pump) step(ctx context.Context) error {
	from := p.status().at
	view, to, err := p.sinks.d.engine.NextDurable(ctx, p.sink.Job, from)
	if err != nil {
		return err
	}
	defer view.Close()
	var of epoch.Epoch
	var rows []*chunk.Chunk
	pass := func() error {
		if len(rows) == 0 {
			return nil
		}
		err := p.pass(ctx, of, rows)
		rows = nil
		return err
	}
	changes := state.NewRelationSnapshot(view, state.FormatOf(p.sink), p.sink.Visible())
	err = changes.Follow(from, to, func(e epoch.Epoch, c *chunk.Chunk) error {
		if e != of {
			if err := pass(); err != nil {
				return err
			}
		}
		of, rows = e, append(rows, c)
		return nil
	})
	if err == nil {
		err = pass()
	}
	if err != nil {
		return err
	}
	if to >= p.stored+storeAfter {
		if err := p.store(to); err != nil {
			return err
		}
	}
	p.change(func(st *pumpStatus) { st.at = to })
	return nil
}

// pass makes what happened in an epoch a transaction of the table.
func (p *pump) pass(ctx context.Context, of epoch.Epoch, rows []*chunk.Chunk) error {
	into, ok := p.sinks.d.engine.Catalog().Relation(p.sink.Into)
	if !ok {
		return errs.NoSuchJob.New("job", p.sink.Job) // the sink goes with its table
	}
	var b *sinkBatch
	t := dml.Begin(nil)
	t.Beside(meta.PutSink(p.sink.ID, of))
	err := p.sinks.d.seq.Exec(ctx, t, func(w *dml.Writer) error {
		b = &sinkBatch{s: p.s, sink: p.sink, into: into, table: p.sinks.d.table(into), w: w}
		return b.write(ctx, rows)
	})
	if err != nil {
		p.sinks.d.seq.Rollback(t)
		return err
	}
	changed := !t.Empty()
	fed, err := p.s.commitWrites(t)
	if err != nil {
		return err
	}
	for _, err := range b.lost {
		p.sinks.d.engine.RowLeftOut(p.sink.Job, err)
	}
	if changed { // else the epoch is not stored, and may be passed on again to no effect
		p.release(of)
	}
	p.change(func(st *pumpStatus) { st.at, st.fed = of, max(st.fed, fed) })
	return nil
}
