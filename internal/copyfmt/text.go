package copyfmt

import (
	"bytes"
	"strings"

	"github.com/tidemark-db/tidemark/internal/types"
)

// The text format: a row a line, columns between delimiters, with escapes for what would end either.

// escapeText writes one value.
func (f *Format) escapeText(dst, value []byte) []byte {
	for _, b := range value {
		switch b {
		case '\\':
			dst = append(dst, '\\', '\\')
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\v':
			dst = append(dst, '\\', 'v')
		case f.Delimiter:
			dst = append(dst, '\\', b)
		default:
			dst = append(dst, b)
		}
	}
	return dst
}

// lineEndText finds the end of the first row, -1 when it is not in the data. After a backslash the end of a line is a part
// of the value.
func lineEndText(data []byte) int {
	for from := 0; ; {
		n := bytes.IndexByte(data[from:], '\n')
		if n < 0 {
			return -1
		}
		end := from + n
		if escapes := end - len(bytes.TrimRight(data[:end], `\`)); escapes%2 == 0 {
			return end
		}
		from = end + 1
	}
}

// splitText cuts a line at delimiters and undoes escapes; nil is NULL.
func (f *Format) splitText(line []byte) [][]byte {
	if bytes.IndexByte(line, '\\') < 0 {
		return f.splitPlain(line)
	}
	var out [][]byte
	cur, raw := []byte{}, []byte{}
	end := func() {
		if string(raw) == f.Null {
			out = append(out, nil)
		} else {
			out = append(out, cur)
		}
		cur, raw = []byte{}, []byte{}
	}
	for i := 0; i < len(line); i++ {
		b := line[i]
		switch {
		case b == f.Delimiter:
			end()
		case b == '\\' && i+1 < len(line):
			c, n := unescape(line[i+1:])
			raw = append(raw, line[i:i+1+n]...)
			cur = append(cur, c)
			i += n
		default:
			raw, cur = append(raw, b), append(cur, b)
		}
	}
	end()
	return out
}

// splitPlain cuts a line without escapes: the fields are parts of it.
func (f *Format) splitPlain(line []byte) [][]byte {
	out := bytes.Split(line, []byte{f.Delimiter})
	for i, field := range out {
		switch {
		case string(field) == f.Null:
			out[i] = nil
		case field == nil:
			out[i] = []byte{}
		}
	}
	return out
}

// unescape reads what follows a backslash: the byte that it stands for, and how many bytes it is written in.
func unescape(b []byte) (c byte, n int) {
	switch {
	case b[0] >= '0' && b[0] <= '7':
		return digits(b, 8, 3)
	case b[0] == 'x' && len(b) > 1 && types.HexValue(b[1]) < 16:
		c, n = digits(b[1:], 16, 2)
		return c, n + 1
	}
	if i := strings.IndexByte("ntrbfv", b[0]); i >= 0 {
		return "\n\t\r\b\f\v"[i], 1
	}
	return b[0], 1
}

// digits reads a number of at most so many digits.
func digits(b []byte, base byte, most int) (c byte, n int) {
	for n < min(most, len(b)) && types.HexValue(b[n]) < base {
		c = c*base + types.HexValue(b[n])
		n++
	}
	return c, n
}
