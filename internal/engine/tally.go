package engine

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/tally"
)

// TallySetting is the setting of a job whose relation's rows are kept as sums of hashes beside them (package tally). The
// actors that write rows report what they have added with their acknowledgements; it counts once the epoch is published, as
// the rows do, and is stored with the job's status by the commit that holds them. So neither a crash nor other owners of the
// vnodes part the sums from the rows.
const TallySetting = "state_hash"

// tallied is the sums of a job's rows, as published.
type tallied struct {
	*tally.Table
	// unread is what was stored when it cannot be read: the table has what has changed since then, and what was stored
	// stays, so that it goes on to be told.
	unread []byte
	err    *errs.Error
}

// stored is the form for the job's status; nil for nil.
func (t *tallied) stored() []byte {
	switch {
	case t == nil:
		return nil
	case t.err != nil:
		return t.unread
	}
	return t.Encode()
}

// Tally are the sums of the hashes of a job's rows, as published; nil where they are not kept.
func (e *Engine) Tally(ctx context.Context, j id.Job) (t *tally.Table, key uint64, err error) {
	err = e.do(ctx, func(d *driver) error {
		if kept := d.tallies[j]; kept != nil {
			t, key = kept.Clone(), d.tallyKey
		}
		return nil
	})
	return t, key, err
}

func tallies(def *meta.Job) bool { return def.Settings[TallySetting] == "on" }

// beginTally begins the sums of a relation without rows, if its job keeps any.
func (d *driver) beginTally(def *meta.Job, rel *catalog.Relation) {
	if tallies(def) {
		d.tallies[def.ID] = &tallied{Table: tally.NewTable(rel.Vnodes)}
	}
}

// recoverTally takes over the stored sums of a job. One whose sums cannot be read goes on.
func (d *driver) recoverTally(def *meta.Job, stored []byte) {
	if !tallies(def) {
		return
	}
	t := &tallied{}
	var err error
	if t.Table, err = tally.Decode(stored); err != nil {
		t.Table, t.unread = tally.NewTable(0), stored
		t.err, _ = errs.As(err)
		d.e.opts.Logger.Warn("sums of rows cannot be read", "job", def.ID, "error", err)
	}
	d.tallies[def.ID] = t
}

// counter is for an actor that writes a job's rows; nil when they are not counted.
func (d *driver) counter(j id.Job, rel *catalog.Relation) *tally.Counter {
	if d.tallies[j] == nil {
		return nil
	}
	return tally.NewCounter(d.tallyKey, rel.Vnodes)
}

// rows compares the rows that are stored with their sums, if these are kept.
func (c *checked) rows(ctx context.Context) ([]Checked, error) {
	if c.tallied == nil || c.rel == nil {
		return nil, nil
	}
	stored, err := state.Tally(ctx, c.view, state.FormatOf(c.rel), c.tallyKey)
	if err != nil {
		return nil, err
	}
	c.amends = stored.Less(c.tally)
	switch {
	case c.tallied.err != nil:
		return []Checked{{Vnode: -1, Err: c.tallied.err, Mend: MendTally}}, nil
	case len(c.amends) == 0:
		return nil, nil
	}
	mend := MendNone
	if c.rel.Base() {
		mend = MendTally // nothing else has its rows
	}
	return []Checked{{Vnode: -1, Err: state.TallyDiffers(c.rel, c.tally, c.amends), Mend: mend}}, nil
}

// amendTally makes the sums those of the rows that were read. Changes since then are in both.
func (d *driver) amendTally(c *checked) error {
	if len(c.amends) == 0 && (c.tallied == nil || c.tallied.err == nil) {
		return nil
	}
	if d.tallies[c.Job] != c.tallied {
		return errs.RepairRunning.New("job", c.Job) // it began anew meanwhile
	}
	c.tallied.Merge(c.amends)
	c.tallied.unread, c.tallied.err = nil, nil
	d.dirty[c.Job], d.urgent, d.commitSoon = true, true, true
	return nil
}
