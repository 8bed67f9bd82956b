// Package job is the life cycle of jobs: how a set of detached jobs gets from nothing, or from a failure, to attached.
//
// It is pure: Next looks at where a set stands and says what to do; the engine does it and reports back.
package job

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/epoch"
)

// Bounds of the life cycle.
const (
	// AttachWindow: a set attaches when its last replay took less than this, or when what it pinned is no older; what is
	// left then takes about as long.
	AttachWindow = 50 * time.Millisecond
	// replaysFirst is how many replays have the time to get that short. On a machine that has much else to do the shortest may
	// take longer, so the window of each after them may be twice as long, windowDoublings times: as long as an attach may hold
	// up a barrier.
	replaysFirst    = 4
	windowDoublings = 6
	// RepinAfter: a pinned view is given up after this, so that nothing old is held.
	RepinAfter = 10 * time.Minute
	// AttemptsMax: so many failures in a row quarantine the set.
	AttemptsMax = 3
	// ScanStep is how often a scan's progress is staged at most; its end is staged at once. A step costs what its operators
	// emit and stage, which is little more for more rows where rows share groups, and what commits and compactions make of
	// it: so a step waits for StepShare times what the actors took for the last, and for StepShare times what it would take them at
	// StepSpeed bytes a second, but not longer than ScanStepMax, as a crash repeats it. What is staged is in memory: a step is due when it would be ScanBytesMax, or what the set is given
	// of memory if that is less.
	ScanStep     = 500 * time.Millisecond
	StepShare    = 8
	StepSpeed    = 64 << 20
	ScanStepMax  = 20 * time.Second
	ScanBytesMax = 512 << 20
	// ScanBytesLeast is what a step may stage however little memory there is: a step has a price of its own.
	ScanBytesLeast = 1 << 20
	// ScanPressed is how often a scan's progress is staged when its operators hold more than they may: they let go of rows at
	// the end of a step.
	ScanPressed = 50 * time.Millisecond
	// AttachPatience is how long a set that attaches may hold up a barrier. An attach that takes longer is undone, and tried
	// again later with twice the patience, patienceDoublings times at most: on a busy machine it comes to an end too.
	AttachPatience    = 200 * time.Millisecond
	patienceDoublings = 4
	// retryFirst and retryMax bound the back-off between attempts.
	retryFirst = 100 * time.Millisecond
	retryMax   = 30 * time.Second
)

// State is the state of a set as SQL shows it.
type State string

const (
	Queued      State = "QUEUED"   // an upstream is not attached
	Creating    State = "CREATING" // scanning or replaying for the first time
	CatchingUp  State = "CATCHING_UP"
	Attaching   State = "ATTACHING"
	Running     State = "RUNNING"
	Paused      State = "PAUSED"
	Failed      State = "FAILED" // waiting for the next attempt
	Quarantined State = "QUARANTINED"
	LaggedOut   State = "LAGGED_OUT" // the changelog that it needs was given up
)

// Set is where a set of detached jobs stands. The engine updates the facts; Next reads them.
type Set struct {
	First       epoch.Epoch // its first pin is of this epoch or a later one: what was written before is scanned, not replayed
	Pinned      epoch.Epoch // the epoch its scans read; 0 when nothing is pinned
	PinnedAt    time.Time
	Scanned     bool          // every catch-up has reached the end of its scan, and that is published
	Idle        bool          // the catch-ups have nothing more to read
	Rows        int64         // read since the last step began
	Bytes       int64         // about what a step would stage now
	BytesMax    int64         // that it should not be more than; 0: ScanBytesMax
	Every       time.Duration // steps of its scan are at most so far apart; 0: as they cost
	Pressed     bool          // operators hold more than they may
	AsOf        epoch.Epoch   // what its published state equals
	StepAt      time.Time     // when its last step began
	InStep      bool          // a step is in flight or not published yet
	Replayed    bool          // the last step was a replay after the scan
	Replays     int           // how many there were since its actors started
	Window      time.Duration // how long its actors took for it
	Before      time.Duration // how long they took for the replay before it; 0: there was none
	Slows       bool          // others wait for it for as long as it takes
	Attaching   bool          // asked to attach, not joined yet
	Paused      bool
	Failures    int // in a row
	Undone      int // attaches in a row that took too long
	RetryAt     time.Time
	Quarantined string
	LaggedOut   bool      // it can not replay what it lacks
	Running     bool      // its actors exist
	Outgrown    bool      // there are to be other numbers of actors than it was built for
	Held        bool      // the last step let operators hold back what they have
	Arranged    bool      // its jobs read their history when they are attached
	Settled     bool      // nothing was read since the last step began, because it is outgrown or paused
	Told        bool      // its actors have told how far it is
	PaidAt      time.Time // when the limit on its reading has paid for its last replay
}

// Action is what to do next with a set.
type Action uint8

const (
	Wait   Action = iota
	Start         // build the actors
	Pin           // pin the visible epoch, replay up to it, scan on there
	Step          // end the step, to stage the scan's progress
	Replay        // pin the visible epoch and replay up to it
	Attach        // ask to attach at the next barrier
	Halt          // end the actors, so that others take over what is staged
)

// Next decides. upstreams tells whether all that the set reads is attached; until is the time to look again at the
// latest, zero when only an event can change the answer.
//
// A paused set reads and replays nothing once it is known what it will read. When its pin has served its time its actors end,
// so that it holds no old view; those that take over tell how far it is, and pin nothing before the pause ends. The changelog is
// kept for it meanwhile, for as long as the retention says.
func (s *Set) Next(now time.Time, visible epoch.Epoch, upstreams bool) (a Action, until time.Time) {
	repin := s.PinnedAt.Add(RepinAfter)
	fresh := s.Pinned != 0 && now.Before(repin)
	switch {
	case s.Quarantined != "" || s.LaggedOut:
		return Wait, time.Time{}
	case !s.Running && now.Before(s.RetryAt):
		return Wait, s.RetryAt
	case !s.Running && !upstreams:
		return Wait, time.Time{}
	case !s.Running:
		return Start, time.Time{}
	case s.InStep || s.Attaching:
		return Wait, time.Time{}
	case s.Outgrown:
		return s.halting(), time.Time{}
	case !s.Scanned && fresh:
		return s.scanning(now, repin)
	case s.Scanned && s.Held:
		return Step, time.Time{}
	case s.Paused && s.AsOf != 0:
		return s.resting(fresh, repin)
	case !upstreams || visible < s.First:
		return Wait, time.Time{}
	case s.Arranged && s.AsOf == 0:
		return Attach, time.Time{} // nothing was read: there is nothing to replay
	case now.Before(s.PaidAt):
		return Wait, s.PaidAt
	case !s.Scanned:
		return Pin, time.Time{}
	case s.Replayed && (s.Window < s.attachWindow() || s.Slows && !s.converging()) || fresh && now.Sub(s.PinnedAt) < AttachWindow:
		return Attach, time.Time{}
	}
	return Replay, time.Time{}
}

// attachWindow is how long the last replay may have taken when the set attaches.
func (s *Set) attachWindow() time.Duration {
	return AttachWindow << min(max(s.Replays-replaysFirst, 0), windowDoublings)
}

// converging reports whether the windows of replays get short at a rate that leads to an attach soon: each should take no more
// than half of the one before. Without it a set for which others would wait, and whose windows stay above those that any set may
// attach after, never had them wait.
func (s *Set) converging() bool { return s.Before == 0 || 2*s.Window <= s.Before }

// halting stages what was read before the actors end, so that those after them read nothing again.
func (s *Set) halting() Action {
	if s.Settled || s.Pinned == 0 {
		return Halt
	}
	return Step
}

// resting lets go of the pin when it has served its time.
func (s *Set) resting(fresh bool, repin time.Time) (Action, time.Time) {
	switch {
	case fresh:
		return Wait, repin
	case s.Pinned != 0:
		return s.halting(), time.Time{}
	case !s.Told:
		return Step, time.Time{}
	}
	return Wait, time.Time{}
}

// scanning stages what was read, at the latest when the scan has ended; a scan that reads nothing has nothing to stage.
func (s *Set) scanning(now, repin time.Time) (Action, time.Time) {
	cost := max(s.Window, time.Duration(float64(s.Bytes)/StepSpeed*float64(time.Second)))
	due := s.StepAt.Add(min(max(ScanStep, StepShare*cost), ScanStepMax))
	if s.Every > 0 {
		due = s.StepAt.Add(s.Every)
	}
	if s.Pressed {
		due = s.StepAt.Add(ScanPressed)
	}
	switch {
	case s.Idle || s.Rows > 0 && (s.Bytes >= s.bytesMax() || !now.Before(due)):
		return Step, time.Time{}
	case s.Rows > 0 && due.Before(repin):
		return Wait, due
	}
	return Wait, repin
}

// Midway reports whether a step that ends now is one in the middle of a scan.
func (s *Set) Midway() bool { return !s.Scanned && !s.Idle }

// bytesMax is how much a step should not stage more than.
func (s *Set) bytesMax() int64 {
	if s.BytesMax == 0 {
		return ScanBytesMax
	}
	return min(max(s.BytesMax, ScanBytesLeast), ScanBytesMax)
}

// Rest notes that the set's actors are stopped; it may start again at once.
func (s *Set) Rest() {
	s.Running, s.InStep, s.Attaching, s.Replayed, s.Idle, s.Rows, s.Pinned = false, false, false, false, false, 0, 0
	s.Before, s.Replays = 0, 0
	s.Outgrown, s.Settled = false, false
}

// Fail records a failure and decides whether it is the last.
func (s *Set) Fail(now time.Time, reason string) {
	s.Rest()
	if s.Failures++; s.Failures >= AttemptsMax {
		s.Quarantined = reason
		return
	}
	s.RetryAt = now.Add(backOff(s.Failures))
}

// Undo records an attach that took too long. The set keeps its as_of and tries again.
func (s *Set) Undo(now time.Time) {
	s.Rest()
	s.Undone++
	s.RetryAt = now.Add(backOff(s.Undone))
}

// Patience is how long the set may hold up a barrier when it attaches: longer after attaches that took too long, and when the
// last replay may have.
func (s *Set) Patience() time.Duration {
	return AttachPatience << min(max(s.Undone, s.Replays-replaysFirst), patienceDoublings)
}

// backOff is the wait before the next attempt after so many.
func backOff(attempts int) time.Duration {
	const doublingsMax = 10 // enough for retryMax
	return min(retryFirst<<min(2*(attempts-1), doublingsMax), retryMax)
}

// Refuse records a failure that another attempt would only repeat, such as bytes that are not what was written.
func (s *Set) Refuse(reason string) {
	s.Rest()
	s.Failures, s.Quarantined = AttemptsMax, reason
}

// Resume lets a quarantined set try again.
func (s *Set) Resume() { s.Quarantined, s.Failures, s.RetryAt = "", 0, time.Time{} }

// State names where the set stands.
func (s *Set) State(upstreams bool) State {
	switch {
	case s.LaggedOut:
		return LaggedOut
	case s.Quarantined != "":
		return Quarantined
	case s.Paused && (s.Pinned != 0 || s.AsOf != 0 || !upstreams): // at rest: it has had its pin, so what there is to read is known
		return Paused
	case !s.Running && s.Failures > 0:
		return Failed
	case !upstreams:
		return Queued
	case s.Attaching:
		return Attaching
	case !s.Scanned:
		return Creating
	}
	return CatchingUp
}
