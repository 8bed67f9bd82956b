package leak

import (
	"testing"
	"time"
)

// TestMain passes although the test leaves a goroutine that takes longer to end than one look waits.
func TestMain(m *testing.M) { Main(m) }

func TestSlowGoroutine(t *testing.T) {
	wait := time.After(time.Second)
	go func() { <-wait }()
}
