// Package event has the things that happen in an engine, as typed values. What acts emits an event to a Sink and never
// logs by itself; logs, metrics, the dashboard and tests are sinks, so that one fact is told once and in one wording.
//
//	sink.Emit(event.EpochVisible{Epoch: 7})
package event

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// Event is one thing that happened. The set is closed: a sink may switch over all of it.
type Event interface{ event() }

// Sink takes events. Emit is called by many goroutines, often while they hold up the stream, so it must neither block
// nor call back into what emitted the event.
type Sink interface{ Emit(Event) }

// EpochVisible says that readers now see the epoch.
type EpochVisible struct {
	Epoch    epoch.Epoch
	Duration time.Duration // from the barrier's injection until the epoch was published
}

// EpochDurable says that a crash can not take the epoch back. One commit covers all visible epochs up to it.
type EpochDurable struct{ Epoch epoch.Epoch }

// Committed says what one commit wrote.
type Committed struct {
	Epoch       epoch.Epoch
	Rows, Bytes int64
	Duration    time.Duration
	Ingested    bool // written as sorted files rather than as one batch
}

// JobChanged says that a job went from one state to another; both are the words that SHOW JOBS prints.
type JobChanged struct {
	Job      id.Job
	Name     string
	From, To string
	Epoch    epoch.Epoch // the barrier at which it happened, 0 when there is none
	Cause    error       // nil for an ordinary step
}

// Reported is an error, told once at its root. Job, Table and Epoch are 0 when the error has none.
type Reported struct {
	Job   id.Job
	Table id.Table
	Epoch epoch.Epoch
	Err   error
}

// SourceReconnecting says that the connection to an outside system was lost and when it is tried again.
type SourceReconnecting struct {
	Job     id.Job
	Source  string
	Attempt int
	Delay   time.Duration
	Err     error
}

// SourceConnected says that an outside system answers, after so many failed attempts.
type SourceConnected struct {
	Job      id.Job
	Source   string
	Attempts int
}

// MemoryPressure says that a budget is nearly used up, or is again well below its limit.
type MemoryPressure struct {
	Account     string
	Used, Limit int64
	High        bool
}

// Lifecycle is a step of the whole engine: opened, recovered, serving, stopping, closed.
type Lifecycle struct {
	Step   string
	Detail string
}

func (EpochVisible) event()       {}
func (EpochDurable) event()       {}
func (Committed) event()          {}
func (JobChanged) event()         {}
func (Reported) event()           {}
func (SourceReconnecting) event() {}
func (SourceConnected) event()    {}
func (MemoryPressure) event()     {}
func (Lifecycle) event()          {}
