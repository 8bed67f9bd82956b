package types

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// blank stands for a space at the end of a line of a script, or for an empty line.
const blank = "␠"

// testType reads the type=(...) argument of a script's command.
func testType(t *testing.T, d *datadriven.TestData) T {
	t.Helper()
	var parts []string
	for _, arg := range d.CmdArgs {
		if arg.Key == "type" {
			parts = arg.Vals
		}
	}
	typ, err := Lookup(strings.Join(parts, ","))
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// eachLine runs f over the lines of a command's input and prints line => result.
func eachLine(input string, f func(in string) (string, error)) string {
	var out strings.Builder
	for line := range strings.SplitSeq(input, "\n") {
		in := strings.ReplaceAll(line, blank, " ")
		if line == blank {
			in = ""
		}
		result, err := f(in)
		if e, ok := errs.As(err); ok {
			result = fmt.Sprintf("ERROR %s: %s", e.Entry.SQLState, e.Message)
			if e.Detail != "" {
				result += " / " + e.Detail
			}
		} else if err != nil {
			result = "uncatalogued: " + err.Error()
		}
		switch {
		case result == "":
			result = blank
		case len(result) > 300:
			result = fmt.Sprintf("%s... %d bytes", result[:20], len(result))
		}
		fmt.Fprintf(&out, "%s => %s\n", line, strings.ReplaceAll(result, "\n", `\n`))
	}
	return out.String()
}

func TestText(t *testing.T) {
	datadriven.Walk(t, "testdata/text", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			typ, ctx := testType(t, d), Ctx{}
			if d.HasArg("zone") {
				var zone string
				d.ScanArgs(t, "zone", &zone)
				loc, err := time.LoadLocation(zone)
				if err != nil {
					t.Fatal(err)
				}
				ctx.Loc = loc
			}
			return eachLine(d.Input, func(in string) (string, error) {
				v, err := Parse(typ, in, ctx)
				if err != nil {
					return "", err
				}
				if v.IsNull() {
					return "NULL", nil
				}
				out := Format(typ, v, ctx)
				again, err := Parse(typ, out, ctx)
				if err == nil && again != v {
					return out, fmt.Errorf("reads back as %s", Format(typ, again, ctx))
				}
				return out, err
			})
		})
	})
}

func TestBinary(t *testing.T) {
	datadriven.RunTest(t, "testdata/binary", func(t *testing.T, d *datadriven.TestData) string {
		typ := testType(t, d)
		return eachLine(d.Input, func(in string) (string, error) {
			v, err := Parse(typ, in, Ctx{})
			if err != nil {
				return "", err
			}
			wire := AppendBinary(nil, typ, v)
			again, err := ParseBinary(typ, wire)
			if err == nil && again != v {
				err = fmt.Errorf("reads back as %s", Format(typ, again, Ctx{}))
			}
			return hex.EncodeToString(wire), err
		})
	})
}
