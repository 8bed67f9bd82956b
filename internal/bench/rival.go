package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/nexmark"
)

// Rival is a program that runs a query of Nexmark on another system. It is called as
//
//	COMMAND QUERY DIRECTORY EVENTS-PER-BATCH RESULT
//
// reads DIRECTORY/TABLE/{0,1}.csv, leaves the rows of the query's result in a file of CSV without header, in any order,
// and prints one line of JSON: {"cpu": seconds, "wall": seconds, "peak_mb": megabytes}.
type Rival struct{ Name, Command string }

// ParseRival reads NAME=COMMAND.
func ParseRival(s string) (Rival, error) {
	name, command, ok := strings.Cut(s, "=")
	if !ok || name == "" || len(strings.Fields(command)) == 0 {
		return Rival{}, fmt.Errorf("a rival is NAME=COMMAND, not %q", s)
	}
	return Rival{name, command}, nil
}

// rival runs a program and has the oracle read what it leaves.
func (a *auctionSite) rival(ctx context.Context, r Rival, q nexmark.Query) (took cost, got fingerprint, err error) {
	words := strings.Fields(r.Command)
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], q.Name, a.files, strconv.Itoa(nexmark.Batch), a.results)...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		return took, got, fmt.Errorf("%s: %w\n%s", cmd, err, log.Bytes())
	}
	var told struct {
		CPU, Wall float64
		PeakMB    float64 `json:"peak_mb"`
	}
	if err := json.Unmarshal(out.Bytes(), &told); err != nil {
		return took, got, fmt.Errorf("%s tells %q: %w", cmd, out.Bytes(), err)
	}
	took = cost{wall: seconds(told.Wall), cpu: seconds(told.CPU), peakMB: told.PeakMB}
	f, err := os.Open(a.results)
	if err != nil {
		return took, got, err
	}
	defer f.Close()
	if _, err := a.oracle.Exec(ctx, "DROP TABLE IF EXISTS rival; CREATE TABLE rival (LIKE answer)"); err != nil {
		return took, got, err
	}
	if _, err := a.oracle.PgConn().CopyFrom(ctx, f, "COPY rival FROM STDIN (FORMAT csv)"); err != nil {
		return took, got, fmt.Errorf("what %s leaves: %w", r.Name, err)
	}
	got, err = fingerprintOf(ctx, a.oracle, "SELECT * FROM rival")
	return took, got, err
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
