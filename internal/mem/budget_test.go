package mem

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
)

func TestReserveIsAllOrNothing(t *testing.T) {
	root := New("process", 100)
	a, b := root.Child("job 1", 0), root.Child("job 2", 30)
	if !a.Try(60) || !b.Try(30) {
		t.Fatal("both fit")
	}
	if b.Try(1) {
		t.Error("job 2 is at its own limit")
	}
	err := a.Reserve(11)
	e, ok := errs.As(err)
	if !ok || e.Entry != errs.OutOfMemory || e.Detail != "process uses 90 of 100 bytes and asks for 11 more" {
		t.Errorf("%v %+v", err, e)
	}
	if a.Used() != 60 || b.Used() != 30 || root.Used() != 90 {
		t.Errorf("a refusal must leave nothing behind: %d %d %d", a.Used(), b.Used(), root.Used())
	}
	a.Release(60)
	b.Close()
	if root.Used() != 0 || root.Peak() < 90 {
		t.Errorf("used %d, peak %d", root.Used(), root.Peak())
	}
}

// Caches that are over their limit until the next barrier do not take from statements what is set aside for them.
func TestAShareIsNotTakenByOthers(t *testing.T) {
	root := New("process", 100)
	state, statements := root.Child("state", 40), root.Share("statements", 60)
	session := statements.Child("session 1", 50)
	state.Force(90)
	if !session.Try(50) {
		t.Error("the share of statements is free")
	}
	if session.Try(1) || statements.Try(11) {
		t.Error("limits within the share hold")
	}
	if root.Used() != 140 {
		t.Errorf("the root counts %d, want 140", root.Used())
	}
}

func TestPressureIsToldOncePerCrossing(t *testing.T) {
	root := New("process", 800)
	var told []string
	root.OnPressure(func(p Pressure) { told = append(told, fmt.Sprintf("%v %d/%d", p.High, p.Used, p.Limit)) })
	job := root.Child("job 1", 0)
	job.Try(700)    // exactly 7/8: not yet
	job.Try(1)      // above
	job.Try(10)     // still above
	job.Force(500)  // may go over the limit
	job.Release(50) // still above the low mark
	if !job.Pressed() {
		t.Error("the account above is pressed")
	}
	job.Release(600) // 561, below 3/4
	job.Try(200)     // above again
	if got := strings.Join(told, ", "); got != "true 701/800, false 561/800, true 761/800" {
		t.Error(got)
	}
}

func TestNilCountsNothing(t *testing.T) {
	var b *Budget
	if err := b.Reserve(1 << 60); err != nil || !b.Try(1) || b.Used() != 0 || b.Pressed() {
		t.Error("a nil budget never refuses")
	}
	b.Force(1)
	b.Release(1)
	b.Close()
}

func TestConcurrentReservationsNeverExceedTheLimit(t *testing.T) {
	root := New("process", 50)
	var wg sync.WaitGroup
	for i := range 8 {
		job := root.Child(fmt.Sprint(i), 20)
		wg.Go(func() {
			for n := range int64(2000) {
				if size := n%7 + 1; job.Try(size) {
					job.Release(size)
				}
			}
		})
	}
	wg.Wait()
	if root.Used() != 0 || root.Peak() > 50 {
		t.Errorf("used %d, peak %d", root.Used(), root.Peak())
	}
}

func BenchmarkReserve(b *testing.B) {
	job := New("process", 1<<40).Child("job 1", 0)
	for b.Loop() {
		job.Try(64)
		job.Release(64)
	}
}
