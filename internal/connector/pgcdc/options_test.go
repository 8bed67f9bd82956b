package pgcdc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TestOptions parses options, one key = value a line.
func TestOptions(t *testing.T) {
	datadriven.RunTest(t, "testdata/options", func(t *testing.T, d *datadriven.TestData) string {
		in := connector.Options{}
		for _, line := range strings.Split(d.Input, "\n") {
			key, value, _ := strings.Cut(line, " = ")
			in[key] = value
		}
		o, err := parseOptions(in)
		if err != nil {
			return errs.Code(err) + ": " + err.Error()
		}
		return fmt.Sprintf("%s:%d/%s as %s, table %q, slot %q, publication %q, sslmode %s", o.host, o.port, o.database, o.user, o.tableName("t"), o.slot, o.publication, o.sslMode)
	})
}

// TestLocalTypes maps PostgreSQL's types to those that keep their values.
func TestLocalTypes(t *testing.T) {
	for native, want := range map[string]string{
		"integer": "integer", "numeric(10,2)": "numeric(10,2)", "character varying(5)": "character varying(5)", "character(3)": "character(3)",
		"timestamp(3) without time zone": "timestamp(3) without time zone", "timestamp with time zone": "timestamp with time zone",
		"interval day to second(3)": "interval", "json": "jsonb", "bigint[]": "bigint[]", "interval[]": "interval[]", "double precision": "double precision",
		"mood": "text", "mood[]": "text[]", "inet": "text", "regclass": "text", "tstzrange": "text", `"Odd type"`: "text", "bit(4)": "text",
	} {
		if have := types.SQLName(localType(native)); have != want {
			t.Errorf("%s is kept as %s, want %s", native, have, want)
		}
	}
}

// TestRangeSQL quotes names and values as the upstream reads them.
func TestRangeSQL(t *testing.T) {
	c := connector.Capture{Table: `public.od"d`, Key: []int{1, 0}, Columns: []connector.Column{{Name: "A", Type: types.Int4}, {Name: "b c", Type: types.Text, Bytewise: true}}}
	row := types.Row{types.NewBytes("it's"), types.NewInt(-5)}
	for _, r := range []struct {
		r          connector.Range
		rows, last string
	}{
		{connector.Range{Table: c}, ``, ``},
		{connector.Range{Table: c, Limit: 3}, ``, ` ORDER BY "b c" COLLATE "C", "A" LIMIT 1 OFFSET 2`},
		{connector.Range{Table: c, Limit: 3, After: row}, ` WHERE ("b c" COLLATE "C", "A") > ('it''s', '-5')`, ` ORDER BY "b c" COLLATE "C", "A" LIMIT 1 OFFSET 2`},
		{connector.Range{Table: c, Key: row}, ` WHERE ("b c", "A") = ('it''s', '-5')`, ``},
	} {
		bounds := boundsOf(r.r)
		if have, want := copySQL(c, bounds), `COPY (SELECT "A", "b c" FROM "public"."od""d"`+r.rows+`) TO STDOUT`; have != want {
			t.Errorf("have %s\nwant %s", have, want)
		}
		if have, want := lastSQL(r.r, bounds), `SELECT "b c", "A" FROM "public"."od""d"`+r.rows+r.last; r.r.Limit > 0 && have != want {
			t.Errorf("have %s\nwant %s", have, want)
		}
	}
}
