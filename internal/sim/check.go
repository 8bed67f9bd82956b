package sim

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// shown is what readers have been shown before.
type shown struct {
	visible epoch.Epoch
	told    epoch.Epoch // to be durable
	asOf    map[id.Job]epoch.Epoch
	durable map[epoch.Epoch]map[id.Job]epoch.Epoch // as_of of each job when an epoch became visible
	// progress of the views that are being created; a crash may take some of it back.
	progress map[id.Job]progress
	// percent is what was told of the progress of each job in this life of the engine.
	percent map[id.Job]float64
}

func newShown() shown {
	return shown{asOf: map[id.Job]epoch.Epoch{}, durable: map[epoch.Epoch]map[id.Job]epoch.Epoch{}, progress: map[id.Job]progress{}, percent: map[id.Job]float64{}}
}

// crash goes back to what the durable epoch showed: less than that must never be seen again.
func (s *shown) crash(durable epoch.Epoch) {
	s.visible, s.asOf = durable, s.durable[durable]
	if s.asOf == nil {
		s.asOf = map[id.Job]epoch.Epoch{}
	}
	s.durable = map[epoch.Epoch]map[id.Job]epoch.Epoch{durable: s.asOf}
	clear(s.progress)
	clear(s.percent)
}

// check compares everything that readers can see now with what it should be.
func (w *world) check() {
	if w.broken != nil || w.dead() {
		return
	}
	v := w.engine.View()
	defer v.Close()
	changed := v.Epoch() != w.shown.visible
	if v.Epoch() < w.shown.visible {
		w.fail("visible epoch went back from %d to %d", w.shown.visible, v.Epoch())
	}
	w.shown.told = w.engine.Durable()
	clear(w.oracle.moments)
	jobs := w.engine.Jobs()
	asOf := map[id.Job]epoch.Epoch{}
	for _, rel := range w.stored() {
		st, ok := jobs[rel.Job]
		if !ok {
			w.fail("relation %s has no job", rel.Name)
			return
		}
		if st.AsOf < w.shown.asOf[rel.Job] {
			w.fail("as_of of %s went back from %d to %d: %s", rel.Name, w.shown.asOf[rel.Job], st.AsOf, w.describe())
		}
		asOf[rel.Job] = st.AsOf
		w.checkPercent(rel, st)
		if before, seen := w.shown.asOf[rel.Job]; changed || !seen || st.AsOf != before {
			w.checkRelation(v, rel, st)
		}
	}
	w.readFollowers()
	w.shown.visible, w.shown.asOf, w.shown.durable[v.Epoch()] = v.Epoch(), asOf, asOf
}

// checkPercent: the progress that is told never goes back, though what it tells of may, comes to 100, and no more is read than
// there is (M11).
func (w *world) checkPercent(rel *catalog.Relation, st engine.JobStatus) {
	if st.Attached {
		return
	}
	if before := w.shown.percent[rel.Job]; st.Percent < before {
		w.fail("the progress of %s (job %d, %s) went back from %v %% to %v", rel.Name, rel.Job, st.State, before, st.Percent)
	}
	if st.Scanned > st.Total {
		w.fail("%d of %d rows of %s (job %d, %s) are read", st.Scanned, st.Total, rel.Name, rel.Job, st.State)
	}
	if st.Percent > 100 || st.Created && st.AsOf > 0 && st.Phase >= backfill.Replaying && st.Percent < 100 {
		w.fail("the progress of %s (job %d, %s) is %v %% in phase %s", rel.Name, rel.Job, st.State, st.Percent, st.Phase)
	}
	w.shown.percent[rel.Job] = st.Percent
}

// checkRelation compares the stored rows of one relation with its answer at its as_of.
func (w *world) checkRelation(v kv.View, rel *catalog.Relation, st engine.JobStatus) {
	have, err := stored(v, rel.Table)
	if !w.must("read "+rel.Name, err) {
		return
	}
	want, err := w.want(v, rel, st, have)
	if !w.must("answer "+rel.Name, err) {
		return
	}
	if d := diff(rel, have, want); d != "" {
		w.fail("%s (job %d, %s) is not its answer at %d; visible is %d:%s", rel.Name, rel.Job, st.State, st.AsOf, v.Epoch(), d)
	}
	w.checkTally(v, rel)
	w.note("seen", "%s %x", rel.Name, have.digest())
}

// checkTally compares the stored rows with the sums that are kept of them.
func (w *world) checkTally(v kv.View, rel *catalog.Relation) {
	if !w.hashed {
		return
	}
	counted, key, err := w.engine.Tally(context.Background(), rel.Job)
	if errs.Of(err, errs.ShuttingDown) {
		return
	}
	if !w.must("tally of "+rel.Name, err) {
		return
	}
	stored, err := state.Tally(context.Background(), v, state.FormatOf(rel), key)
	if !w.must("add up "+rel.Name, err) {
		return
	}
	if counted == nil {
		w.fail("no sums are kept of %s", rel.Name)
	} else if more := stored.Less(counted); len(more) > 0 {
		w.fail("visible is %d: %w", v.Epoch(), state.TallyDiffers(rel, counted, more))
	}
}

func (w *world) want(v kv.View, rel *catalog.Relation, st engine.JobStatus, have image) (image, error) {
	view := w.oracle.views[rel.ID]
	switch {
	case view == nil || st.Created:
		return w.oracle.at(rel, st.AsOf)
	case st.AsOf == 0 && len(have) == 0:
		return nil, nil // it has shown nothing yet; a step over nothing shows what a query over nothing does
	}
	p, err := view.progress(v)
	if err == nil {
		err = p.after(w.shown.progress[rel.Job])
	}
	if err != nil {
		return nil, err
	}
	w.shown.progress[rel.Job] = p
	if held, err := view.held(v); held || err != nil {
		return have, err // nobody reads it yet
	}
	return w.oracle.partly(view, st.AsOf, p)
}
