package sched

import (
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// niceness is that of the thread that the caller runs on. The system call gives 20 less the value.
func niceness(t *testing.T) int {
	n, err := syscall.Getpriority(syscall.PRIO_PROCESS, syscall.Gettid())
	if err != nil {
		t.Error(err)
	}
	return 20 - n
}

// TestLow: only the goroutine of a catch-up has a thread of low priority, and only of a share that relies on priorities.
func TestLow(t *testing.T) {
	var on atomic.Bool
	on.Store(true)
	before := niceness(t)
	s := newShare(time.Now, 1, 1, 1)
	low := func() (ran bool, nice int) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			NewPace(s, &on).Low(func() { ran, nice = true, niceness(t) })
		}()
		<-done
		return ran, nice
	}
	if ran, _ := low(); ran {
		t.Error("a thread is lowered though the share does not rely on it")
	}
	s.low = true
	for range 2 * lowMax { // a thread that has ended makes room
		if ran, nice := low(); !ran || nice != min(before+lowNice, 19) {
			t.Fatalf("ran %v, niceness %d after %d", ran, nice, before)
		}
	}
	for range 100 {
		done := make(chan int)
		go func() { done <- niceness(t) }()
		if n := <-done; n != before {
			t.Fatalf("a thread of others has niceness %d", n)
		}
	}
}
