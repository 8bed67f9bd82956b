// Package kv is the contract of the store that holds all state: writes are staged by a job for an epoch, published when
// the epoch becomes visible, and committed when it is made durable. Package kvtest has the suite that every
// implementation must pass.
//
// The life of a write:
//
//	staged    Stage: only the job that wrote it reads it (Own)
//	visible   Publish: every View taken from now on holds it
//	durable   Commit: it survives a crash
package kv

import (
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// Store is the whole of the state. All methods are safe for concurrent use, except that Publish, Commit and Discard
// come from one caller, the engine's driver, in epoch order.
type Store interface {
	// Stage hands over what a job wrote in an epoch. A job may stage several runs for one epoch (one per actor); their
	// keys are disjoint. The store owns the run from now on.
	Stage(job id.Job, e epoch.Epoch, r *Run)
	// Publish makes the runs that the given jobs staged for epochs <= e visible, all at once, and e the visible epoch.
	// Runs of other jobs stay staged: a detached job publishes with whatever epoch comes after its step has ended.
	Publish(e epoch.Epoch, jobs []id.Job)
	// Discard drops the runs of the job that are not visible.
	Discard(job id.Job)
	// Commit makes all that is visible durable, in one synced atomic step together with writes to the meta space, and
	// returns when it is. Changelogs are written for the tables with a lease, one segment an epoch.
	Commit(c Commit) (CommitStats, error)
	// Visible and Durable are the epochs of the last Publish and Commit (after Open: the epoch recovered to).
	Visible() epoch.Epoch
	Durable() epoch.Epoch

	// View pins the visible epoch: what it reads never changes. It must be closed.
	View() View
	// Own reads as the job itself does: its staged runs over the visible state. It is not pinned.
	Own(job id.Job) Reader

	// SetLeases replaces the set of leases: for each table, the epoch after which its changelog is kept. A lease may be
	// granted for any epoch that is not below the durable one. Log segments that no lease needs are removed in the
	// background of a later commit.
	SetLeases(leases map[id.Table]epoch.Epoch)

	// Apply writes to the meta space at once, synced; used by DDL and by the DML log. It may also write first rows of
	// tables that no job has staged for yet: staged and visible runs hide what it writes to their keys.
	Apply(writes []Write) error
	// Meta reads the meta space as last applied or committed.
	Meta() Reader

	// DropTables removes the rows and logs of tables that no job will stage for again.
	DropTables(tables []id.Table) error
	Close() error
}

// Commit is what one commit writes beside the table state.
type Commit struct {
	Epoch epoch.Epoch // the visible epoch that becomes durable; all below it become durable too
	Meta  []Write     // meta space: offsets, progress, the highest DML sequence number
}

// CommitStats tells what a commit cost.
type CommitStats struct {
	Rows, Bytes int
	Ingested    bool // one Ingest of sorted tables instead of a batch
}

// Reader reads keys of the whole key space in order.
type Reader interface {
	// Get returns the value of the key; the slice is valid until the next call on this reader by the same goroutine.
	Get(key []byte) (value []byte, ok bool, err error)
	// Scan iterates over [start, end) in key order; end nil means to the end of the key space.
	Scan(start, end []byte) Iterator
}

// View is a Reader of one visible epoch. It is safe for concurrent use; Get copies.
type View interface {
	Reader
	Epoch() epoch.Epoch
	// Log iterates over the changelog of a table's vnode: the changes of epochs in (from, to], by epoch, then key.
	// It covers epochs in memory and in the store alike. ErrLogGone (wrapped) means no lease held it.
	Log(t id.Table, vnode uint16, from, to epoch.Epoch) (LogIterator, error)
	// Close releases the pin. Using the view or its iterators afterwards is a bug.
	Close() error
}

// Iterator walks over rows in key order:
//
//	for it.Next() { use(it.Key(), it.Value()) }
//	err := it.Close()
type Iterator interface {
	Next() bool
	Key() []byte   // valid until the next call of Next
	Value() []byte // valid until the next call of Next
	Close() error  // returns the first error met
}

// LogIterator walks over a changelog. Old nil: the key was inserted; New nil: it was deleted. Slices are valid until Next.
type LogIterator interface {
	Next() bool
	Epoch() epoch.Epoch
	Key() []byte // the row's full key, as in the table
	Old() []byte
	New() []byte
	Close() error
}

// Write is one change of a key. New nil deletes it.
type Write struct {
	Key []byte
	New []byte
	Old []byte // the value replaced, nil if none; kept only for tables that have a changelog
}
