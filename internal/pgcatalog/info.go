package pgcatalog

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Info is what rows and functions are made of, as one session sees it at one time. Only Catalog must be there.
type Info struct {
	Catalog    *catalog.Snapshot
	Settings   []settings.Row
	Jobs       []JobInfo
	Errors     []ErrorInfo
	Functions  []FunctionInfo
	Sessions   func() []SessionInfo                            // nil: not known
	Memory     func() []MemoryInfo                             // accounts; nil: not known
	Watermark  func(rel id.Relation) (at, late int64, ok bool) // of a table, and the rows that came too late; nil: not known
	Sizes      func(id.Relation) int64                         // bytes that a relation takes; nil: not known
	Fragments  func() []FragmentInfo                           // parts of the jobs; nil: not known
	Sources    func() []SourceInfo                             // of change data; nil: not known
	Database   string
	User       string
	PID        int32
	SearchPath []string  // with $user replaced
	Started    time.Time // of the server
	Cluster    string    // identifier of the store
}

// JobInfo is one streaming job. A duration or time that is not known is zero.
type JobInfo struct {
	ID            id.Job
	Relation      id.Relation
	SQL           string
	State         string
	Progress      float64 // percent of the history that has been read; 100 when created
	RowsScanned   uint64
	RowsTotal     uint64 // that there are to scan
	RowsPerSecond float64
	Lag           time.Duration
	AsOf          time.Time
	WaitsFor      string // names of what it reads and is not there yet
	Reason        string // of a failure or quarantine
	Foreground    bool   // a statement waits for it
	Created       time.Time
	Parallelism   string // how many actors a fragment has: a number, adaptive, ratio(...) or bounded(...)
	Finished      bool   // the relation answers; rw_ddl_progress lists the others
}

// MemoryInfo is an account of memory. Those above come before those below.
type MemoryInfo struct {
	Account, Parent string // Parent is empty for the one above all others
	Bytes, Peak     int64
	Limit           int64 // 0: that of the accounts above
}

// FragmentInfo is a part of a job that runs as parallel actors.
type FragmentInfo struct {
	Job         id.Job
	Index       int // within the job
	Last        bool
	Single      bool // its rows are not spread
	Vnodes      int
	Tables      []id.Table
	Inside      []int // fragments of the same job that it reads
	Inputs      []InputInfo
	Parallelism int
	Actors      []id.Actor // none while the job does not run
}

// SourceInfo is a source of change data. Positions are of the upstream's log.
type SourceInfo struct {
	Relation       id.Relation
	Number         int64 // that ALTER JOB takes
	State, Reason  string
	Position, End  uint64 // that was reached, and that there is
	LagBytes, Kept uint64 // between the two; that the upstream keeps for the source
	Lag            time.Duration
	Tables         []CapturedInfo
}

// CapturedInfo is a table that is captured from a source.
type CapturedInfo struct {
	Relation       id.Relation
	Job            id.Job
	State, Reason  string
	Rows, Total    uint64 // of its history: read, and that there are
	Progress       float64
	Ranges, Passed uint64 // of its history: read, and of those that the log has passed
	Live           bool
}

// InputInfo is another job's relation that a fragment reads.
type InputInfo struct {
	From        id.Relation
	Progress    id.Table // that holds how far it has read
	Rows, Total uint64
	AsOf        uint64 // the epoch that it is read at; 0: not yet
	Percent     float64
}

// ErrorInfo is one kind of row error that a job has met.
type ErrorInfo struct {
	Job         id.Job
	Code, Text  string
	Detail      string // may be empty
	Count       int64
	First, Last time.Time
}

// FunctionKind is pg_proc.prokind.
type FunctionKind byte

const (
	Function  FunctionKind = 'f'
	Aggregate FunctionKind = 'a'
	Window    FunctionKind = 'w'
)

// FunctionInfo is one overload of a function. A polymorphic type is Unknown, or an
// array of Unknown.
type FunctionInfo struct {
	Name    string
	Args    []types.T
	Returns types.T
	Kind    FunctionKind
	Set     bool // returns a set
	Strict  bool
	Doc     string
}

// SessionInfo is one connection.
type SessionInfo struct {
	PID                   int32
	User, Database, Query string
	Application, Client   string
	State                 string // active, idle, idle in transaction
	Started, QueryStarted time.Time
}
