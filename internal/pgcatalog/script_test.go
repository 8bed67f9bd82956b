package pgcatalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TestRelations runs scripts over the shop:
//
//	rows rel=pg_catalog.pg_class cols=(oid,relname) where=(relkind,r)
//
// prints a relation. Without cols all columns are printed. users leaves rows out whose first printed column is below the
// oids of users' objects.
func TestRelations(t *testing.T) {
	datadriven.Walk(t, "testdata/relations", func(t *testing.T, path string) {
		set, info := New(), shopInfo()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var name, column, value string
			var cols []string
			d.ScanArgs(t, "rel", &name)
			if d.HasArg("where") {
				d.ScanArgs(t, "where", &column, &value)
			}
			if d.HasArg("cols") {
				i := slices.IndexFunc(d.CmdArgs, func(a datadriven.CmdArg) bool { return a.Key == "cols" })
				cols = d.CmdArgs[i].Vals
			}
			schema, bare, _ := strings.Cut(name, ".")
			rel, ok := set.Find(schema, bare)
			if !ok {
				return "no such relation\n"
			}
			text, err := printed(set, rel, cols, info, func(get func(string) string) bool {
				return (column == "" || get(column) == value) && (!d.HasArg("users") || !below(get(rel.Columns[0].Name)))
			})
			if err != nil {
				return err.Error() + "\n"
			}
			return text
		})
	})
}

// below tells of an oid of PostgreSQL's own.
func below(text string) bool {
	oid, err := strconv.Atoi(text)
	return err == nil && oid < firstUserOID
}

// printed is the rows of a relation that are kept; keep reads columns by name.
func printed(set *Set, rel *catalog.Relation, cols []string, info Info, keep func(func(string) string) bool) (string, error) {
	var all []int
	for i := range rel.Columns {
		all = append(all, i)
	}
	c, err := set.Rows(rel, all, info)
	if err != nil {
		return "", err
	}
	if len(cols) == 0 {
		cols = mapped(rel.Visible(), func(i int) string { return rel.Columns[i].Name })
	}
	at := func(name string) int {
		return slices.IndexFunc(rel.Columns, func(c catalog.Column) bool { return c.Name == name })
	}
	var shown []int
	for _, name := range cols {
		if at(name) < 0 {
			return "", fmt.Errorf("no column %s", name)
		}
		shown = append(shown, at(name))
	}
	var rows []int32
	for i := range c.Rows() {
		if keep(func(name string) string { return chunk.FormatValue(c.Cols[at(name)].Type, c.Cols[at(name)].Datum(i)) }) {
			rows = append(rows, int32(i))
		}
	}
	return chunk.Format(c.Gather(rows).Project(shown)), nil
}

// TestFunctions runs scripts of calls, one a line: a name, then arguments as type:text. A result whose type the name does
// not tell is given one by "fn as type".
func TestFunctions(t *testing.T) {
	datadriven.Walk(t, "testdata/functions", func(t *testing.T, path string) {
		caller := New().Caller(shopInfo())
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			result := declaredType(d.Cmd)
			var b strings.Builder
			for line := range strings.SplitSeq(d.Input, "\n") {
				fmt.Fprintln(&b, called(caller, result, line))
			}
			return b.String()
		})
	})
}

// called runs one line.
func called(c *Caller, result types.T, line string) string {
	words := strings.Split(line, " | ")
	var args types.Row
	for _, w := range words[1:] {
		name, text, _ := strings.Cut(w, ":")
		d, err := types.Parse(declaredType(name), text, types.Ctx{})
		if err != nil {
			return err.Error()
		}
		args = append(args, d)
	}
	d, err := c.Call(words[0], args)
	switch {
	case err != nil:
		return "error: " + err.Error()
	case d.IsNull():
		return "NULL"
	}
	return types.Format(result, d, types.Ctx{})
}
