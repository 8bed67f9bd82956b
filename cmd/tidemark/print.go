package main

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tidemark-db/tidemark/internal/types"
)

// printer shows what comes of statements.
type printer interface {
	result(result) error
	notice(*pgconn.Notice)
	failure(sql string, e *pgconn.PgError)
}

// textPrinter prints tables for people.
type textPrinter struct{ out, err io.Writer }

func (p textPrinter) result(r result) (err error) {
	switch {
	case r.copied != nil:
		_, err = p.out.Write(r.copied)
	case r.columns == nil:
		_, err = fmt.Fprintln(p.out, r.tag)
	default:
		_, err = io.WriteString(p.out, table(r))
	}
	return err
}

func (p textPrinter) notice(n *pgconn.Notice) {
	fmt.Fprintln(p.err, block(n.Severity+":  "+n.Message, "DETAIL", n.Detail, "HINT", n.Hint))
}

func (p textPrinter) failure(sql string, e *pgconn.PgError) {
	fmt.Fprintln(p.err, block(fmt.Sprintf("%s:  %s%s", e.Severity, e.Message, place(sql, int(e.Position))),
		"DETAIL", e.Detail, "HINT", e.Hint, "SQLSTATE", e.Code))
}

// place shows where in a statement an error is, with a caret below it.
func place(sql string, position int) string {
	if position <= 0 || position > utf8.RuneCountInString(sql)+1 {
		return ""
	}
	runes := []rune(sql + " ")
	start := position - 1
	for start > 0 && runes[start-1] != '\n' {
		start--
	}
	line, _, _ := strings.Cut(string(runes[start:]), "\n")
	head := fmt.Sprintf("LINE %d: ", 1+strings.Count(string(runes[:start]), "\n"))
	return fmt.Sprintf("\n%s%s\n%s^", head, strings.TrimRight(line, " "), strings.Repeat(" ", len(head)+position-1-start))
}

// table lays rows out in columns, numbers to the right.
func table(r result) string {
	cells := make([][]string, len(r.rows)+1)
	widths := make([]int, len(r.columns))
	add := func(row, col int, s string) {
		cells[row] = append(cells[row], s)
		widths[col] = max(widths[col], utf8.RuneCountInString(s))
	}
	for i, c := range r.columns {
		add(0, i, c.Name)
	}
	for k, row := range r.rows {
		for i, v := range row {
			add(k+1, i, strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(string(v)))
		}
	}
	var b strings.Builder
	for k, row := range cells {
		var line []string
		for i, s := range row {
			gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(s))
			if k > 0 && numeric(r.columns[i].DataTypeOID) {
				line = append(line, " "+gap+s+" ")
			} else {
				line = append(line, " "+s+gap+" ")
			}
		}
		b.WriteString(strings.TrimRight(strings.Join(line, "|"), " ") + "\n")
		if k == 0 {
			b.WriteString(rule(widths) + "\n")
		}
	}
	return b.String() + count(len(r.rows)) + "\n"
}

func rule(widths []int) string {
	parts := make([]string, len(widths))
	for i, w := range widths {
		parts[i] = strings.Repeat("-", w+2)
	}
	return strings.Join(parts, "+")
}

func count(rows int) string {
	if rows == 1 {
		return "(1 row)"
	}
	return fmt.Sprintf("(%d rows)", rows)
}

// numeric is true for the types that JSON and people write as numbers.
func numeric(oid uint32) bool {
	t, ok := types.FromOID(oid)
	switch t.Kind {
	case types.KindInt2, types.KindInt4, types.KindInt8, types.KindOid, types.KindFloat4, types.KindFloat8, types.KindNumeric:
		return ok
	}
	return false
}

// jsonPrinter prints an object a statement for programs.
type jsonPrinter struct{ out, err io.Writer }

type jsonColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type jsonResult struct {
	Tag     string              `json:"tag"`
	Columns []jsonColumn        `json:"columns,omitempty"`
	Rows    [][]json.RawMessage `json:"rows,omitzero"`
	Copied  string              `json:"copied,omitempty"`
}

func (p jsonPrinter) result(r result) error {
	out := jsonResult{Tag: r.tag, Copied: string(r.copied)}
	for _, c := range r.columns {
		t, _ := types.FromOID(c.DataTypeOID)
		out.Columns = append(out.Columns, jsonColumn{c.Name, types.SQLName(types.WithTypmod(t, c.TypeModifier))})
	}
	if r.columns != nil {
		out.Rows = [][]json.RawMessage{} // no rows are a list, too
	}
	for _, row := range r.rows {
		values := make([]json.RawMessage, len(row))
		for i, v := range row {
			values[i] = jsonValue(r.columns[i].DataTypeOID, v)
		}
		out.Rows = append(out.Rows, values)
	}
	return writeLine(p.out, out)
}

// jsonNumber is what JSON takes as a number: NaN and infinities are not.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// jsonValue is a value in JSON: numbers, booleans and jsonb as they are, all others as their text.
func jsonValue(oid uint32, v []byte) json.RawMessage {
	t, _ := types.FromOID(oid)
	switch {
	case v == nil:
		return json.RawMessage("null")
	case numeric(oid) && jsonNumber.Match(v), t.Kind == types.KindJSONB:
		return v
	case t.Kind == types.KindBool && (string(v) == "t" || string(v) == "true"):
		return json.RawMessage("true")
	case t.Kind == types.KindBool:
		return json.RawMessage("false")
	}
	var text strings.Builder
	_ = writeLine(&text, string(v)) // strings always have a form
	return json.RawMessage(text.String())
}

func (p jsonPrinter) notice(n *pgconn.Notice) { p.report("notice", (*pgconn.PgError)(n)) }

func (p jsonPrinter) failure(_ string, e *pgconn.PgError) { p.report("error", e) }

// codeInHint is where the wire has room for the code of the catalogue.
var codeInHint = regexp.MustCompile(`^(?s)(.*?) ?\(?(TM-[A-Z]{2,4}-[0-9]{3})\)?$`)

type jsonReport struct {
	SQLState string `json:"sqlstate"`
	Code     string `json:"code,omitempty"`
	Message  string `json:"message"`
	Detail   string `json:"detail,omitempty"`
	Hint     string `json:"hint,omitempty"`
	Position int32  `json:"position,omitempty"`
}

func (p jsonPrinter) report(kind string, e *pgconn.PgError) {
	r := jsonReport{SQLState: e.Code, Message: e.Message, Detail: e.Detail, Hint: e.Hint, Position: e.Position}
	if m := codeInHint.FindStringSubmatch(e.Hint); m != nil {
		r.Hint, r.Code = m[1], m[2]
	}
	_ = writeLine(p.err, map[string]jsonReport{kind: r}) // there is nowhere left to tell of a failure
}

// writeLine prints a value on one line.
func writeLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
