package engine

import (
	"errors"
	"sync"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// pin is a view that the driver holds open for the catch-ups of a set.
type pin struct{ view kv.View }

func (p *pin) epoch() epoch.Epoch { return p.view.Epoch() }

// pinList is views in the order in which they were taken.
type pinList []*pin

func (l pinList) close() {
	for _, p := range l {
		p.view.Close()
	}
}

// pinTable is the newest pin of an instance; the driver sets it, the catch-ups read it.
type pinTable struct {
	mu sync.Mutex
	p  *pin
}

func (t *pinTable) set(p *pin) {
	t.mu.Lock()
	t.p = p
	t.mu.Unlock()
}

// at returns the pin if it is of the epoch.
func (t *pinTable) at(e epoch.Epoch) (*pin, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.p, t.p != nil && t.p.epoch() == e
}

// leafPins gives one catch-up its upstream as of a pinned epoch.
type leafPins struct {
	def  *meta.Job // that reads
	pins *pinTable
	rel  *catalog.Relation
	cols []int
}

// At implements backfill.Pins.
func (l leafPins) At(e epoch.Epoch) (backfill.Snapshot, bool) {
	p, ok := l.pins.at(e)
	if !ok {
		return nil, false
	}
	return pinned{state.NewRelationSnapshot(p.view, state.FormatOf(l.rel), l.cols), l, p.view}, true
}

// pinned is an upstream as of a pinned epoch.
type pinned struct {
	*state.RelationSnapshot
	leafPins
	view kv.View
}

// Changes implements backfill.Snapshot.
func (p pinned) Changes(v vnode.ID, from, to epoch.Epoch, upTo []byte, emit func(*chunk.Chunk) error) error {
	var err error
	if t, owed := p.def.Owed(p.rel.ID, from); owed {
		err = p.takeOver(t, v, from, to, upTo, emit)
	} else {
		err = p.RelationSnapshot.Changes(v, from, to, upTo, emit)
	}
	if errors.Is(err, kv.ErrLogGone) {
		return laggedOut(p.def.ID, from)
	}
	return err
}
