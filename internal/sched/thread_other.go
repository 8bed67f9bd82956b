//go:build !linux

package sched

// lowerThread does nothing: threads have no priority of their own here.
func lowerThread() bool { return false }
