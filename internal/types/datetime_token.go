package types

import "strings"

// spaces are the bytes that PostgreSQL takes for blank.
const spaces = " \t\n\v\f\r"

// dtToken is a piece of a date or time's text.
type dtToken struct {
	kind dtKind
	text string // lower case
}

type dtKind uint8

const (
	dtNumber dtKind = iota // digits, perhaps with one point
	dtDate                 // several fields joined by - / or .
	dtClock                // digits with colons
	dtWord                 // letters, or the name of a zone
	dtZone                 // sign and digits, perhaps with colons
)

// dtTokensMax bounds the pieces, as in PostgreSQL.
const dtTokensMax = 25

// dtTokens splits a date or time's text.
func dtTokens(s string) (tokens []dtToken, ok bool) {
	s = strings.ToLower(s)
	for i := 0; i < len(s); {
		if len(tokens) == dtTokensMax {
			return nil, false
		}
		rest := s[i:]
		switch c := rest[0]; {
		case strings.IndexByte(spaces, c) >= 0:
			i++
			continue
		case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
			tokens = append(tokens, numberToken(rest))
		case c >= 'a' && c <= 'z':
			tokens = append(tokens, wordToken(rest))
		case c == '+' || c == '-':
			tok, n := signToken(rest)
			if n == 0 {
				return nil, false
			}
			tokens = append(tokens, tok)
			i += n
			continue
		case strings.IndexByte(",()/;!@#$%^&*_=|~`'\"", c) >= 0:
			i++ // punctuation is ignored
			continue
		default:
			return nil, false
		}
		i += len(tokens[len(tokens)-1].text)
	}
	return tokens, true
}

// numberToken reads a token that starts with a digit.
func numberToken(s string) dtToken {
	n := digitsLen(s)
	if n == len(s) {
		return dtToken{dtNumber, s}
	}
	switch c := s[n]; {
	case c == ':':
		for n < len(s) && (isDigit(s[n]) || s[n] == ':' || s[n] == '.') {
			n++
		}
		return dtToken{dtClock, s[:n]}
	case c == '-' || c == '/' || c == '.':
		return dateToken(s, n)
	}
	return dtToken{dtNumber, s[:n]}
}

// dateToken reads digits and a separator at n, then up to two more fields. Digits with one point are a number.
func dateToken(s string, n int) dtToken {
	sep := s[n]
	m := n + 1
	for m < len(s) && (isDigit(s[m]) || s[m] >= 'a' && s[m] <= 'z' && sep != '.' || s[m] == sep) {
		m++
	}
	if sep == '.' && strings.Count(s[:m], ".") == 1 {
		return dtToken{dtNumber, s[:m]}
	}
	if t := strings.IndexByte(s[:m], 't'); t > 0 && isDigit(s[t-1]) && (strings.Count(s[:t], string(sep)) == 2 || digitsLen(s[n+1:]) == 3) {
		m = t // 2024-02-29T12:30, 2024-060T12:30
	}
	if z := strings.TrimRight(s[:m], "z"); len(z) < m && isDigit(z[len(z)-1]) {
		m = len(z)
	}
	return dtToken{dtDate, s[:m]}
}

// wordToken reads letters; a name with a slash or underscore is a zone's, one with a separator and digits a date.
func wordToken(s string) dtToken {
	n := 0
	for n < len(s) && s[n] >= 'a' && s[n] <= 'z' {
		n++
	}
	if n == len(s) {
		return dtToken{dtWord, s}
	}
	m := n
	for m < len(s) && (isWordByte(s[m]) || s[m] == '/' || s[m] == '-' || s[m] == '+' || s[m] == '.') {
		m++
	}
	switch c := s[n]; {
	case s[:n] == "j" && isDigit(c): // a Julian day
		return dtToken{dtWord, s[:n+digitsLen(s[n:])]}
	case (c == '-' || c == '/' || c == '.') && n+1 < len(s) && isDigit(s[n+1]) && monthNumber(s[:n]) > 0:
		return dtToken{dtDate, strings.TrimRight(s[:m], "-/.")}
	case (c == '/' || c == '_' || isDigit(c) || (c == '+' || c == '-') && n > 1) && n > 1 && !isAffix(s[:n]):
		return dtToken{dtWord, s[:m]}
	}
	return dtToken{dtWord, s[:n]}
}

// isAffix reports whether digits may follow the word directly without making it a zone's name.
func isAffix(word string) bool { return monthNumber(word) > 0 || word == "am" || word == "pm" }

// signToken reads a zone's offset, or -infinity.
func signToken(s string) (tok dtToken, length int) {
	body := strings.TrimLeft(s[1:], spaces)
	skipped := len(s) - len(body)
	n := 0
	if body != "" && body[0] >= 'a' && body[0] <= 'z' {
		for n < len(body) && body[n] >= 'a' && body[n] <= 'z' {
			n++
		}
		return dtToken{dtWord, s[:1] + body[:n]}, skipped + n
	}
	for n < len(body) && (isDigit(body[n]) || body[n] == ':' || body[n] == '.') {
		n++
	}
	if n == 0 {
		return dtToken{}, 0
	}
	return dtToken{dtZone, s[:1] + body[:n]}, skipped + n
}

// monthNumber returns 1 to 12 for the name or abbreviation of a month, else 0.
func monthNumber(word string) int {
	if len(word) < 3 {
		return 0
	}
	for i, name := range [...]string{"january", "february", "march", "april", "may", "june", "july", "august",
		"september", "october", "november", "december"} {
		if word == name || word == name[:3] || word == "sept" && i == 8 {
			return i + 1
		}
	}
	return 0
}

// isWeekday reports whether the word names a day of the week, which is accepted and ignored.
func isWeekday(word string) bool {
	switch word {
	case "sun", "sunday", "mon", "monday", "tue", "tues", "tuesday", "wed", "weds", "wednesday", "thu", "thur",
		"thurs", "thursday", "fri", "friday", "sat", "saturday":
		return true
	}
	return false
}
