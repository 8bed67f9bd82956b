package bench

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// clockTicks is how many make a second in /proc on Linux.
const clockTicks = 100

// Process is a server as the operating system sees it, by the number of its first process; 0 is unknown, and costs nothing.
type Process int

// CPU is the processor time that the process and all that descend from it have used so far.
func (p Process) CPU() (time.Duration, error) {
	if p == 0 {
		return 0, nil
	}
	own, err := p.stat()
	if err != nil {
		return 0, err
	}
	ticks := own.used + own.ended
	all, err := os.ReadDir("/proc")
	if err != nil {
		return 0, err
	}
	for _, entry := range all {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if s, err := Process(pid).stat(); err == nil && s.parent == p { // one that has ended meanwhile is counted next time
			ticks += s.used + s.ended
		}
	}
	return time.Duration(ticks) * time.Second / clockTicks, nil
}

// stat is what /proc tells of one process.
type stat struct {
	parent Process
	used   int // ticks
	ended  int // ticks of those below it that have ended
}

// Positions in /proc/PID/stat behind the name.
const (
	statParent = 1
	statUser   = 11
	statFields = 15
)

func (p Process) stat() (s stat, err error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p))
	if err != nil {
		return s, err
	}
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(f) < statFields {
		return s, errors.New("/proc: a process without times")
	}
	parent, err := strconv.Atoi(f[statParent])
	if err != nil {
		return s, err
	}
	var times [4]int // user, system, and the same of those that have ended
	for i := range times {
		if times[i], err = strconv.Atoi(f[statUser+i]); err != nil {
			return s, err
		}
	}
	return stat{Process(parent), times[0] + times[1], times[2] + times[3]}, nil
}

// Resident is the memory in MB that the process has now, PeakResident the most that it had since ForgetPeak.
func (p Process) Resident() (float64, error)     { return p.status("VmRSS:") }
func (p Process) PeakResident() (float64, error) { return p.status("VmHWM:") }

// ForgetPeak begins to measure the peak anew.
func (p Process) ForgetPeak() error {
	if p == 0 {
		return nil
	}
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p), []byte("5"), 0o200)
}

// status reads a size.
func (p Process) status(name string) (float64, error) {
	if p == 0 {
		return 0, nil
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024, err
		}
	}
	return 0, errors.New("/proc: no " + name)
}
