package sched

import (
	"os"
	"runtime"
	"sync"
	"time"
)

// NewDedicated divides the processors of a machine in a process that has nothing else to do. Go schedules on twice as many
// from now on, one of which never has a catch-up, and the operating system tells catch-ups from others by the priority of their
// threads. Where the process may not have all processors of the machine it is a NewShare of what it may have.
func NewDedicated(now func() time.Time) *Share {
	procs, ok := dedicated()
	if !ok {
		return NewShare(procs, now)
	}
	s := newShare(now, procs, 2*procs-1, procs)
	s.low = true
	return s
}

// dedicated is how many processors there are, and whether Go schedules on more. The runtime would need more than it may have where a
// quota or the user limits it: it would be stopped for what it uses in excess.
var dedicated = sync.OnceValues(func() (procs int, more bool) {
	procs = runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") != "" || procs < runtime.NumCPU() {
		return procs, false
	}
	runtime.GOMAXPROCS(2 * procs)
	return procs, true
})
