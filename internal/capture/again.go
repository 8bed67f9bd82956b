package capture

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// Refresh lets the history of a captured table be read again, after a change that nothing is captured during. Its rows stay,
// and what is read replaces them range by range, so that views over it get the differences. A table that was left out of the
// publication is in it again.
func (c *Captures) Refresh(ctx context.Context, rel *catalog.Relation, change func() error) error {
	s := c.source(c.sourceOf(rel))
	if s == nil {
		return errs.JobCancelled.New()
	}
	if up, err := c.Describe(ctx, rel); err != nil {
		return err
	} else if up.Unpublished != "" {
		if err := c.system(s.rel).Publish(ctx, s.options(), rel.With[TableOption]); err != nil {
			return err
		}
	}
	return s.edit(func(rec *meta.Capture) error {
		if t := rec.Tables[rel.ID]; t != nil {
			rec.Tables[rel.ID] = again(t, 0)
		}
		return change()
	})
}

// Reset makes a source begin anew: it gets a new slot, and the history of all its tables is read again.
func (c *Captures) Reset(ctx context.Context, rel *catalog.Relation) error {
	s := c.source(rel.ID)
	if s == nil {
		return errs.JobCancelled.New()
	}
	return s.edit(func(rec *meta.Capture) error {
		var tables []string
		for _, t := range c.Tables(rel) {
			tables = append(tables, t.With[TableOption])
		}
		if err := c.system(rel).Renew(ctx, s.options(), tables); err != nil {
			return err
		}
		rec.Position, rec.Part = 0, nil
		for r, t := range rec.Tables {
			rec.Tables[r] = again(t, 0)
			rec.Tables[r].Stale = true // what the record says of the rows that are here may be older than they are
		}
		return nil
	})
}

// Resume lets a source or captured table that has stopped go on, and does not wait until it does: what is in doubt is read
// again by difference, a source that lost its log gets a new one, one that waits to connect tries at once.
func (c *Captures) Resume(ctx context.Context, rel *catalog.Relation) error {
	if c.IsSource(rel) {
		if s := c.source(rel.ID); s != nil && !lostLog(s.failure()) {
			return s.edit(func(*meta.Capture) error { return nil })
		}
		return c.Reset(ctx, rel)
	}
	if st, _ := c.Live(rel); st.Err != nil {
		return c.Refresh(ctx, rel, func() error { return nil })
	}
	return nil
}

// lostLog reports whether an error says that what is needed of the log is gone.
func lostLog(err error) bool {
	return errs.Of(err, errs.SlotLost) || errs.Of(err, errs.PublicationLost)
}

// Describe asks the upstream of a captured table for its columns.
func (c *Captures) Describe(ctx context.Context, rel *catalog.Relation) (*connector.Table, error) {
	s := c.source(c.sourceOf(rel))
	if s == nil {
		return nil, errs.JobCancelled.New()
	}
	return c.system(s.rel).Describe(ctx, s.options(), rel.With[TableOption])
}

// Tables returns the captured tables of a source.
func (c *Captures) Tables(source *catalog.Relation) (out []*catalog.Relation) {
	for _, rel := range c.o.Catalog().Relations() {
		if c.IsCaptured(rel) && c.sourceOf(rel) == source.ID {
			out = append(out, rel)
		}
	}
	return out
}

// edit changes the record of a source between two connections.
func (s *source) edit(change func(*meta.Capture) error) error {
	s.life.Lock()
	defer s.life.Unlock()
	if s.life.stop == nil {
		return errs.JobCancelled.New() // dropped, or the database is being closed
	}
	s.stopLocked()
	defer s.startLocked()
	next := s.rec.Clone()
	if err := change(next); err != nil {
		return err
	}
	if err := s.keep(next); err != nil {
		return err
	}
	s.showRecord()
	return nil
}
