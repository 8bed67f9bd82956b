package engine

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// A job in arrangement mode attaches at once and reads its history while it is attached (backfill/arrange.go): nobody keeps a
// changelog for it. It is created when its scans have ended. Until then the driver pins every epoch that is published for
// it, and ends the epoch before when all of its actors have left it. One that is rolled back in between is a detached set as
// any other, but attaches as soon as what it has passed is up to date.

// arranging reports whether a job has yet to read history while it is attached.
func (d *driver) arranging(j id.Job) bool {
	def := d.jobs[j]
	return def != nil && def.Arranges() && !d.created[j]
}

// readsHistory reports whether the instance of an attached job reads history.
func (d *driver) readsHistory(in *instance) bool {
	j := in.def.ID
	return d.arranging(j) && d.coord.Attached(j) && !d.coord.Joining(j) && !in.stopping
}

// arrangingState is the state of an attached job that reads history.
func (d *driver) arrangingState(j id.Job) job.State {
	if d.limiter(j).Paused() {
		return job.Paused
	}
	return job.Creating
}

// places are those of what a leaf reads, when the job has yet to read it while it is attached; else nil.
func (b *builder) places(rel *catalog.Relation, cols []int) *state.Places {
	if !b.d.arranging(b.in.def.ID) {
		return nil
	}
	return state.NewPlaces(state.FormatOf(rel), cols)
}

// arrangement configures a catch-up that reads while its job is attached.
func (b *builder) arrangement(rel *catalog.Relation, cols []int) *backfill.Arrangement {
	p := b.places(rel, cols)
	if p == nil {
		return nil
	}
	passed := make([]int, len(cols))
	for i := range passed {
		passed[i] = i
	}
	return &backfill.Arrangement{Places: p, Cols: passed, Skips: b.in.def.SkipsHistory(), Attached: b.set == nil, Visible: b.d.coord.Visible()}
}

// portCols are the columns that a leaf is sent.
func (b *builder) portCols(rel *catalog.Relation, cols []int) []int {
	if p := b.places(rel, cols); p != nil {
		return p.Cols()
	}
	return cols
}

// unread reports whether nobody has been shown any result of a job, its readers to come included.
func (d *driver) unread(j id.Job) bool { return !d.created[j] && !d.arranging(j) }

// arrange lets an attached job read on in the epoch that has begun, or notes that it has read everything. All its actors have
// acknowledged the one before.
func (d *driver) arrange(in *instance) {
	if !d.readsHistory(in) {
		return
	}
	j := in.def.ID
	d.noteRecords(j)
	if in.scanned() {
		delete(d.records, j)
		in.work.watched.Store(false)
		in.kept.close()
		in.kept = nil
		d.created[j], d.dirty[j], d.commitSoon = true, true, true
		return
	}
	p := &pin{view: d.e.store.View()}
	in.pins.set(p)
	in.kept.close()
	in.kept = pinList{p}
	in.wake()
}

// leavable reports whether the actors of an attached job can end without that anything is read again: it reads nothing more
// from now on, and what it has read is published. It asks for what is missing.
func (d *driver) leavable(in *instance) bool {
	if !d.readsHistory(in) {
		return true
	}
	d.limiter(in.def.ID).Hold(true)
	if in.heldFrom == 0 {
		in.heldFrom = d.coord.Open()
	}
	if d.coord.Visible() >= in.heldFrom && in.work.rows.Load() == 0 {
		return true
	}
	d.urgent = true
	return false
}

// readOn takes leavable back.
func (d *driver) readOn(in *instance) {
	if in.heldFrom != 0 {
		in.heldFrom = 0
		d.limiter(in.def.ID).Hold(false)
		in.wake()
	}
}

// hurryArranging asks for the barriers that jobs need which read while they are attached.
func (d *driver) hurryArranging() {
	for _, in := range d.insts {
		if d.readsHistory(in) {
			d.wanted = d.wanted || in.work.rows.Load() > 0
			d.urgent = d.urgent || in.order.done()
		}
	}
}
