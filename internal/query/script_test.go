package query_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/query"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/sql/sqltest"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TestScripts runs testdata, each file on a store of its own:
//
//	create                     CREATE TABLE statements
//	rows table=t [times=n]     rows of a table become visible in the next epoch
//	pin                        the queries that say pinned read this epoch
//	query [pinned] [cancel=n]  runs a query; the context ends after n chunks
//
// A query prints its rows and how many it has read from the store.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		w := &world{catalog: sqltest.New(), store: memkv.Open()}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			out, err := w.command(t, d)
			if err != nil {
				return out + sqltest.Failure(d.Input, err)
			}
			return out
		})
	})
}

type world struct {
	catalog *sqltest.World
	store   *memkv.Store
	epoch   epoch.Epoch
	pinned  kv.View
}

func (w *world) command(t *testing.T, d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "create":
		return "", w.catalog.Create(d.Input)
	case "rows":
		return "", w.rows(t, d)
	case "pin":
		w.pinned = w.store.View()
		t.Cleanup(func() { w.pinned.Close() })
		return "", nil
	case "query":
		return w.query(t, d)
	}
	d.Fatalf(t, "unknown command %s", d.Cmd)
	return "", nil
}

// rows stores what the input has, times over with the first column counted up, as the table's own job would.
func (w *world) rows(t *testing.T, d *datadriven.TestData) error {
	name, times := "", 1
	d.ScanArgs(t, "table", &name)
	d.MaybeScanArgs(t, "times", &times)
	return w.load(name, d.Input, times)
}

func (w *world) load(name, rows string, times int) error {
	rel, _ := w.catalog.Catalog.Lookup([]string{catalog.DefaultSchema}, name)
	w.epoch++
	format := stored(rel)
	c, err := chunk.Parse(format.Types, rows)
	if err != nil {
		return err
	}
	var b kv.RunBuilder
	for n := range times {
		for i := range c.Rows() {
			row := c.Row(i)
			if n > 0 {
				row[0] = types.NewInt(row[0].Int() + int64(n))
			}
			v := format.VnodeOf(row)
			b.Add(kv.Write{Key: append(kv.AppendTable(nil, format.Table, uint16(v)), format.AppendKeyRow(nil, row)...),
				New: keyenc.AppendDatums(nil, format.Types, row)})
		}
	}
	w.store.Stage(rel.Job, w.epoch, b.Finish())
	w.store.Publish(w.epoch, []id.Job{rel.Job})
	return nil
}

// vnodes of every table: queries read several ranges.
const vnodes = 4

// stored completes a relation as its creation would.
func stored(rel *catalog.Relation) *state.RelationFormat {
	rel.Table, rel.Vnodes = id.Table(rel.ID), vnodes
	return state.FormatOf(rel)
}

func (w *world) query(t *testing.T, d *datadriven.TestData) (string, error) {
	n, err := w.catalog.Bind(d.Input)
	if err != nil {
		return "", err
	}
	view := w.pinned
	if !d.HasArg("pinned") {
		view = w.store.View()
		defer view.Close()
	}
	left := -1
	d.MaybeScanArgs(t, "cancel", &left)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read := &counted{Reader: view}
	c := &expr.Ctx{}
	var out strings.Builder
	err = query.Run(ctx, opt.Run(n, opt.Options{Ctx: c, Once: true}), query.Env{Reader: read, Ctx: c}, func(c *chunk.Chunk) error {
		out.WriteString(chunk.Format(c))
		if left--; left == 0 {
			cancel()
		}
		return nil
	})
	fmt.Fprintf(&out, "%d read\n", read.rows)
	return out.String(), err
}

// counted counts the rows that are read.
type counted struct {
	kv.Reader
	rows int
}

func (c *counted) Get(key []byte) ([]byte, bool, error) {
	c.rows++
	return c.Reader.Get(key)
}

func (c *counted) Scan(start, end []byte) kv.Iterator {
	return &countedIterator{c.Reader.Scan(start, end), c}
}

type countedIterator struct {
	kv.Iterator
	c *counted
}

func (i *countedIterator) Next() bool {
	if !i.Iterator.Next() {
		return false
	}
	i.c.rows++
	return true
}
