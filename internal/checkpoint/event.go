package checkpoint

import (
	"fmt"
	"strings"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// Event is what happened; see the types below.
type Event interface{ event() }

// AddJob tells of a new job whose actors run. Attached jobs (tables, recovered views) take part from the next barrier on;
// a detached one becomes a set of its own.
type AddJob struct {
	Job      id.Job
	Attempt  id.Attempt
	Actors   int
	Ups      []id.Job
	Detached bool
	AsOf     epoch.Epoch // of a detached job
	Replays  bool        // a detached job that is recovered, had been attached, and goes on with those it had replayed with
	Fresh    bool        // an attached job whose first rows come with the next barrier: until then it shows nothing
	Apart    []id.Job    // jobs that it has never replayed with, though it reads them and may equal the same epoch
}

// DropJob tells that a job is gone; those that read it are gone already.
type DropJob struct{ Job id.Job }

// Tick asks for a barrier: the interval has passed, or somebody waits.
type Tick struct{}

// SetStep asks to end the step of a set. Until is the epoch up to which its catch-ups replay before the barrier passes;
// 0 while they scan.
type SetStep struct {
	Set   SetID
	Until epoch.Epoch
}

// Attach asks to attach a set at the next barrier.
type Attach struct{ Set SetID }

// Ack tells that one actor of a job has staged an epoch.
type Ack struct {
	Job     id.Job
	Attempt id.Attempt
	Epoch   epoch.Epoch
}

// Failed tells that an actor of a job has ended with an error.
type Failed struct {
	Job     id.Job
	Attempt id.Attempt
}

// Restarted tells that the actors of a set's jobs run again, as new attempts.
type Restarted struct {
	Set      SetID
	Attempts map[id.Job]id.Attempt
	Actors   map[id.Job]int
}

// Replaced tells that an attached job has other actors from the next barrier on. No barrier may be in flight: the last one
// was acknowledged by those before.
type Replaced struct {
	Job     id.Job
	Attempt id.Attempt
	Actors  int
}

// Rewired tells that a job reads others from now on. No actor of it runs.
type Rewired struct {
	Job id.Job
	Ups []id.Job
}

// CommitDue asks for a commit: the interval has passed, memory is short, or something waits for durability.
type CommitDue struct{}

// Committed tells that a commit has ended well. A commit that fails ends the engine.
type Committed struct{ Epoch epoch.Epoch }

func (AddJob) event()    {}
func (DropJob) event()   {}
func (Tick) event()      {}
func (SetStep) event()   {}
func (Attach) event()    {}
func (Ack) event()       {}
func (Failed) event()    {}
func (Restarted) event() {}
func (Replaced) event()  {}
func (Rewired) event()   {}
func (CommitDue) event() {}
func (Committed) event() {}

// Effect is what the driver must do; its String is the golden form of scripts.
type Effect interface{ fmt.Stringer }

// Inject sends a barrier to the roots of all attached jobs, and to the catch-ups of the jobs that attach at it.
type Inject struct {
	Pair   epoch.Pair
	Attach []id.Job
}

// InjectSet sends a barrier to the roots of a set's jobs.
type InjectSet struct {
	Set   SetID
	Jobs  []id.Job
	Pair  epoch.Pair
	Until epoch.Epoch
}

// Publish makes an epoch visible: what the jobs staged for epochs up to it, all at once.
type Publish struct {
	Epoch  epoch.Epoch
	Jobs   []id.Job
	Joined []id.Job // of them, jobs that are attached from now on
	Sets   []SetID  // sets whose step is published with it
}

// Commit makes an epoch, and all before it, durable.
type Commit struct{ Epoch epoch.Epoch }

// Durable tells that an epoch is durable: what waited for it may leave the process.
type Durable struct{ Epoch epoch.Epoch }

// Stop ends the actors of jobs and discards what they staged and did not publish.
type Stop struct{ Jobs jobList }

// Detach tells that jobs have become a set which is to be started again at as_of, after Stop. Cause is the job that failed.
type Detach struct {
	Set   SetID
	Jobs  []id.Job
	AsOf  epoch.Epoch
	Cause id.Job
}

type jobList []id.Job

func (e Inject) String() string {
	return fmt.Sprintf("inject %d->%d%s", e.Pair.Prev, e.Pair.Curr, list(" attach", e.Attach))
}
func (e InjectSet) String() string {
	return fmt.Sprintf("inject set %d %d->%d until=%d%s", e.Set, e.Pair.Prev, e.Pair.Curr, e.Until, list(" jobs", e.Jobs))
}
func (e Publish) String() string {
	return fmt.Sprintf("publish %d%s%s%s", e.Epoch, list(" jobs", e.Jobs), list(" joined", e.Joined), list(" sets", e.Sets))
}
func (e Commit) String() string  { return fmt.Sprintf("commit %d", e.Epoch) }
func (e Durable) String() string { return fmt.Sprintf("durable %d", e.Epoch) }
func (e Stop) String() string    { return "stop" + list(" jobs", e.Jobs) }
func (e Detach) String() string {
	return fmt.Sprintf("detach set %d as_of=%d cause=%d%s", e.Set, e.AsOf, e.Cause, list(" jobs", e.Jobs))
}

// list renders a list of numbers, and nothing when it is empty.
func list[E any](name string, xs []E) string {
	if len(xs) == 0 {
		return ""
	}
	return name + "=" + strings.ReplaceAll(strings.Trim(fmt.Sprint(xs), "[]"), " ", ",")
}
