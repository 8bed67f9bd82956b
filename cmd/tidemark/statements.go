package main

import "strings"

// statements cuts a text at the semicolons that end statements, and returns what follows the last of them. It knows just
// enough of SQL's tokens to find them: the server says what is wrong with the rest.
func statements(text string) (all []string, rest string) {
	start := 0
	for i := 0; i < len(text); {
		if text[i] != ';' {
			i = tokenEnd(text, i)
			continue
		}
		if s := text[start:i]; !blank(s) {
			all = append(all, strings.TrimSpace(s))
		}
		i++
		start = i
	}
	return all, text[start:]
}

// tokenEnd is where the quoted text or comment that begins at i ends; elsewhere the next byte.
func tokenEnd(text string, i int) int {
	switch rest := text[i:]; {
	case rest[0] == '\'':
		escapes := i > 0 && (text[i-1] == 'e' || text[i-1] == 'E') && (i < 2 || !wordByte(text[i-2]))
		return i + quotedEnd(rest, '\'', escapes)
	case rest[0] == '"':
		return i + quotedEnd(rest, '"', false)
	case strings.HasPrefix(rest, "--"):
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return i + n
		}
		return len(text)
	case strings.HasPrefix(rest, "/*"):
		return i + commentEnd(rest)
	case rest[0] == '$' && (i == 0 || !wordByte(text[i-1])):
		return i + dollarEnd(rest)
	}
	return i + 1
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80
}

// quotedEnd is the length of a quoted text; a doubled quote stands for itself.
func quotedEnd(s string, quote byte, escapes bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case s[i] != quote:
		case i+1 < len(s) && s[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(s)
}

// commentEnd is the length of a comment; comments nest.
func commentEnd(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// dollarEnd is the length of a $tag$ text $tag$, or of a dollar that begins none.
func dollarEnd(s string) int {
	n := 1
	for n < len(s) && wordByte(s[n]) {
		n++
	}
	if n == len(s) || s[n] != '$' || n > 1 && s[1] >= '0' && s[1] <= '9' {
		return 1
	}
	tag := s[:n+1]
	if end := strings.Index(s[n+1:], tag); end >= 0 {
		return n + 1 + end + len(tag)
	}
	return len(s)
}

// blank is true for a text of nothing but space and comments.
func blank(text string) bool {
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], "--"), strings.HasPrefix(text[i:], "/*"):
			i = tokenEnd(text, i)
		case strings.ContainsRune(" \t\r\n", rune(text[i])):
			i++
		default:
			return false
		}
	}
	return true
}
