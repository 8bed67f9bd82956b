package expr

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addRegexp(b *builder) {
	text, i4 := types.Text, types.Int4
	texts := types.ArrayOf(text)
	c := b.patterns
	for _, o := range []struct {
		op, flags string
		want      bool
		doc       string
	}{
		{"~", "", true, "whether a part matches the regular expression"}, {"!~", "", false, "whether no part matches the regular expression"},
		{"~*", "i", true, "whether a part matches the regular expression in any case"}, {"!~*", "i", false, "whether no part matches the regular expression in any case"},
	} {
		b.op(o.op, in(text, text).out(types.Bool), impl{eval: c.matches(o.flags, o.want), fails: true, flags: 2}, o.doc)
	}
	plain := func(f func(c *patternCache, r row, flags string) (types.Datum, error), flagArg int) impl {
		m := fn(func(_ *Ctx, r row) (types.Datum, error) {
			flags := ""
			if r.n() > flagArg {
				flags = r.str(flagArg)
			}
			return f(c, r, flags)
		})
		m.flags = flagArg
		return m
	}
	both := func(name string, ret types.T, f func(*patternCache, row, string) (types.Datum, error), doc string) {
		b.fn(name, in(text, text).out(ret), plain(f, 2), doc)
		b.fn(name, in(text, text, text).out(ret), plain(f, 2), doc+", with flags")
	}
	both("regexp_match", texts, regexpMatch, "the parts of the first match that the parentheses took, or the whole of it")
	both("regexp_split_to_array", texts, regexpSplit, "the parts between matches")
	b.fn("regexp_like", in(text, text).out(types.Bool), plain(regexpLike, 2), "whether a part matches")
	b.fn("regexp_like", in(text, text, text).out(types.Bool), plain(regexpLike, 2), "whether a part matches, with flags")
	b.fn("regexp_count", in(text, text).out(i4), plain(regexpCount, 3), "number of matches")
	b.fn("regexp_count", in(text, text, i4).out(i4), plain(regexpCount, 3), "number of matches from a position on")
	b.fn("regexp_count", in(text, text, i4, text).out(i4), plain(regexpCount, 3), "number of matches from a position on, with flags")
	addRegexpReplace(b, plain)
	b.fn("regexp_substr", in(text, text).out(text), plain(regexpSubstr, 2), "the first match")
	b.fn("regexp_instr", in(text, text).out(i4), plain(regexpInstr, 2), "position of the first match, 0 for none")
	b.fn("substring", in(text, text).out(text), plain(regexpSubstr, 2), "the part of the first match in parentheses, or the whole of it")
	b.fn("substr", in(text, text).out(text), plain(regexpSubstr, 2), "the part of the first match in parentheses, or the whole of it")
	b.fn("similar_to_escape", in(text).out(text), f1e(func(p string) (string, error) { return similarTo(p, `\`) }), "a SIMILAR TO pattern as a regular expression")
	b.fn("similar_to_escape", in(text, text).out(text), f2e(similarTo), "a SIMILAR TO pattern with an escape character as a regular expression")
}

// matches compiles a pattern once as long as it stays the same from row to row.
func (c *patternCache) matches(flags string, want bool) Eval {
	return func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		s, p := args[0].Strs, args[1].Strs
		var re *regexp.Regexp
		last := ""
		return perRow(ctx, sel, out, func(i int) error {
			if re == nil || p[i] != last {
				next, err := c.get(p[i], flags)
				if err != nil {
					return err
				}
				re, last = next, p[i]
			}
			out.Bools[i] = re.MatchString(s[i]) == want
			return nil
		})
	}
}

func noGlobal(name, flags string) error {
	if strings.Contains(flags, "g") {
		return errs.InvalidArgument.New("problem", name+"() does not support the \"global\" option")
	}
	return nil
}

func regexpLike(c *patternCache, r row, flags string) (types.Datum, error) {
	re, err := c.get(r.str(1), flags)
	if err != nil {
		return types.Null, err
	}
	return types.NewBool(re.MatchString(r.str(0))), nil
}

func regexpMatch(c *patternCache, r row, flags string) (types.Datum, error) {
	if err := noGlobal("regexp_match", flags); err != nil {
		return types.Null, err
	}
	re, err := c.get(r.str(1), flags)
	if err != nil {
		return types.Null, err
	}
	m := re.FindStringSubmatchIndex(r.str(0))
	if m == nil {
		return types.Null, nil
	}
	return types.NewArray(types.Text, captures(r.str(0), m)), nil
}

// captures are what the parentheses took, the whole match when there are none.
func captures(s string, m []int) []types.Datum {
	if len(m) > 2 {
		m = m[2:]
	}
	out := make([]types.Datum, 0, len(m)/2)
	for k := 0; k < len(m); k += 2 {
		if m[k] < 0 {
			out = append(out, types.Null)
		} else {
			out = append(out, types.NewBytes(s[m[k]:m[k+1]]))
		}
	}
	return out
}

func regexpSubstr(c *patternCache, r row, flags string) (types.Datum, error) {
	re, err := c.get(r.str(1), flags)
	if err != nil {
		return types.Null, err
	}
	m := re.FindStringSubmatchIndex(r.str(0))
	if m == nil {
		return types.Null, nil
	}
	return captures(r.str(0), m)[0], nil
}

func regexpInstr(c *patternCache, r row, flags string) (types.Datum, error) {
	re, err := c.get(r.str(1), flags)
	if err != nil {
		return types.Null, err
	}
	m := re.FindStringIndex(r.str(0))
	if m == nil {
		return types.NewInt(0), nil
	}
	return types.NewInt(int64(utf8.RuneCountInString(r.str(0)[:m[0]])) + 1), nil
}

func regexpCount(c *patternCache, r row, flags string) (types.Datum, error) {
	s := r.str(0)
	if r.n() > 2 {
		if r.int(2) <= 0 {
			return types.Null, errs.InvalidArgument.New("problem", "invalid value for parameter \"start\": "+types.NumFromInt(r.int(2)).String())
		}
		s = cut(s, r.int(2), -1)
	}
	if err := noGlobal("regexp_count", flags); err != nil {
		return types.Null, err
	}
	re, err := c.get(r.str(1), flags)
	if err != nil {
		return types.Null, err
	}
	return types.NewInt(int64(len(re.FindAllStringIndex(s, -1)))), nil
}

// splitRegexp cuts at matches; an empty match at the start, the end or right after another one does not cut.
func splitRegexp(re *regexp.Regexp, s string) []types.Datum {
	var out []types.Datum
	from := 0
	for _, m := range re.FindAllStringIndex(s, -1) {
		if m[0] == m[1] && (m[0] == from && from == 0 || m[0] == len(s)) {
			continue
		}
		out = append(out, types.NewBytes(s[from:m[0]]))
		from = m[1]
	}
	return append(out, types.NewBytes(s[from:]))
}

func regexpSplit(c *patternCache, r row, flags string) (types.Datum, error) {
	if err := noGlobal("regexp_split_to_array", flags); err != nil {
		return types.Null, err
	}
	re, err := c.get(r.str(1), flags)
	if err != nil {
		return types.Null, err
	}
	return types.NewArray(types.Text, splitRegexp(re, r.str(0))), nil
}

func addRegexpReplace(b *builder, plain func(func(*patternCache, row, string) (types.Datum, error), int) impl) {
	text, i4 := types.Text, types.Int4
	const doc = "with the first match (all with flag g) replaced; \\1 stands for a part in parentheses"
	replace := func(c *patternCache, r row, flags string) (types.Datum, error) {
		n := 1
		if strings.Contains(flags, "g") {
			n = 0
		}
		return regexpReplace(c, r, flags, 1, n)
	}
	b.fn("regexp_replace", in(text, text, text).out(text), plain(replace, 3), doc)
	b.fn("regexp_replace", in(text, text, text, text).out(text), plain(replace, 3), doc)
	from := func(c *patternCache, r row, flags string) (types.Datum, error) {
		n := int64(1)
		if r.n() > 4 {
			n = r.int(4)
		} else if strings.Contains(flags, "g") {
			n = 0
		}
		if r.int(3) <= 0 || n < 0 {
			return types.Null, errs.InvalidArgument.New("problem", "invalid value for parameter \"start\" or \"n\"")
		}
		return regexpReplace(c, r, flags, r.int(3), int(n))
	}
	b.fn("regexp_replace", in(text, text, text, i4).out(text), plain(from, 5), "with the first match from a position on replaced")
	b.fn("regexp_replace", in(text, text, text, i4, i4).out(text), plain(from, 5), "with one match from a position on replaced, all for 0")
	b.fn("regexp_replace", in(text, text, text, i4, i4, text).out(text), plain(from, 5), "with one match from a position on replaced, all for 0, with flags")
}

// regexpReplace replaces match number n from a position on, all for n = 0.
func regexpReplace(c *patternCache, r row, flags string, start int64, n int) (types.Datum, error) {
	re, err := c.get(r.str(1), flags)
	if err != nil {
		return types.Null, err
	}
	s := r.str(0)
	tail := cut(s, start, -1)
	head := s[:len(s)-len(tail)]
	var out strings.Builder
	out.WriteString(head)
	from := 0
	for k, m := range re.FindAllStringSubmatchIndex(tail, -1) {
		if n != 0 && k+1 != n {
			continue
		}
		out.WriteString(tail[from:m[0]])
		appendReplacement(&out, r.str(2), tail, m)
		from = m[1]
	}
	out.WriteString(tail[from:])
	return types.NewBytes(out.String()), nil
}

func appendReplacement(out *strings.Builder, by, s string, m []int) {
	for i := 0; i < len(by); i++ {
		if by[i] != '\\' || i+1 == len(by) {
			out.WriteByte(by[i])
			continue
		}
		i++
		switch c := by[i]; {
		case c == '&':
			out.WriteString(s[m[0]:m[1]])
		case c >= '1' && c <= '9':
			if g := 2 * int(c-'0'); g < len(m) && m[g] >= 0 {
				out.WriteString(s[m[g]:m[g+1]])
			}
		case c == '\\':
			out.WriteByte('\\')
		default:
			out.WriteString(by[i-1 : i+1])
		}
	}
}
