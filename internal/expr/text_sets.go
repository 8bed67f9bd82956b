package expr

import (
	"iter"
	"strings"

	"github.com/tidemark-db/tidemark/internal/types"
)

// addTextSets adds the functions over the parts of text.
func (r *Registry) addTextSets() {
	text := types.Text
	texts := types.ArrayOf(text)
	for _, args := range [][]types.T{{text, text}, {text, text, text}} {
		r.set("regexp_matches", in(args...).out(texts), r.regexpMatches, "what the parentheses of each match took; all matches with flag g")
		r.set("regexp_split_to_table", in(args...).out(text), r.regexpSplitRows, "the parts between matches")
		r.set("string_to_table", in(args...).out(text), func(_ *Ctx, _ []types.T, args types.Row) iter.Seq2[types.Row, error] {
			if args[0].IsNull() {
				return values(nil)
			}
			var sep *string
			if !args[1].IsNull() {
				s := args[1].Bytes()
				sep = &s
			}
			parts := splitText(args[0].Bytes(), sep)
			for i, p := range parts {
				if len(args) == 3 && !args[2].IsNull() && p == args[2] {
					parts[i] = types.Null
				}
			}
			return values(parts)
		}, "the parts between separators").Strict = false
	}
}

func flagsOf(args types.Row) string {
	if len(args) > 2 {
		return args[2].Bytes()
	}
	return ""
}

func (r *Registry) regexpMatches(_ *Ctx, _ []types.T, args types.Row) iter.Seq2[types.Row, error] {
	re, err := r.patterns.get(args[1].Bytes(), flagsOf(args))
	if err != nil {
		return failure(err)
	}
	n := 1
	if strings.Contains(flagsOf(args), "g") {
		n = -1
	}
	s := args[0].Bytes()
	return func(yield func(types.Row, error) bool) {
		for _, m := range re.FindAllStringSubmatchIndex(s, n) {
			if !yield(types.Row{types.NewArray(types.Text, captures(s, m))}, nil) {
				return
			}
		}
	}
}

func (r *Registry) regexpSplitRows(_ *Ctx, _ []types.T, args types.Row) iter.Seq2[types.Row, error] {
	if err := noGlobal("regexp_split_to_table", flagsOf(args)); err != nil {
		return failure(err)
	}
	re, err := r.patterns.get(args[1].Bytes(), flagsOf(args))
	if err != nil {
		return failure(err)
	}
	return values(splitRegexp(re, args[0].Bytes()))
}
