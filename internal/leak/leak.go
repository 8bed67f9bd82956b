// Package leak fails a test binary that leaves goroutines behind.
//
//	func TestMain(m *testing.M) { leak.Main(m) }
package leak

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long goroutines may take to end after the last test. One look, which waits for less than half a second, is not
// enough on a machine that has much else to do; a goroutine that stays fails the binary all the same.
const patience = time.Minute

// Main runs the tests of a binary, and then looks for goroutines that have not ended.
func Main(m *testing.M) { goleak.VerifyTestMain(patient{m}) }

// patient are tests that are over when their goroutines have ended, or have had the time to.
type patient struct{ *testing.M }

// Run implements goleak.TestingM.
func (p patient) Run() int {
	code := p.M.Run()
	for end := time.Now().Add(patience); code == 0 && goleak.Find() != nil && time.Now().Before(end); {
	}
	return code
}
