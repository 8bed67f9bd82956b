package capture

import (
	"context"
	"errors"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// Create makes upstream what a source needs and then its relation, by its options. What was made upstream is dropped if
// there is no relation in the end, at the next start if not at once: the intent is durable before anything is made.
func (c *Captures) Create(ctx context.Context, o connector.Options, relation func(connector.Options) (*catalog.Relation, error)) (*catalog.Relation, error) {
	c.creating.Lock()
	defer c.creating.Unlock()
	sys := c.o.Systems[o[ConnectorOption]]
	var undo connector.Options
	with, err := sys.Prepare(ctx, o, func(missing connector.Options) error {
		undo = missing
		return c.o.Store.Apply([]kv.Write{meta.PutUpstream(undo[SlotOption], undo)})
	})
	if undo == nil {
		return nil, err
	}
	var made *catalog.Relation
	if err == nil {
		made, err = relation(with)
	}
	if made == nil {
		if left := sys.Remove(context.WithoutCancel(ctx), undo); left != nil {
			return nil, errors.Join(err, left)
		}
	}
	return made, errors.Join(err, c.o.Store.Apply([]kv.Write{meta.DropUpstream(undo[SlotOption])}))
}

// cleanUp drops upstream what was made for sources that a crash has kept from coming into being. It tries until it succeeds
// or the captures end.
func (c *Captures) cleanUp(ctx context.Context, left map[string]map[string]string) {
	for wait := backoffMin; len(left) > 0; wait = min(2*wait, backoffMax) {
		for name, undo := range left {
			if err := c.undo(ctx, name, undo); err != nil {
				c.o.Logger.Warn("upstream not cleaned up", "slot", name, "error", err, "again_in", wait)
				continue
			}
			delete(left, name)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// undo drops upstream what was made, unless it belongs to a source that is there.
func (c *Captures) undo(ctx context.Context, name string, undo connector.Options) error {
	c.creating.Lock()
	defer c.creating.Unlock()
	for _, rel := range c.o.Catalog().Relations() {
		if c.IsSource(rel) && rel.With[SlotOption] == name {
			return c.o.Store.Apply([]kv.Write{meta.DropUpstream(name)})
		}
	}
	sys := c.o.Systems[undo[ConnectorOption]]
	if sys == nil {
		return nil // of a program with other connectors
	}
	if err := sys.Remove(ctx, undo); err != nil {
		return err
	}
	return c.o.Store.Apply([]kv.Write{meta.DropUpstream(name)})
}
