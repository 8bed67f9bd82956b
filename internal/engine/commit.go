package engine

import (
	"maps"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/checkpoint"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// publish makes an epoch visible and tells everybody who waits for that.
func (d *driver) publish(f checkpoint.Publish) {
	d.e.store.Publish(f.Epoch, f.Jobs)
	for _, j := range f.Jobs {
		d.count(j, f.Epoch)
	}
	d.tickCost = d.e.opts.Now().Sub(d.tickAt)
	if d.awaited != nil {
		d.awaited()
		d.awaited = nil
	}
	for _, sid := range f.Sets {
		d.stepPublished(sid)
	}
	for _, j := range f.Joined {
		d.joined(j)
	}
	for _, j := range f.Jobs {
		if in := d.insts[j]; in != nil {
			d.arrange(in)
		}
	}
	d.serveAttaching(f.Epoch)
	d.noticeUnread(d.e.opts.Now())
	d.tell()
}

// tell refreshes what readers see of epochs and jobs.
func (d *driver) tell() {
	s := &d.e.seen
	s.Lock()
	defer s.Unlock()
	s.visible, s.durable = d.coord.Visible(), d.coord.Durable()
	for j := range s.jobs {
		if d.jobs[j] == nil {
			delete(s.jobs, j)
		}
	}
	for j := range d.jobs {
		s.jobs[j] = d.status(j)
	}
	close(s.changed)
	s.changed = make(chan struct{})
	d.toldAt = d.e.opts.Now()
}

// tellProgress tells how far scans are, though nothing else may happen for a while.
func (d *driver) tellProgress(now time.Time) {
	if now.Sub(d.toldAt) < d.e.opts.BarrierInterval {
		return
	}
	for _, s := range d.sets {
		if s.Running && !s.Scanned {
			d.tell()
			return
		}
	}
	for _, in := range d.insts {
		if d.readsHistory(in) {
			d.tell()
			return
		}
	}
}

// commit makes the visible epoch durable. The store does it beside the stream: what is published meanwhile belongs to the
// next commit. Catch-ups leave it a processor: among their actors it would take several times as long, and what it makes
// durable is what a crash does not have them read again.
func (d *driver) commit(e epoch.Epoch) {
	d.commitAt, d.commitSoon = d.e.opts.Now(), false
	c := kv.Commit{Epoch: e, Meta: d.commitMeta(e)}
	d.leased = d.leasesNow()
	took := d.tookOver()
	d.beside(func() error {
		defer d.e.Attend()()
		_, err := d.e.store.Commit(c)
		return err
	}, func() {
		d.leased = nil
		d.updateLeases()
		d.step(checkpoint.Committed{Epoch: e})
		if err := d.forgive(took); err != nil {
			d.fail(err)
		}
	})
}

// commitMeta is what a commit writes beside table state: statuses that changed, and the DML entries that the epoch holds.
func (d *driver) commitMeta(e epoch.Epoch) []kv.Write {
	var writes []kv.Write
	for _, j := range slices.Sorted(maps.Keys(d.dirty)) {
		if d.jobs[j] != nil {
			writes = append(writes, meta.PutStatus(j, d.stored(j)))
		}
	}
	clear(d.dirty)
	for _, j := range slices.Sorted(maps.Keys(d.jobs)) { // as_of moves without an event of its own
		if !d.coord.Attached(j) || d.coord.Joining(j) || d.arranging(j) {
			writes = append(writes, meta.PutStatus(j, d.stored(j)))
		}
	}
	if seq, ok := d.seqAt(e); ok {
		for n := d.dmlTrimmed + 1; n <= seq; n++ { // the epoch holds them now
			writes = append(writes, kv.Write{Key: dml.LogKey(n)})
		}
		d.dmlTrimmed = seq
		writes = append(writes, meta.PutDMLSeq(seq))
	}
	return writes
}

// seqAt returns the highest DML sequence number whose rows are in epochs up to e.
func (d *driver) seqAt(e epoch.Epoch) (seq uint64, ok bool) {
	for len(d.seqs) > 0 && d.seqs[0].e <= e {
		seq, ok = d.seqs[0].seq, true
		d.seqs = d.seqs[1:]
	}
	return seq, ok
}

// stored is the status of a job as a commit writes it.
func (d *driver) stored(j id.Job) meta.Status {
	s := meta.Status{Attached: d.coord.Attached(j), AsOf: d.coord.AsOf(j), Rows: d.rows[j], Tally: d.tallies[j].stored(), Records: d.records[j].Encode()}
	s.Attached = s.Attached && !d.coord.Joining(j)
	s.Created = s.Attached && !d.arranging(j) || d.created[j]
	if set := d.setOf(j); set != nil {
		s.Quarantined, s.LaggedOut, s.AsOfAt = set.Quarantined, set.LaggedOut, set.asOfAt
	}
	return s
}

// durable tells those who wait for an epoch to survive.
func (d *driver) durable(epoch.Epoch) { d.tell() }

// beginClose lets the driver end once everything fed so far is durable.
func (d *driver) beginClose() {
	d.closing, d.closeAt, d.urgent = true, d.coord.Open(), true
}

// closed reports whether everything fed is durable.
func (d *driver) closed() bool {
	d.urgent = d.urgent || d.coord.Visible() < d.closeAt
	d.commitSoon = true
	return d.coord.Durable() >= d.closeAt
}

// shutdown tells all actors to end.
func (d *driver) shutdown() {
	d.ending = true
	for _, in := range d.insts {
		in.stop()
	}
	for _, h := range d.handOvers {
		h.next.stop()
	}
}

// ended: nothing runs any more.
func (d *driver) ended() {
	for _, s := range d.sets {
		s.keepPins(0)
	}
	d.tell()
	close(d.e.stopped)
}
