package difftest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var scriptFlag = flag.String("script", "testdata/regress/*.sql", "the scripts that regress replays")

// regress replays the scripts that failed once, or the one to look into.
func regress(t *testing.T, oracle *Postgres) {
	files, err := filepath.Glob(*scriptFlag)
	if err != nil || len(files) == 0 {
		t.Fatal("there are no scripts", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h := ParseHistory(string(text))
			for _, shape := range []Shape{{Parallelism: 1, Vnodes: 1, Commit: time.Second}, {Parallelism: 2, Vnodes: 16, Commit: 10 * time.Millisecond, Background: true}} {
				if f, err := Replayer(oracle, shape)(t.Context(), h); err != nil {
					t.Fatal(err)
				} else if f != nil {
					t.Errorf("%v: step %d: %v", shape, f.Step+1, f)
				}
			}
		})
	}
}
