// Package invariant has checks of what must hold. They vanish unless built with -tags invariants or with -race: a
// release build detaches the job that misbehaves instead.
//
//	invariant.Check(e > visible, "epoch %d published after %d", e, visible)
package invariant

import "fmt"

// Check panics in checked builds when the condition does not hold.
func Check(ok bool, format string, args ...any) {
	if Enabled && !ok {
		panic(fmt.Sprintf("invariant violated: "+format, args...))
	}
}
