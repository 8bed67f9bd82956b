package pgcdc

import (
	"bytes"
	"strings"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// copied takes what COPY TO STDOUT gives in its text form, and hands on the rows of a capture: a value has the text that
// the log gives it, at a fraction of what the messages of a query cost on both sides.
type copied struct {
	capture *connector.Capture
	each    func(types.Row) error
	row     types.Row // of one line after the other
	rest    []byte    // of a row that has not come as a whole
	err     error     // of a row
}

// Write implements io.Writer. The server sends a row a message, and promises no more than their sequence.
func (c *copied) Write(b []byte) (int, error) {
	n := len(b)
	for {
		end := bytes.IndexByte(b, '\n') // within a value it is escaped
		if end < 0 {
			c.rest = append(c.rest, b...)
			return n, nil
		}
		line := string(b[:end])
		if len(c.rest) > 0 {
			line, c.rest = string(c.rest)+line, c.rest[:0]
		}
		if c.err = c.line(line); c.err != nil {
			return 0, c.err
		}
		b = b[end+1:]
	}
}

// line parses a row; its texts share the one copy of it.
func (c *copied) line(line string) error {
	if c.row == nil {
		c.row = make(types.Row, len(c.capture.Columns))
	}
	for i := range c.row {
		text, rest, more := cutValue(line)
		if more == (i == len(c.row)-1) {
			return errs.StreamCorrupt.New("what", "a row of COPY has another number of columns")
		}
		line = rest
		if text == `\N` {
			c.row[i] = types.Null
			continue
		}
		var err error
		if c.row[i], err = value(c.capture, i, unescape(text)); err != nil {
			return err
		}
	}
	return c.each(c.row)
}

// shortValue is how long a value may be for a loop over its bytes to cost less than the call that finds the end of a long one.
const shortValue = 24

// cutValue cuts a line at its first tab.
func cutValue(line string) (text, rest string, more bool) {
	for i := range min(len(line), shortValue) {
		if line[i] == '\t' {
			return line[:i], line[i+1:], true
		}
	}
	return strings.Cut(line, "\t")
}

// escapes are the letters that stand for control characters behind a backslash.
var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// unescape gives the value that COPY has written as a text.
func unescape(text string) string {
	at := backslash(text)
	if at < 0 {
		return text
	}
	out := append(make([]byte, 0, len(text)), text[:at]...)
	for i := at; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			if c = text[i]; escapes[c] != 0 {
				c = escapes[c]
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// backslash is where a text has its first one, -1 if it has none.
func backslash(text string) int {
	if len(text) > shortValue {
		return strings.IndexByte(text, '\\')
	}
	for i := range len(text) {
		if text[i] == '\\' {
			return i
		}
	}
	return -1
}
