package pgwire

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// options reads the settings in the options parameter: -c name=value, -cname=value and --name=value, separated by
// blanks; a backslash keeps the character after it.
func (h *hello) options(text string) error {
	words := splitOptions(text)
	for i := 0; i < len(words); i++ {
		word := words[i]
		var pair string
		switch {
		case word == "-c" && i+1 < len(words):
			i++
			pair = words[i]
		case strings.HasPrefix(word, "--"):
			pair = word[2:]
		case strings.HasPrefix(word, "-c"):
			pair = word[2:]
		}
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return errs.StartupOptions.New("argument", word)
		}
		h.settings = append(h.settings, Setting{strings.ReplaceAll(name, "-", "_"), value})
	}
	return nil
}

// splitOptions cuts text at blanks that no backslash protects.
func splitOptions(text string) []string {
	var words []string
	var word strings.Builder
	started := false
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case strings.IndexByte(" \t\n\v\f\r", ch) >= 0:
			if started {
				words = append(words, word.String())
				word.Reset()
				started = false
			}
		case ch == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			started = true
		default:
			word.WriteByte(ch)
			started = true
		}
	}
	if started {
		words = append(words, word.String())
	}
	return words
}
