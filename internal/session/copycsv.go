package session

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// CSV: values with a delimiter, a quote or the end of a line in them stand in quotes, where a line may end too.

// records cuts the input into rows, for a bufio.Scanner.
func (f *copyFormat) records(data []byte, atEOF bool) (advance int, token []byte, err error) {
	end := f.lineEnd(data)
	switch {
	case end >= 0:
		return end + 1, bytes.TrimSuffix(data[:end], []byte{'\r'}), nil
	case atEOF && len(data) > 0:
		return len(data), bytes.TrimSuffix(bytes.TrimSuffix(data, []byte{'\n'}), []byte{'\r'}), nil
	}
	return 0, nil, nil // more is needed
}

// lineEnd finds the end of the first row, -1 when it is not in the data.
func (f *copyFormat) lineEnd(data []byte) int {
	switch {
	case !f.csv:
		return lineEndText(data)
	case bytes.IndexByte(data, f.quote) < 0:
		return bytes.IndexByte(data, '\n')
	}
	quoted := false
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case quoted && b == f.escape && f.escape != f.quote:
			i++ // what follows is not the end of the quotes
		case b == f.quote:
			quoted = !quoted
		case b == '\n' && !quoted:
			return i
		}
	}
	return -1
}

// split cuts a row into its columns; nil is NULL. The names are those of the columns, nil for a header.
func (f *copyFormat) split(line []byte, names []string) ([][]byte, error) {
	if !f.csv {
		return f.splitText(line), nil
	}
	var out [][]byte
	for at := 0; at <= len(line); at++ {
		value, quoted, end := f.field(line, at)
		if end < 0 {
			return nil, errs.CopyFormat.New("what", "unterminated CSV quoted field")
		}
		name := ""
		if len(out) < len(names) {
			name = names[len(out)]
		}
		if string(value) == f.null && (!quoted && !f.forceNotNull.has(name) || quoted && f.forceNull.has(name)) {
			value = nil
		}
		out = append(out, value)
		at = end
	}
	return out, nil
}

// field reads a column from a position up to its delimiter; end is -1 when quotes do not end.
func (f *copyFormat) field(line []byte, at int) (value []byte, quoted bool, end int) {
	value = []byte{}
	inside := false
	for ; at < len(line); at++ {
		b := line[at]
		switch {
		case inside && b == f.escape && at+1 < len(line) && (line[at+1] == f.quote || line[at+1] == f.escape):
			at++
			value = append(value, line[at])
		case b == f.quote:
			inside, quoted = !inside, true
		case b == f.delimiter && !inside:
			return value, quoted, at
		default:
			value = append(value, b)
		}
	}
	if inside {
		return nil, quoted, -1
	}
	return value, quoted, at
}

// value writes one value that is not NULL. One that stands alone in its line must not look like the end of the data.
func (f *copyFormat) value(dst, value []byte, force, alone bool) []byte {
	if !f.csv {
		return f.escapeText(dst, value)
	}
	special := func(b byte) bool { return b == f.delimiter || b == f.quote || b == '\n' || b == '\r' }
	quotes := force || string(value) == f.null || alone && string(value) == `\.`
	for _, b := range value {
		quotes = quotes || special(b)
	}
	if !quotes {
		return append(dst, value...)
	}
	dst = append(dst, f.quote)
	for _, b := range value {
		if b == f.quote || b == f.escape {
			dst = append(dst, f.escape)
		}
		dst = append(dst, b)
	}
	return append(dst, f.quote)
}

// names writes the header.
func (f *copyFormat) names(names []string) []byte {
	var line []byte
	for i, n := range names {
		if i > 0 {
			line = append(line, f.delimiter)
		}
		line = f.value(line, []byte(n), false, len(names) == 1)
	}
	return append(line, '\n')
}
