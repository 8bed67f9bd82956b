package ast

// Flush is FLUSH: wait until every view shows what was written before.
type Flush struct{ Pos }

// Wait is WAIT [ALL | kind name]: wait until jobs created in the background are done. Kind is "" for all.
type Wait struct {
	Pos
	Kind ObjectKind
	Name Name
}

// Recover is RECOVER: restart the streaming engine from the last durable epoch.
type Recover struct{ Pos }

// CancelJobs is CANCEL JOB[S] n, ...
type CancelJobs struct {
	Pos
	Jobs []int64
}

// Kill is KILL n, or KILL 'worker:n': end a client's statement.
type Kill struct {
	Pos
	Process string
}

// Verify is VERIFY MATERIALIZED VIEW v [SAMPLE n PERCENT]: recompute and compare. Percent is "" for the whole view.
type Verify struct {
	Pos
	Kind    ObjectKind
	Name    Name
	Percent string
}

// Recreate is RECREATE MATERIALIZED VIEW v: build it anew beside the old one and swap.
type Recreate struct {
	Pos
	Kind ObjectKind
	Name Name
}

// Backfill is CHECK BACKFILL v or REPAIR BACKFILL v [VNODE (n, ...)] [FROM SCRATCH].
type Backfill struct {
	Pos
	Repair      bool
	Name        Name
	VNodes      []int64
	FromScratch bool
}

// Refresh is REFRESH TABLE t, REFRESH SOURCE s or REFRESH MATERIALIZED VIEW [CONCURRENTLY] v [WITH NO DATA].
type Refresh struct {
	Pos
	Kind         ObjectKind
	Concurrently bool
	Name         Name
	WithNoData   bool
}

func (*Flush) stmt()      {}
func (*Wait) stmt()       {}
func (*Recover) stmt()    {}
func (*CancelJobs) stmt() {}
func (*Kill) stmt()       {}
func (*Verify) stmt()     {}
func (*Recreate) stmt()   {}
func (*Backfill) stmt()   {}
func (*Refresh) stmt()    {}
