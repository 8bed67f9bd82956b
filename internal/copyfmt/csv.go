package copyfmt

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// CSV: values with a delimiter, a quote or the end of a line in them stand in quotes, where a line may end too.

// records cuts the input into rows, for a bufio.Scanner.
func (f *Format) records(data []byte, atEOF bool) (advance int, token []byte, err error) {
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
func (f *Format) lineEnd(data []byte) int {
	switch {
	case f.Kind == Text:
		return lineEndText(data)
	case bytes.IndexByte(data, f.Quote) < 0:
		return bytes.IndexByte(data, '\n')
	}
	quoted := false
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case quoted && b == f.Escape && f.Escape != f.Quote:
			i++ // what follows is not the end of the quotes
		case b == f.Quote:
			quoted = !quoted
		case b == '\n' && !quoted:
			return i
		}
	}
	return -1
}

// split cuts a row into its columns; nil is NULL. The names are those of the columns, nil for a header.
func (f *Format) split(line []byte, names []string) ([][]byte, error) {
	if f.Kind == Text {
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
		if string(value) == f.Null && (!quoted && !f.ForceNotNull.Has(name) || quoted && f.ForceNull.Has(name)) {
			value = nil
		}
		out = append(out, value)
		at = end
	}
	return out, nil
}

// field reads a column from a position up to its delimiter; end is -1 when quotes do not end.
func (f *Format) field(line []byte, at int) (value []byte, quoted bool, end int) {
	value = []byte{}
	inside := false
	for ; at < len(line); at++ {
		b := line[at]
		switch {
		case inside && b == f.Escape && at+1 < len(line) && (line[at+1] == f.Quote || line[at+1] == f.Escape):
			at++
			value = append(value, line[at])
		case b == f.Quote:
			inside, quoted = !inside, true
		case b == f.Delimiter && !inside:
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
func (f *Format) value(dst, value []byte, force, alone bool) []byte {
	if f.Kind == Text {
		return f.escapeText(dst, value)
	}
	special := func(b byte) bool { return b == f.Delimiter || b == f.Quote || b == '\n' || b == '\r' }
	quotes := force || string(value) == f.Null || alone && string(value) == `\.`
	for _, b := range value {
		quotes = quotes || special(b)
	}
	if !quotes {
		return append(dst, value...)
	}
	dst = append(dst, f.Quote)
	for _, b := range value {
		if b == f.Quote || b == f.Escape {
			dst = append(dst, f.Escape)
		}
		dst = append(dst, b)
	}
	return append(dst, f.Quote)
}
