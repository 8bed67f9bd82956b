package engine

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// rateWindow is how long rows are counted for one figure of rows a second. A scan that has just begun, or goes on after a
// restart, tells one after rateFirst already: it may be over in a few windows.
const (
	rateWindow = time.Second
	rateFirst  = rateWindow / 10
)

// Progress is how far a job's catch-up is.
type Progress struct {
	Phase   backfill.Phase // the least of its ranges
	Scanned uint64         // rows read by the scans
	Total   uint64         // rows that there are to read, never less than those read
	Percent float64        // of the history, never less than shown before
	Rate    float64        // rows a second; 0 when it is not known
}

// Left is how long the rest of the scan takes at the rate of the last window; ok is false when that is not known.
func (p Progress) Left() (d time.Duration, ok bool) {
	if p.Rate <= 0 || p.Scanned >= p.Total {
		return 0, false
	}
	return time.Duration(float64(p.Total-p.Scanned) / p.Rate * float64(time.Second)), true
}

func (p Progress) String() string {
	return fmt.Sprintf("%.2f%% (%d/%d rows)", p.Percent, p.Scanned, p.Total)
}

// progress is what is remembered of a catch-up to tell its progress.
type progress struct {
	best   float64 // the highest percentage shown
	pinned uint64  // rows of the epoch that the scan reads; 0: it has none, or reads each epoch as it comes
	from   uint64  // rows read when the window began
	at     time.Time
	first  bool // nothing was counted before this window
	rate   float64
	last   Progress // of the attempt before, until the next one tells its own
}

// progressOf tells how far a detached job is.
func (d *driver) progressOf(j id.Job) Progress {
	p := d.remembered(j)
	now := p.last
	if now.Total, now.Rate = p.pinned, 0; now.Total == 0 {
		now.Total = d.total(j)
	}
	if in := d.insts[j]; in != nil && in.told() {
		now.Scanned, now.Phase = in.progress()
		p.measure(now.Scanned, d.e.opts.Now())
		if now.Phase >= backfill.Replaying { // all has been read, whatever was counted at the last of several pins
			now.Total = now.Scanned
		}
		p.best = max(p.best, now.percent())
		if !d.limiter(j).Paused() {
			now.Rate = p.rate
		}
	}
	now.Percent, now.Total = p.best, max(now.Total, now.Scanned)
	p.last = now
	return now
}

func (d *driver) remembered(j id.Job) *progress {
	p := d.progress[j]
	if p == nil {
		p = &progress{}
		d.progress[j] = p
	}
	return p
}

// countPinned notes how much there is to read in the epoch that a set pins: what happens later is replayed, not scanned.
func (d *driver) countPinned(s *detachedSet) {
	for _, j := range s.jobs {
		d.remembered(j).pinned = d.total(j)
	}
}

// percent is the share of rows read; all of it is said only when the scan has ended.
func (p Progress) percent() float64 {
	const almost = 99.99
	switch {
	case p.Phase >= backfill.Replaying:
		return 100
	case p.Total == 0:
		return 0
	}
	return min(almost, 100*float64(p.Scanned)/float64(p.Total))
}

// measure brings the rate up to date once a window is over, and all the time in the first one.
func (p *progress) measure(rows uint64, now time.Time) {
	took := now.Sub(p.at)
	if rows < p.from || p.from == 0 { // the scan begins, or goes on after a restart
		p.from, p.at, p.first = rows, now, true
		return
	}
	if took >= rateWindow || p.first && took >= rateFirst {
		p.rate = float64(rows-p.from) / took.Seconds()
	}
	if took >= rateWindow {
		p.from, p.at, p.first = rows, now, false
	}
}

// total is the number of rows that all inputs of a job have, as published.
func (d *driver) total(j id.Job) (rows uint64) {
	for _, s := range d.jobs[j].Graph.Scans() {
		rows += uint64(max(d.rows[s.Rel.Job], 0))
	}
	return rows
}

// count takes over what has happened to the job's relation in the epoch that is published.
func (d *driver) count(j id.Job, at epoch.Epoch) {
	in := d.insts[j]
	if in == nil {
		return
	}
	if in.moved {
		d.movedAt[j], in.moved = at, false
	}
	if in.grown == 0 && len(in.tally) == 0 {
		return
	}
	d.rows[j] += in.grown
	if t := d.tallies[j]; t != nil {
		t.Merge(in.tally)
	}
	in.grown, in.tally, d.dirty[j] = 0, nil, true
}

// noteRecords takes over the checksums of a job's progress records, as they are published.
func (d *driver) noteRecords(j id.Job) {
	if in := d.insts[j]; in != nil && in.told() {
		d.records[j] = backfill.SumsOf(slices.Collect(maps.Values(in.status)))
	}
}

// report takes what an actor's operators tell with an acknowledgement.
func (in *instance) report(a id.Actor, reports []any) {
	for _, r := range reports {
		switch r := r.(type) {
		case backfill.Status:
			in.status[leafActor{r.Input, a}] = r
		case stream.Grown:
			in.grown += r.Rows
			in.moved = in.moved || r.Changed
			in.tally = append(in.tally, r.Tally...)
		}
	}
}

// scanned reports whether every catch-up has reached the end of its scan. A view that reads nothing has none.
func (in *instance) scanned() bool {
	_, phase := in.progress()
	return phase >= backfill.Replaying && in.told()
}

// told reports whether all catch-ups have told how far they are.
func (in *instance) told() bool {
	inputs := 0
	for _, f := range in.frags {
		inputs += len(f.leaves) * len(f.actors)
	}
	return len(in.status) == inputs
}

// progress tells what the catch-ups have scanned, what is not staged yet too, and the phase of the one that is least far. A
// scan that has read anything is not one that has not started, though some of its ranges may not have.
func (in *instance) progress() (rows uint64, least backfill.Phase) {
	rows, least = in.work.scanned.Load(), backfill.Live
	for _, s := range in.status {
		least = min(least, s.Phase)
	}
	if least == backfill.NotStarted && rows > 0 {
		least = backfill.Scanning
	}
	return rows, least
}
