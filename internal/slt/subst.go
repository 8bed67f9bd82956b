package slt

import (
	"fmt"
	"strings"
)

func isNameByte(c byte, first bool) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !first && c >= '0' && c <= '9'
}

// Substitute expands $name, ${name} and ${name:default} (the default may itself
// hold variables). A backslash escapes one of \ $ { } and :.
func Substitute(s string, get func(string) (string, bool)) (string, error) {
	out, rest, err := subst(s, false, get)
	if err == nil && rest != "" {
		err = fmt.Errorf("unexpected %q", rest)
	}
	return out, err
}

// subst works until the end of s or, inside a default, until its closing brace.
func subst(s string, inBrace bool, get func(string) (string, bool)) (out, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '}' && inBrace:
			return b.String(), s[i:], nil
		case c == '\\':
			if i+1 >= len(s) || !strings.ContainsRune(`\${}:`, rune(s[i+1])) {
				return "", "", fmt.Errorf("invalid escape at %q", clip(s[i:], 20))
			}
			b.WriteByte(s[i+1])
			i += 2
		case c == '$':
			value, after, err := variable(s[i:], get)
			if err != nil {
				return "", "", err
			}
			b.WriteString(value)
			i = len(s) - len(after)
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), "", nil
}

// variable expands the variable at the beginning of s and returns what follows it.
func variable(s string, get func(string) (string, bool)) (value, rest string, err error) {
	name, brace := s[1:], strings.HasPrefix(s, "${")
	if brace {
		name = s[2:]
	}
	end := 0
	for end < len(name) && isNameByte(name[end], end == 0) {
		end++
	}
	name, rest = name[:end], name[end:]
	if name == "" {
		return "", "", fmt.Errorf("missing variable name at %q", clip(s, 20))
	}
	value, ok := get(name)
	if brace && strings.HasPrefix(rest, ":") {
		rest = rest[1:]
		if ok {
			rest = skipDefault(rest) // an unused default is not evaluated
		} else if value, rest, err = subst(rest, true, get); err != nil {
			return "", "", err
		}
		ok = true
	}
	if brace {
		if !strings.HasPrefix(rest, "}") {
			return "", "", fmt.Errorf("missing } at %q", clip(s, 20))
		}
		rest = rest[1:]
	}
	if !ok {
		return "", "", fmt.Errorf("no such variable: $%s", name)
	}
	return value, rest, nil
}

// skipDefault finds the brace that closes a default which is not needed.
func skipDefault(s string) string {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return s[i:]
			}
			depth--
		}
	}
	return ""
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}
