package main

import (
	"strings"
	"testing"
)

const firstRun = `game 1: ann +12
  + [ann 12]
game 2: bob +11
  + [bob 11]
game 3: ann +5
  - [ann 12]
  + [ann 17]
game 4: bob -4
  - [bob 11]
`

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for _, want := range []string{firstRun, "  + [ann 17]\n"} {
		var out strings.Builder
		if err := run(t.Context(), dir, &out); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("got\n%swant\n%s", out.String(), want)
		}
	}
}
