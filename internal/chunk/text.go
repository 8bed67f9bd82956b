package chunk

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/types"
)

// Format prints a chunk in the notation of scripts: a row a line, its op, then its values. A value is quoted when it is
// empty, has a blank, quote or line break, or reads NULL. No columns print as the op alone.
func Format(c *Chunk) string {
	var b strings.Builder
	for i := range c.Rows() {
		if c.Op(i) == Delete {
			b.WriteByte('-')
		} else {
			b.WriteByte('+')
		}
		b.WriteString(FormatRow(c.Cols, i))
		b.WriteByte('\n')
	}
	return b.String()
}

// FormatRow prints the values of row i, each after a blank.
func FormatRow(cols []*Vec, i int) string {
	var b strings.Builder
	for _, v := range cols {
		b.WriteByte(' ')
		b.WriteString(FormatValue(v.Type, v.Datum(i)))
	}
	return b.String()
}

// FormatValue prints one value.
func FormatValue(t types.T, d types.Datum) string {
	if d.IsNull() {
		return "NULL"
	}
	text := types.Format(t, d, types.Ctx{})
	if text == "" || text == "NULL" || strings.ContainsAny(text, " \t\n\r\v\f\"\\") || !isPrintable(text) {
		return strconv.Quote(text)
	}
	return text
}

// isPrintable reports whether the text has only characters that a script shows as they are.
func isPrintable(s string) bool {
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return false
		}
	}
	return true
}

// Parse reads the notation that Format prints. Empty lines are skipped.
func Parse(ts []types.T, text string) (*Chunk, error) {
	b := NewBuilder(ts, max(strings.Count(text, "\n")+1, 1))
	for n, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		op, row, err := parseLine(ts, line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		b.Append(op, row)
	}
	if c := b.Take(); c != nil {
		return c, nil
	}
	return New(nil, b.cols, 0), nil
}

func parseLine(ts []types.T, line string) (Op, types.Row, error) {
	op := Insert
	switch line = strings.TrimSpace(line); line[0] {
	case '-':
		op = Delete
	case '+':
	default:
		return 0, nil, fmt.Errorf("a row starts with + or -, not %q", line[0])
	}
	row, err := ParseRow(ts, line[1:])
	return op, row, err
}

// ParseRow reads values with blanks between.
func ParseRow(ts []types.T, line string) (types.Row, error) {
	row := make(types.Row, 0, len(ts))
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		if len(row) == len(ts) {
			return nil, fmt.Errorf("more than %d values", len(ts))
		}
		text, quoted, after, err := cutValue(rest)
		if err != nil {
			return nil, err
		}
		d := types.Null
		if quoted || text != "NULL" {
			if d, err = types.Parse(ts[len(row)], text, types.Ctx{}); err != nil {
				return nil, err
			}
		}
		row, rest = append(row, d), after
	}
	if len(row) < len(ts) {
		return nil, fmt.Errorf("%d values, not %d", len(row), len(ts))
	}
	return row, nil
}

// cutValue takes one value from the front of a line.
func cutValue(s string) (text string, quoted bool, rest string, err error) {
	if s[0] != '"' {
		end := strings.IndexAny(s, " \t")
		if end < 0 {
			end = len(s)
		}
		return s[:end], false, s[end:], nil
	}
	prefix, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", false, "", fmt.Errorf("unclosed quote: %s", s)
	}
	text, err = strconv.Unquote(prefix)
	return text, true, s[len(prefix):], err
}
