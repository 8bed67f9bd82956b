package jsonpath

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// likeRegex reads what follows like_regex.
func (p *parser) likeRegex(x node) node {
	if p.tok.kind != text {
		p.unexpected()
	}
	pattern, flags := p.advance().text, ""
	if p.tok.keyword("flag") {
		p.advance()
		if p.tok.kind != text {
			p.unexpected()
		}
		flags = p.advance().text
	}
	if p.err != nil {
		return nil
	}
	if i := strings.IndexFunc(flags, func(r rune) bool { return !strings.ContainsRune("ismxq", r) }); i >= 0 {
		p.err = errs.PathSyntax.New("problem", "invalid input syntax for type jsonpath").
			WithDetail("Unrecognized flag character \"%s\" in LIKE_REGEX predicate.", flags[i:i+1])
		return nil
	}
	if strings.Contains(flags, "x") && !strings.Contains(flags, "q") {
		p.err = errs.Unsupported.New("feature", "the flag x of like_regex")
		return nil
	}
	re, err := p.compile(pattern, regexpFlags(flags))
	if err != nil {
		p.err = err
	}
	return likeRegex{x, re}
}

// regexpFlags are PostgreSQL's flags of functions for those of paths.
func regexpFlags(flags string) string {
	all, lines := strings.Contains(flags, "s"), strings.Contains(flags, "m")
	out := "p"
	switch {
	case all && lines:
		out = "w"
	case all:
		out = "s"
	case lines:
		out = "n"
	}
	for _, f := range []string{"i", "q"} {
		if strings.Contains(flags, f) {
			out += f
		}
	}
	return out
}
