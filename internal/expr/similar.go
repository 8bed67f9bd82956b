package expr

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// similarTo rewrites a SIMILAR TO pattern: % and _ are wild, the escape character makes the next one literal, and the
// match is of the whole text. Two escaped double quotes mark the part that substring returns.
func similarTo(p, escape string) (string, error) {
	if utf8.RuneCountInString(escape) > 1 {
		return "", errs.InvalidLikeEscape.New("problem", "invalid escape string")
	}
	esc := rune(-1)
	if escape != "" {
		esc, _ = utf8.DecodeRuneInString(escape)
	}
	var out strings.Builder
	out.WriteString("^(?:")
	quotes, inBracket, escaped := 0, false, false
	for _, c := range p {
		switch {
		case escaped && c == '"' && !inBracket:
			out.WriteString([]string{")(", ")(?:"}[min(quotes, 1)])
			if quotes++; quotes > 2 {
				return "", errs.InvalidLikeEscape.New("problem", "SQL regular expression may not contain more than two escape-double-quote separators")
			}
			escaped = false
		case escaped:
			out.WriteString(regexp.QuoteMeta(string(c)))
			escaped = false
		case c == esc:
			escaped = true
		case inBracket:
			if c == '\\' {
				out.WriteByte('\\')
			}
			out.WriteRune(c)
			inBracket = c != ']'
		case c == '[':
			out.WriteRune(c)
			inBracket = true
		case c == '%':
			out.WriteString(".*")
		case c == '_':
			out.WriteByte('.')
		case c == '(':
			out.WriteString("(?:")
		case strings.ContainsRune(`\.^$`, c):
			out.WriteByte('\\')
			out.WriteRune(c)
		default:
			out.WriteRune(c)
		}
	}
	out.WriteString(")$")
	return out.String(), nil
}
