package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/golden"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/pebblekv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/tally"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TestFormatsPage writes the examples of docs/formats.md: a block that follows a comment with its name is what the code
// makes now, so that a change of a format shows in the page.
func TestFormatsPage(t *testing.T) {
	const page = "../../docs/formats.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	out := string(text)
	for name, body := range map[string]string{"keys": exampleKeys(), "rows": exampleRows(), "records": exampleRecords(), "control": exampleControl(t)} {
		block := regexp.MustCompile("(?s)<!-- " + name + " -->\n```text\n.*?```")
		if !block.MatchString(out) {
			t.Fatalf("%s has no block of %s", page, name)
		}
		out = block.ReplaceAllLiteralString(out, "<!-- "+name+" -->\n```text\n"+body+"```")
	}
	golden.File(t, page, out)
}

// example is a line of bytes and what they are.
func example(b []byte, what string) string { return fmt.Sprintf("%x\n    %s\n", b, what) }

func exampleKeys() string {
	key := keyenc.AppendKey(nil, types.Int4, types.NewInt(42), keyenc.Order{})
	return example(append(kv.AppendTable(nil, 5, 3), key...), "table 5, vnode 3, the row with the key 42") +
		example(append(kv.AppendLog(nil, 5, 3, 7), key...), "the changelog of table 5, vnode 3: a block of epoch 7 that begins with the key 42") +
		example(keyenc.AppendKey(nil, types.Text, types.NewBytes("ab"), keyenc.Order{}), "a key of text, 'ab'") +
		example(keyenc.AppendKey(nil, types.Int4, types.NewInt(42), keyenc.Order{Desc: true}), "42 of a column that is sorted descending") +
		example(keyenc.AppendKey(nil, types.Int4, types.Null, keyenc.Order{}), "NULL, last")
}

func exampleRows() string {
	ts := []types.T{types.Int4, types.Text, types.Bool, types.Float8, types.Text}
	row := types.Row{types.NewInt(42), types.NewBytes("ab"), types.NewBool(true), types.NewFloat(1.5), types.Null}
	return example(keyenc.AppendDatums(nil, ts, row), "the row (42, 'ab', true, 1.5, NULL)") +
		example(state.AppendCount(nil, 3), "the value of a row of a multiset that is there three times")
}

func exampleRecords() string {
	rec := backfill.Record{Phase: backfill.Scanning, ScanCursor: []byte{2, 128, 0, 0, 42}, AsOf: 300, Until: 300, Rows: 1000, Bytes: 20000}
	old := backfill.FormatOne{Table: 1001, Fragment: 7, Actor: 40, Rows: 100, Position: []byte{128, 0, 0, 42}}
	c := tally.NewCounter(1, 2)
	c.Add(1, []byte("row"), 2)
	sums := tally.NewTable(2)
	sums.Merge(c.Take())
	return example(rec.Encode(), "progress, format 2: a range that is being scanned as of epoch 300, 1000 rows read") +
		example(old.Encode(), "progress, format 1, of an actor that has not finished") +
		example(sums.Encode(), "sums of the rows of two vnodes, the second with two rows")
}

// exampleControl lists the records of the control state of a store that has one of each common kind, with the fields of
// those that are structures.
func exampleControl(t *testing.T) string {
	dir := t.TempDir()
	w := &damaged{T: t, dir: dir}
	w.sql(`SET state_hash = on; SET streaming_parallelism = 1; CREATE SCHEMA s; CREATE USER u;
		CREATE TABLE t (id int PRIMARY KEY, g int); INSERT INTO t VALUES (1, 2);
		CREATE MATERIALIZED VIEW v AS SELECT g, count(*) AS n FROM t GROUP BY g;
		ALTER SYSTEM SET checkpoint_interval = '2s'`)
	w.close()
	store, err := pebblekv.OpenReadOnly(pebblekv.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var out strings.Builder
	kinds := map[string]bool{}
	it := store.Meta().Scan([]byte{kv.SpaceMeta}, []byte{kv.SpaceMeta + 1})
	for it.Next() {
		name := string(it.Key()[1:])
		dir, _, nested := strings.Cut(name, "/")
		if kinds[dir] || dir == "dml" || dir == "dmlpart" {
			continue
		}
		kinds[dir] = true
		if nested {
			dir += "/..."
		}
		fmt.Fprintf(&out, "%-14s %s\n", dir, fields(it.Value()))
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// fields are the names of a structure in JSON; of another value, what it is.
func fields(b []byte) string {
	var v any
	if json.Unmarshal(b, &v) != nil {
		return "bytes"
	}
	switch v := v.(type) {
	case map[string]any:
		var names []string
		for n := range v {
			names = append(names, n)
		}
		slices.Sort(names)
		return strings.Join(names, ", ")
	case []any:
		return "a list"
	case string:
		return "a text"
	}
	return "a number"
}
