// Package capture keeps tables in step with upstream systems: for each source of change data a goroutine reads the log, and
// feeds whole upstream transactions through the sequencer of writes, as DML.
//
// What is read is durable here before it is confirmed upstream: a transaction's rows and the position behind it are one
// synced write. History is read in ranges of the key between transactions of the log; table decides which changes belong
// to what was read.
package capture

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// Options of relations that matter here, beside those of the connector.
const (
	ConnectorOption = "connector"
	TableOption     = "table.name"
	ColumnsOption   = "columns"             // AllColumns: the table was made with all that the upstream has
	EvolveOption    = "auto.schema.change"  // true: such a table gets columns that are added upstream
	RateOption      = "backfill_rate_limit" // rows a second that history may read; set from the session
	SlotOption      = "slot.name"           // of a source, given by Prepare and of no other
	SnapshotOption  = "snapshot"            // false: no history, changes only
	// PublicationOption is likewise; messages name it.
	PublicationOption = "publication.name"
)

// AllColumns is what ColumnsOption says of a table that was made with (*).
const AllColumns = "*"

// Options are what captures run on.
type Options struct {
	Systems   map[string]connector.System // by the word of option connector
	Store     kv.Store
	Sequencer *dml.Sequencer
	Catalog   func() *catalog.Snapshot
	Table     func(*catalog.Relation) *dml.Table
	// Evolve gives a table the columns of its upstream that it lacks.
	Evolve func(ctx context.Context, rel *catalog.Relation, up *connector.Table) error
	Now    func() time.Time
	Logger *slog.Logger
	// Memory is the account of what was read and is not written. Its limit bounds how much is read at a time.
	Memory *mem.Budget
}

// Captures are the sources of a database that are read.
type Captures struct {
	o        Options
	creating sync.Mutex // held while something is made upstream for a source, or taken away that is of none
	stop     context.CancelFunc
	cleaned  sync.WaitGroup
	mu       struct {
		sync.Mutex
		sources map[id.Relation]*source
		changed chan struct{} // closed and replaced when a status changes
		closed  bool
	}
}

// Start reads on where the sources of the catalog stopped.
func Start(o Options) (*Captures, error) {
	c := &Captures{o: o}
	c.mu.sources, c.mu.changed = map[id.Relation]*source{}, make(chan struct{})
	records, err := meta.LoadCaptures(o.Store.Meta())
	if err != nil {
		return nil, err
	}
	left, err := meta.LoadUpstreams(o.Store.Meta())
	if err != nil {
		return nil, err
	}
	for _, rel := range o.Catalog().Relations() {
		if c.IsSource(rel) {
			rec := records[rel.ID]
			if rec == nil {
				rec = c.unknown(rel)
			}
			c.run(rel, rec)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	c.stop = stop
	c.cleaned.Add(1)
	go func() {
		defer c.cleaned.Done()
		c.cleanUp(ctx, left)
	}()
	return c, nil
}

// unknown is the record of a source whose own is missing or damaged: the history of all its tables is read again, and what is
// here of them is stale until then.
func (c *Captures) unknown(source *catalog.Relation) *meta.Capture {
	rec := &meta.Capture{Tables: map[id.Relation]*meta.CapturedTable{}}
	for _, rel := range c.Tables(source) {
		rec.Tables[rel.ID] = &meta.CapturedTable{Stale: true}
		err := errs.BackfillOffsetMissing.New("table", rel.Name)
		c.o.Logger.Warn("history is read again", "source", source.Name, "table", rel.Name, "code", err.Entry.Code, "error", err)
	}
	return rec
}

// system is what a relation's connector is; nil for none that captures changes.
func (c *Captures) system(rel *catalog.Relation) connector.System {
	return c.o.Systems[rel.With[ConnectorOption]]
}

// IsSource reports whether a relation has a log of its own: a source, or a table that is one at once.
func (c *Captures) IsSource(rel *catalog.Relation) bool {
	return c.system(rel) != nil && (rel.Kind == catalog.KindSource || rel.Kind == catalog.KindTable && len(rel.DependsOn) == 0)
}

// IsCaptured reports whether a relation's rows come from an upstream.
func (c *Captures) IsCaptured(rel *catalog.Relation) bool {
	return rel.Kind == catalog.KindTable && c.system(rel) != nil
}

// sourceOf is the relation that a captured table's log belongs to.
func (c *Captures) sourceOf(rel *catalog.Relation) id.Relation {
	if len(rel.DependsOn) > 0 {
		return rel.DependsOn[0]
	}
	return rel.ID
}

// Added takes over a relation that was created.
func (c *Captures) Added(rel *catalog.Relation) {
	if c.IsSource(rel) {
		c.run(rel, nil)
		return
	}
	if s := c.source(c.sourceOf(rel)); s != nil {
		s.wakeUp()
	}
}

func (c *Captures) run(rel *catalog.Relation, rec *meta.Capture) {
	s := newSource(c, rel, rec)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mu.closed {
		return
	}
	c.mu.sources[rel.ID] = s
	s.start()
}

func (c *Captures) source(r id.Relation) *source {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mu.sources[r]
}

// Dropped stops what belonged to relations that are gone, and drops upstream what was made for them. The relations are gone
// whatever happens; an error says what is left upstream.
func (c *Captures) Dropped(ctx context.Context, rels []*catalog.Relation) error {
	var first error
	for _, rel := range rels {
		if err := c.dropped(ctx, rel); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func (c *Captures) dropped(ctx context.Context, rel *catalog.Relation) error {
	sys := c.system(rel)
	if sys == nil {
		return nil
	}
	if !c.IsSource(rel) {
		s := c.source(c.sourceOf(rel))
		if s == nil {
			return nil // dropped with its source
		}
		s.wakeUp()
		for _, other := range c.Tables(s.rel) {
			if other.With[TableOption] == rel.With[TableOption] {
				return nil // it needs the changes
			}
		}
		return sys.Unpublish(ctx, s.options(), rel.With[TableOption])
	}
	c.mu.Lock()
	s := c.mu.sources[rel.ID]
	delete(c.mu.sources, rel.ID)
	c.mu.Unlock()
	if s != nil {
		s.end()
	}
	if err := c.o.Store.Apply([]kv.Write{meta.DropCapture(rel.ID)}); err != nil {
		return err
	}
	c.tell()
	return sys.Remove(ctx, rel.With)
}

// Close stops reading; what was fed stays.
func (c *Captures) Close() {
	c.stop()
	c.cleaned.Wait()
	c.mu.Lock()
	c.mu.closed = true
	all := maps.Clone(c.mu.sources)
	c.mu.Unlock()
	for _, s := range all {
		s.end()
	}
}

// tell wakes those who wait for a status.
func (c *Captures) tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.mu.changed)
	c.mu.changed = make(chan struct{})
}

// WaitLive waits until a captured table has its history and follows the log.
func (c *Captures) WaitLive(ctx context.Context, rel *catalog.Relation) error {
	for {
		c.mu.Lock()
		changed := c.mu.changed
		c.mu.Unlock()
		s := c.source(c.sourceOf(rel))
		if s == nil {
			return errs.JobCancelled.New()
		}
		if st, ok := s.status(rel.ID); ok && (st.Live || st.Err != nil) {
			return st.Err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
