package engine

import "context"

// Recover gives all jobs other actors, which begin with what was published as they would after a restart of the process: what
// is only in the memory of the old ones is gone. It goes the way of another number of actors (rescale.go), so that nobody fails and
// nothing is read again. Jobs that have failed, quarantined ones too, try again at once. WaitRecovered tells when they go on.
func (e *Engine) Recover(ctx context.Context) error {
	return e.do(ctx, func(d *driver) error {
		d.recoveries++
		d.rescaling, d.urgent = true, true
		for _, s := range d.sets {
			if !s.LaggedOut {
				d.tryAgain(s)
			}
		}
		d.tell()
		return nil
	})
}

// WaitRecovered waits until every job has the actors that it is to have, and is in step if it was before, but for those that do
// not get on.
func (e *Engine) WaitRecovered(ctx context.Context) error {
	return e.await(ctx, func(l look) (bool, error) {
		for _, s := range e.seen.jobs { // await holds the lock
			if !l.settled(s) {
				return false, nil
			}
		}
		return true, nil
	})
}

// settled reports whether a job has the actors that it is to have, and is in step with them if it was before and its limit lets
// it be.
func (l look) settled(s JobStatus) bool {
	return !s.Outgrown && (s.Attached || !s.Created || l.late(s))
}

// tryAgain lets a set that has failed start at once.
func (d *driver) tryAgain(s *detachedSet) {
	s.Resume()
	s.cause = nil
	for _, j := range s.jobs {
		d.dirty[j] = true
	}
}
