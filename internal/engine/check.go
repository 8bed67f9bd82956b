package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/tally"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Mend is what REPAIR does about a finding.
type Mend string

const (
	MendLive    Mend = "REPAIR writes it anew: the job has been attached, so the scan of the range has ended"
	MendBegin   Mend = "REPAIR lets the range begin: nothing has been made of it"
	MendRestart Mend = "REPAIR lets the job begin anew: it has not been attached, so nobody has read it"
	MendRemove  Mend = "REPAIR removes it: the catalog has no such range, and all that it has are there"
	MendTally   Mend = "REPAIR takes the rows that are there for right, and adds them up anew"
	MendNone    Mend = "none: RECREATE MATERIALIZED VIEW makes the view anew"
)

// Checked is something wrong with the catch-up of a job.
type Checked struct {
	Input int
	From  id.Relation // that the input reads; 0: the job itself is meant
	Vnode int         // -1: the whole input is meant
	Err   *errs.Error
	Mend  Mend
}

// checked is what a check looks at, as of one moment.
type checked struct {
	def     *meta.Job
	view    kv.View
	broken  error
	lagged  bool
	running bool
	backfill.Standing

	rel      *catalog.Relation
	tallied  *tallied // as the driver has it; nil: no sums are kept
	tally    *tally.Table
	tallyKey uint64
	amends   []tally.Delta // what the sums lack of the rows, once these were read
}

// CheckBackfill tells what is wrong with the progress records of a job, and what REPAIR would do: B3 to B7 as far as bytes
// allow, and about its relation's rows where their sums are kept. It changes nothing.
func (e *Engine) CheckBackfill(ctx context.Context, j id.Job) ([]Checked, error) {
	c, err := e.checked(ctx, j)
	if err != nil {
		return nil, err
	}
	defer c.view.Close()
	return c.findings(ctx)
}

func (e *Engine) checked(ctx context.Context, j id.Job) (c *checked, err error) {
	err = e.do(ctx, func(d *driver) error {
		def := d.jobs[j]
		if def == nil {
			return errs.NoSuchJob.New("job", j)
		}
		c = &checked{def: def, view: e.store.View(), broken: d.broken[j], running: d.insts[j] != nil}
		c.Standing = d.standing(j)
		c.rel, _ = e.Catalog().Relation(def.Relation)
		if c.tallied, c.tallyKey = d.tallies[j], d.tallyKey; c.tallied != nil {
			c.tally = c.tallied.Clone()
		}
		if s := d.setOf(j); s != nil {
			c.lagged = s.LaggedOut
		}
		return nil
	})
	if err != nil && c != nil {
		c.view.Close()
	}
	return c, err
}

// standing is what the records of a job are held against.
func (d *driver) standing(j id.Job) backfill.Standing {
	s := backfill.Standing{Job: j, Created: d.created[j] || d.coord.Attached(j) && !d.coord.Joining(j) && !d.arranging(j), Arranges: d.arranging(j), AsOf: d.coord.AsOf(j), Visible: d.coord.Visible(),
		Generation: d.jobs[j].Generation, Sums: d.records[j]}
	if set := d.setOf(j); set != nil {
		s.AsOf = set.AsOf
	}
	return s
}

func (c *checked) findings(ctx context.Context) (out []Checked, err error) {
	if c.broken != nil {
		e, ok := errs.As(c.broken)
		if !ok {
			return nil, c.broken
		}
		return []Checked{{Vnode: -1, Err: e, Mend: MendNone}}, nil
	}
	if c.lagged {
		out = append(out, Checked{Vnode: -1, Err: errs.BackfillLaggedOut.New("job", c.Job, "epoch", c.AsOf), Mend: MendNone})
	}
	for i, s := range c.def.Graph.Scans() {
		found, err := c.input(i, s)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	rows, err := c.rows(ctx)
	return append(out, rows...), err
}

// input checks the records of one input.
func (c *checked) input(i int, s fragment.ScanLeaf) (out []Checked, err error) {
	load := func(v vnode.ID) ([]byte, bool, error) { return c.view.Get(kv.AppendTable(nil, s.Table, uint16(v))) }
	sound, found, err := backfill.Check(c.Standing, i, s.Vnodes, load)
	if err != nil {
		return nil, err
	}
	add := func(v vnode.ID, e *errs.Error, m Mend) {
		out = append(out, Checked{Input: i, From: s.Rel.ID, Vnode: int(v), Err: e, Mend: m})
	}
	mend := MendLive
	if len(found) > 0 && !c.Created {
		if mend, err = c.unfinished(); err != nil {
			return nil, err
		}
	}
	for _, f := range found {
		add(f.Vnode, f.Err, mend)
	}
	for _, v := range slices.Sorted(maps.Keys(sound)) {
		if err := cursorOf(s, sound[v].ScanCursor); err != nil && !c.Created {
			if mend, err = c.unfinished(); err != nil {
				return nil, err
			}
			add(v, errs.BackfillRecordWrong.New("vnode", v, "job", c.Job, "invariant", "B7", "how", "its cursor is no key of what it reads", "input", i), mend)
		}
	}
	extra, err := state.VnodesFrom(c.view, s.Table, s.Vnodes)
	for _, v := range extra {
		add(v, errs.BackfillVnodesDisagree.New("job", c.Job, "catalog", s.Vnodes, "state", int(v)+1), MendRemove)
	}
	return out, err
}

func cursorOf(s fragment.ScanLeaf, cursor []byte) error {
	if len(cursor) == 0 {
		return nil
	}
	_, _, err := state.FormatOf(s.Rel).Cursor(cursor)
	return err
}

// unfinished is what is done about a record of a job that has not been attached: only its range begins when no operator
// has made anything of any row.
func (c *checked) unfinished() (Mend, error) {
	progress := map[id.Table]bool{}
	for _, s := range c.def.Graph.Scans() {
		progress[s.Table] = true
	}
	for _, t := range c.def.Tables {
		if progress[t] {
			continue
		}
		it := c.view.Scan(kv.TableRange(t))
		some := it.Next()
		if err := it.Close(); err != nil {
			return "", err
		}
		if some {
			return MendRestart, nil
		}
	}
	return MendBegin, nil
}

// live is the record of a range whose scan has ended, with its rows counted again.
func (c *checked) live(s fragment.ScanLeaf, v vnode.ID) (*backfill.Record, error) {
	start := kv.AppendTable(nil, s.Rel.Table, uint16(v))
	rec := &backfill.Record{Phase: backfill.Live, Generation: c.Generation, AsOf: min(c.AsOf, c.Visible), Until: min(c.AsOf, c.Visible)}
	it := c.view.Scan(start, kv.PrefixEnd(start))
	for it.Next() {
		rec.Rows++
	}
	return rec, it.Close()
}
