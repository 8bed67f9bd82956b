package expr

import (
	"regexp"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Regular expressions run on Go's engine, which takes linear time and so can not be made to hang by a pattern.
// Patterns are translated from PostgreSQL's notation where it differs; back references and look-around are refused.

// patternCache keeps compiled patterns.
type patternCache struct {
	compiled[patternKey, *regexp.Regexp]
}

type patternKey struct{ pattern, flags string }

// get compiles a pattern with PostgreSQL's flags (g is the caller's matter).
func (c *patternCache) get(pattern, flags string) (*regexp.Regexp, error) {
	return c.compiled.get(patternKey{pattern, flags}, func() (*regexp.Regexp, error) { return compileRegexp(pattern, flags) })
}

func compileRegexp(pattern, flags string) (*regexp.Regexp, error) {
	opts, literal := "s", false // in PostgreSQL . matches a newline, ^ and $ only the ends
	for _, f := range flags {
		switch f {
		case 'i':
			opts += "i"
		case 'c': // the last of i and c counts
			opts = strings.ReplaceAll(opts, "i", "")
		case 'g', 'e':
		case 'n', 'm':
			opts = strings.ReplaceAll(opts, "s", "") + "m"
		case 'p':
			opts = strings.ReplaceAll(opts, "s", "")
		case 's':
			opts = strings.ReplaceAll(opts, "m", "")
		case 'w':
			opts += "m"
		case 'q':
			literal = true
		default:
			return nil, errs.InvalidArgument.New("problem", "invalid regular expression option: \""+string(f)+"\"")
		}
	}
	switch {
	case strings.HasPrefix(pattern, "***="):
		pattern, literal = pattern[4:], true
	case strings.HasPrefix(pattern, "***:"):
		pattern = pattern[4:]
	}
	translated := regexp.QuoteMeta(pattern)
	if !literal {
		var err error
		if translated, err = translateRegexp(pattern); err != nil {
			return nil, err
		}
	}
	if opts != "" {
		translated = "(?" + opts + ")" + translated
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		return nil, errs.InvalidRegexp.New("problem", regexpProblem(err))
	}
	return re, nil
}

// regexpProblem words the commonest mistakes as PostgreSQL does.
func regexpProblem(err error) string {
	text := err.Error()
	for _, w := range [...][2]string{
		{"missing closing ]", "brackets [] not balanced"}, {"missing closing )", "parentheses () not balanced"},
		{"unexpected )", "parentheses () not balanced"}, {"missing argument to repetition", "quantifier operand invalid"},
		{"invalid repeat count", "invalid repetition count(s)"}, {"invalid nested repetition", "quantifier operand invalid"},
		{"invalid character class range", "invalid character range"}, {"trailing backslash", "invalid escape \\ sequence"},
		{"invalid escape", "invalid escape \\ sequence"}, {"invalid or unsupported Perl syntax", "quantifier operand invalid"},
	} {
		if strings.Contains(text, w[0]) {
			return w[1]
		}
	}
	return text
}

// translateRegexp rewrites what PostgreSQL writes in another way: \m \M \y \Y \A \Z and brackets such as [[:<:]].
func translateRegexp(p string) (string, error) {
	var out strings.Builder
	for i := 0; i < len(p); i++ {
		switch {
		case strings.HasPrefix(p[i:], "[[:<:]]"), strings.HasPrefix(p[i:], "[[:>:]]"):
			out.WriteString(`\b`)
			i += 6
		case p[i] == '[':
			n := bracketLen(p[i:])
			out.WriteString(p[i : i+n])
			i += n - 1
		case p[i] == '\\' && i+1 < len(p):
			i++
			switch c := p[i]; {
			case c == 'm' || c == 'M' || c == 'y':
				out.WriteString(`\b`)
			case c == 'Y':
				out.WriteString(`\B`)
			case c == 'Z':
				out.WriteString(`\z`)
			case c >= '1' && c <= '9':
				return "", errs.InvalidRegexp.New("problem", "back references are not supported")
			case c == 'u' && i+4 < len(p):
				out.WriteString(`\x{` + p[i+1:i+5] + `}`)
				i += 4
			default:
				out.WriteString(p[i-1 : i+1])
			}
		case strings.HasPrefix(p[i:], "(?=") || strings.HasPrefix(p[i:], "(?!") || strings.HasPrefix(p[i:], "(?<=") || strings.HasPrefix(p[i:], "(?<!"):
			return "", errs.InvalidRegexp.New("problem", "look-around is not supported")
		default:
			out.WriteByte(p[i])
		}
	}
	return out.String(), nil
}

// bracketLen is the length of the bracket expression at the start, all of it when it does not end.
func bracketLen(s string) int {
	i := 1
	if i < len(s) && s[i] == '^' {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for i < len(s) {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], "[:"):
			if end := strings.Index(s[i:], ":]"); end >= 0 {
				i += end + 1
			}
		case s[i] == ']':
			return i + 1
		}
		i++
	}
	return len(s)
}
