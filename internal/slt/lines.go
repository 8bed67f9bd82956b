package slt

import "strings"

// lines is a cursor over the lines of one script.
type lines struct {
	l []string
	i int
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	s = strings.TrimSuffix(s, "\n")
	out := strings.Split(s, "\n")
	for i := range out {
		out[i] = strings.TrimSuffix(out[i], "\r")
	}
	return out
}

func (c *lines) next() (string, bool) {
	if c.i >= len(c.l) {
		return "", false
	}
	c.i++
	return c.l[c.i-1], true
}

// body reads lines up to an empty line (consumed), the end, or "----" (consumed).
// The first line always belongs to the body.
func (c *lines) body(delim bool) (text string, hasDelim, ok bool) {
	first, ok := c.next()
	if !ok {
		return "", false, false
	}
	parts := []string{first}
	for {
		s, more := c.next()
		if !more || s == "" {
			return strings.Join(parts, "\n"), false, true
		}
		if delim && s == "----" {
			return strings.Join(parts, "\n"), true, true
		}
		parts = append(parts, s)
	}
}

// block reads the text after "----" that ends with two empty lines or the end.
func (c *lines) block() string {
	var parts []string
	for {
		s, more := c.next()
		if !more {
			break
		}
		if s == "" && (c.i >= len(c.l) || c.l[c.i] == "") {
			c.next()
			break
		}
		parts = append(parts, s)
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}
