package sched

import (
	"runtime"
	"syscall"
)

// lowNice is the niceness of catch-ups: a third of a processor beside a thread that wants all of it, and a wake-up of others comes first.
const lowNice = 5

// lowerThread gives the goroutine a thread of its own with a low priority. Linux has one for each thread, whatever POSIX says, and
// lets nobody but root raise it again: so the thread must end with the goroutine.
func lowerThread() bool {
	runtime.LockOSThread()
	tid := syscall.Gettid()
	now, err := syscall.Getpriority(syscall.PRIO_PROCESS, tid) // gives 20 less the niceness
	if err != nil || syscall.Setpriority(syscall.PRIO_PROCESS, tid, 20-now+lowNice) != nil {
		runtime.UnlockOSThread()
		return false
	}
	return true
}
