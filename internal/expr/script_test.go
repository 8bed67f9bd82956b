package expr

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/types"
)

// TestScripts evaluates the expressions of testdata, one a line. Their results are PostgreSQL 15's.
func TestScripts(t *testing.T) {
	r := NewRegistry()
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			for line := range strings.SplitSeq(d.Input, "\n") {
				switch d.Cmd {
				case "eval":
					out.WriteString(evalLine(r, line) + "\n")
				case "set":
					out.WriteString(setLine(r, line) + "\n")
				case "type":
					out.WriteString(typeLine(r, line) + "\n")
				case "fold":
					out.WriteString(foldLine(r, line) + "\n")
				default:
					t.Fatalf("unknown command %s", d.Cmd)
				}
			}
			return out.String()
		})
	})
}

func errorLine(err error) string { return "ERROR: " + err.Error() }

// show prints a value; line breaks are visible.
func show(t types.T, d types.Datum) string {
	if d.IsNull() {
		return "NULL"
	}
	return "|" + strings.ReplaceAll(types.Format(t, d, types.Ctx{}), "\n", "\\n") + "|"
}

func evalLine(r *Registry, line string) string {
	e, err := r.parse(line)
	if err != nil {
		return errorLine(err)
	}
	d, err := EvalConst(scriptCtx(), e)
	if err != nil {
		return errorLine(err)
	}
	return show(e.Type(), d)
}

// typeLine prints the expression with its casts, and its type.
func typeLine(r *Registry, line string) string {
	e, err := r.parse(line)
	if err != nil {
		return errorLine(err)
	}
	return String(e) + " : " + types.SQLName(e.Type())
}

func foldLine(r *Registry, line string) string {
	cols := []types.Field{{Name: "a", Type: types.Int4}, {Name: "b", Type: types.Bool}, {Name: "s", Type: types.Text}}
	e, err := r.parse(line, cols...)
	if err != nil {
		return errorLine(err)
	}
	return String(Fold(e, scriptCtx()))
}

// setLine runs a set-returning function: name(args).
func setLine(r *Registry, line string) string {
	const rowsMax = 20
	name, rest, _ := strings.Cut(line, "(")
	p := &notation{r: r, toks: tokenize("row(" + rest)}
	row := p.primary().(*Call)
	f, args, err := r.ResolveSet(name, row.Args)
	if err != nil {
		return errorLine(err)
	}
	values := make(types.Row, len(args))
	for i, a := range args {
		if values[i], err = EvalConst(scriptCtx(), a); err != nil {
			return errorLine(err)
		}
	}
	var out []string
	fields := f.Fields(Types(args))
	for row, err := range f.Run(scriptCtx(), Types(args), values) {
		if err != nil {
			out = append(out, errorLine(err))
			break
		}
		cells := make([]string, len(row))
		for i, d := range row {
			cells[i] = show(fields[i].Type, d)
		}
		if out = append(out, strings.Join(cells, " ")); len(out) == rowsMax {
			break
		}
	}
	if out == nil {
		return "(no rows)"
	}
	return strings.Join(out, "; ")
}
