package pgcatalog

import (
	_ "embed"
	"strings"
)

// keywordText has PostgreSQL's key words by category: U is unreserved, C may not be a function or type name, T may be only
// that, R is reserved.
//
//go:embed keywords.txt
var keywordText string

type keyword struct {
	word, category string
	bareLabel      bool
}

func keywords() []keyword {
	var out []keyword
	var head []string
	for line := range strings.Lines(keywordText) {
		switch line[0] {
		case '#':
		case ' ':
			for _, word := range strings.Fields(line) {
				out = append(out, keyword{word, head[0], head[1] == "t"})
			}
		default:
			head = strings.Fields(line)
		}
	}
	return out
}

// quoted are the words that must be quoted as names.
var quoted = func() map[string]bool {
	out := map[string]bool{}
	for _, k := range keywords() {
		out[k.word] = k.category != "U"
	}
	return out
}()

// quoteIdent writes a name as quote_ident does.
func quoteIdent(name string) string {
	plain := name != "" && !quoted[name]
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c == '_'
		plain = plain && (letter || i > 0 && c >= '0' && c <= '9')
	}
	if plain {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func keywordRows(s *scan) {
	categories := map[string]string{"U": "unreserved", "C": "unreserved (cannot be function or type name)",
		"T": "reserved (can be function or type name)", "R": "reserved"}
	labels := map[bool]string{true: "can be bare label", false: "requires AS"}
	for _, k := range keywords() {
		s.add(row{"word": k.word, "catcode": k.category, "barelabel": k.bareLabel, "catdesc": categories[k.category],
			"baredesc": labels[k.bareLabel]})
	}
}
