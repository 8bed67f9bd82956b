package nexmark_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/nexmark"
)

// The files have each row once, with all columns, and the batches of a kind go into them in turns.
func TestWrite(t *testing.T) {
	const events = 3*nexmark.Batch + nexmark.Round
	dir := t.TempDir()
	if err := nexmark.Write(dir, events); err != nil {
		t.Fatal(err)
	}
	for _, table := range nexmark.Tables {
		rows, err := table.Rows()
		if err != nil {
			t.Fatal(err)
		}
		var want [2]strings.Builder
		for n := range table.Count(events) {
			line := rows.Append(nil, n)
			if strings.Count(string(line), ",") != strings.Count(table.Columns, ",") {
				t.Fatalf("%s: %s", table.Columns, line)
			}
			want[n/table.Count(nexmark.Batch)%2].Write(line)
		}
		for i, name := range []string{"0.csv", "1.csv"} {
			if b, err := os.ReadFile(filepath.Join(dir, table.Name, name)); err != nil || string(b) != want[i].String() {
				t.Errorf("%s/%s: %d bytes, want %d; %v", table.Name, name, len(b), want[i].Len(), err)
			}
		}
	}
	if n := nexmark.Person.Count(events) + nexmark.Auction.Count(events) + nexmark.Bid.Count(events); n != events {
		t.Errorf("%d rows of %d events", n, events)
	}
}

// Queries come in their order, whatever the order of the names, and a name that there is not is refused.
func TestPick(t *testing.T) {
	picked, err := nexmark.Pick([]string{"q4", "q0"})
	if err != nil || len(picked) != 2 || picked[0].Name != "q0" || picked[1].Name != "q4" {
		t.Errorf("%v, %v", picked, err)
	}
	if all, err := nexmark.Pick(nil); err != nil || len(all) != len(nexmark.Queries) {
		t.Errorf("%d queries, %v", len(all), err)
	}
	if _, err := nexmark.Pick([]string{"q6"}); err == nil || !strings.Contains(err.Error(), `no query "q6"`) {
		t.Errorf("%v", err)
	}
}
