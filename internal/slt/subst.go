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
		c := s[i]
		switch {
		case c == '}' && inBrace:
			return b.String(), s[i:], nil
		case c == '\\':
			if i+1 >= len(s) || !strings.ContainsRune(`\${}:`, rune(s[i+1])) {
				return "", "", fmt.Errorf("invalid escape at %q", clip(s[i:], 20))
			}
			b.WriteByte(s[i+1])
			i += 2
		case c == '$':
			brace := i+1 < len(s) && s[i+1] == '{'
			j := i + 1
			if brace {
				j++
			}
			k := j
			for k < len(s) && isNameByte(s[k], k == j) {
				k++
			}
			name := s[j:k]
			if name == "" {
				return "", "", fmt.Errorf("missing variable name at %q", clip(s[i:], 20))
			}
			val, ok := get(name)
			if brace {
				if k < len(s) && s[k] == ':' {
					def, r, err := subst(s[k+1:], true, get)
					if ok {
						err = nil // an unused default is not evaluated
						if r == "" {
							r = skipDefault(s[k+1:])
						}
					} else {
						val, ok = def, err == nil
					}
					if err != nil {
						return "", "", err
					}
					k = len(s) - len(r)
				}
				if k >= len(s) || s[k] != '}' {
					return "", "", fmt.Errorf("missing } at %q", clip(s[i:], 20))
				}
				k++
			}
			if !ok {
				return "", "", fmt.Errorf("no such variable: $%s", name)
			}
			b.WriteString(val)
			i = k
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), "", nil
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
