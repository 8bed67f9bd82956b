package difftest

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

var scriptFlag = flag.String("script", "", "a script to replay")

// TestScript replays one script, to look into a failure.
func TestScript(t *testing.T) {
	if *scriptFlag == "" {
		t.Skip("no -script")
	}
	text, err := os.ReadFile(*scriptFlag)
	if err != nil {
		t.Fatal(err)
	}
	oracle := connect(t, pgtest.Start(t, pgtest.Options{}), "script")
	f, err := Replayer(oracle, Shape{Parallelism: 2, Vnodes: 16, Commit: time.Second})(t.Context(), ParseHistory(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if f != nil {
		t.Errorf("step %d: %v", f.Step+1, f)
	}
}
