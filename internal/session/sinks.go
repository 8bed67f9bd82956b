package session

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// sinks are the sinks into tables of a database that run.
type sinks struct {
	d  *Database
	mu struct {
		sync.Mutex
		pumps   map[id.Relation]*pump
		changed chan struct{} // closed and replaced when one gets on
		closed  bool
	}
}

// openSinks lets the sinks of the catalog go on where they stopped.
func (d *Database) openSinks() error {
	d.sinks = &sinks{d: d}
	d.sinks.mu.pumps, d.sinks.mu.changed = map[id.Relation]*pump{}, make(chan struct{})
	at, err := meta.LoadSinks(d.store.Meta())
	if err != nil {
		return err
	}
	for _, rel := range d.engine.Catalog().Relations() {
		if !rel.Drains() {
			continue
		}
		d.sinks.start(rel, at[rel.ID])
	}
	return nil
}

// start lets a sink run. Its changes up to an epoch are in its table; 0: it has passed on nothing. It begins where it stopped or
// where it was made; where that is found out later, nobody waits for what it has to pass on before.
func (k *sinks) start(rel *catalog.Relation, at epoch.Epoch) *pump {
	ctx, cancel := context.WithCancel(context.Background())
	p := &pump{sinks: k, sink: rel, stored: at, cancel: cancel, begun: make(chan struct{}), ended: make(chan struct{})}
	if at == 0 && rel.With[sinkSnapshot] != "false" {
		at = epoch.Epoch(rel.Since)
	}
	if p.mu.at = at; at != 0 {
		close(p.begun)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.mu.closed {
		cancel()
		close(p.ended)
		return p
	}
	k.mu.pumps[rel.ID] = p
	go p.run(ctx)
	return p
}

// forget takes a sink away that has ended.
func (k *sinks) forget(p *pump) {
	k.mu.Lock()
	delete(k.mu.pumps, p.sink.ID)
	k.mu.Unlock()
	k.tell()
}

// tell wakes those who wait for sinks.
func (k *sinks) tell() {
	k.mu.Lock()
	defer k.mu.Unlock()
	close(k.mu.changed)
	k.mu.changed = make(chan struct{})
}

// running are the sinks that run, and what tells that one has got on since.
func (k *sinks) running() ([]*pump, <-chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Collect(maps.Values(k.mu.pumps)), k.mu.changed
}

// failing are the sinks that do not get on, by job.
func (k *sinks) failing() map[id.Job]error {
	out := map[id.Job]error{}
	pumps, _ := k.running()
	for _, p := range pumps {
		if err := p.status().err; err != nil {
			out[p.sink.Job] = err
		}
	}
	return out
}

// flush waits until what happened up to an epoch has gone through all sinks, and what comes of it through those behind
// them: a chain is no longer than there are sinks, since they make no circle. A sink that fails is not waited for.
func (k *sinks) flush(ctx context.Context, at epoch.Epoch) error {
	pumps, _ := k.running()
	for range len(pumps) {
		if err := k.d.engine.WaitDurable(ctx, at); err != nil {
			return err
		}
		fed, err := k.waitAll(ctx, at)
		if err != nil || fed <= at {
			return err
		}
		at = fed
	}
	if len(pumps) == 0 {
		return nil
	}
	return k.d.engine.WaitVisible(ctx, at)
}

// waitAll waits until all sinks have passed on what happened up to an epoch, and returns the last epoch that they fed. A sink
// that begins when it has been built, and has not been, has nothing to pass on.
func (k *sinks) waitAll(ctx context.Context, at epoch.Epoch) (fed epoch.Epoch, err error) {
	for {
		pumps, changed := k.running()
		jobs := k.d.engine.Jobs()
		behind := false
		for _, p := range pumps {
			st := p.status()
			fed = max(fed, st.fed)
			behind = behind || st.at < at && st.err == nil && (st.at != 0 || jobs[p.sink.Job].Created)
		}
		if !behind {
			return fed, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// close ends all sinks; they go on when the database is opened again.
func (k *sinks) close() {
	k.mu.Lock()
	k.mu.closed = true
	pumps := slices.Collect(maps.Values(k.mu.pumps))
	k.mu.Unlock()
	for _, p := range pumps {
		p.cancel()
		<-p.ended
	}
}
