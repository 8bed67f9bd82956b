package expr

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addStrings(b *builder) {
	addConcat(b)
	addLengths(b)
	addCase(b)
	addSubstrings(b)
	addTrim(b)
	addPad(b)
	addReplace(b)
	addCharacters(b)
}

func addConcat(b *builder) {
	text := types.Text
	b.op("||", in(text, text).out(text), f2(func(a, c string) string { return a + c }), "both joined")
	b.op("||", in(types.Bytea, types.Bytea).out(types.Bytea), f2(func(a, c string) string { return a + c }), "both joined")
	mixed := fn(func(ctx *Ctx, r row) (types.Datum, error) {
		return types.NewBytes(r.cast(ctx, 0) + r.cast(ctx, 1)), nil
	}).total()
	b.op("||", in(text, AnyNonArray).out(text), mixed, "both as text joined").stable()
	b.op("||", in(AnyNonArray, text).out(text), mixed, "both as text joined").stable()
	b.fn("concat", in(Any).many().out(text), fn(func(ctx *Ctx, r row) (types.Datum, error) {
		return types.NewBytes(strings.Join(r.texts(ctx, 0), "")), nil
	}).total(), "the arguments that are not NULL as text, joined").nulls().stable()
	b.fn("concat_ws", in(text, Any).many().out(text), fn(func(ctx *Ctx, r row) (types.Datum, error) {
		if r.null(0) {
			return types.Null, nil
		}
		return types.NewBytes(strings.Join(r.texts(ctx, 1), r.str(0))), nil
	}).total(), "the other arguments that are not NULL, joined by the first").nulls().stable()
}

// text is argument k as text.
func (r row) text(ctx *Ctx, k int) string {
	if stringLike(r.typ(k)) {
		return r.str(k)
	}
	return types.Format(r.typ(k), r.datum(k), ctx.Ctx)
}

// cast is argument k cast to text, which cuts the blanks of char(n) and spells booleans out.
func (r row) cast(ctx *Ctx, k int) string {
	switch r.typ(k).Kind {
	case types.KindBpchar:
		return strings.TrimRight(r.str(k), " ")
	case types.KindBool:
		return strconv.FormatBool(r.datum(k).Bool())
	}
	return r.text(ctx, k)
}

// texts are the arguments from k on that are not NULL, as text.
func (r row) texts(ctx *Ctx, k int) []string {
	var out []string
	for ; k < r.n(); k++ {
		if !r.null(k) {
			out = append(out, r.text(ctx, k))
		}
	}
	return out
}

func addLengths(b *builder) {
	text, i4 := types.Text, types.Int4
	runes := f1(func(s string) int64 { return int64(utf8.RuneCountInString(s)) })
	for _, name := range []string{"length", "char_length", "character_length"} {
		b.fn(name, in(text).out(i4), runes, "number of characters")
		b.fn(name, in(types.Bpchar).out(i4), f1(func(s string) int64 {
			return int64(utf8.RuneCountInString(strings.TrimRight(s, " ")))
		}), "number of characters without blanks at the end")
	}
	b.fn("length", in(types.Bytea).out(i4), f1(func(s string) int64 { return int64(len(s)) }), "number of bytes")
	for _, t := range []types.T{text, types.Bpchar, types.Bytea} {
		b.fn("octet_length", in(t).out(i4), f1(func(s string) int64 { return int64(len(s)) }), "number of bytes")
	}
	for _, t := range []types.T{text, types.Bytea} {
		b.fn("bit_length", in(t).out(i4), f1(func(s string) int64 { return 8 * int64(len(s)) }), "number of bits")
	}
}

func addCase(b *builder) {
	one := in(types.Text).out(types.Text)
	b.fn("upper", one, f1(strings.ToUpper), "in upper case")
	b.fn("lower", one, f1(strings.ToLower), "in lower case")
	b.fn("initcap", one, f1(initcap), "the first letter of each word in upper case, the others in lower case")
	b.fn("reverse", one, f1(reverse), "the characters in reverse order")
	b.fn("reverse", in(types.Bytea).out(types.Bytea), f1(reverseBytes), "the bytes in reverse order")
}

func initcap(s string) string {
	inWord := false
	return strings.Map(func(r rune) rune {
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		defer func() { inWord = word }()
		if inWord {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

func reverse(s string) string {
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		out = append(out, s[len(s)-n:]...)
		s = s[:len(s)-n]
	}
	return string(out)
}

func reverseBytes(s string) string {
	out := []byte(s)
	slices.Reverse(out)
	return string(out)
}

func addSubstrings(b *builder) {
	text, i4 := types.Text, types.Int4
	from := f2(func(s string, at int64) string { return cut(s, at, -1) })
	span := f3e(func(s string, at, n int64) (string, error) {
		if n < 0 {
			return "", errs.SubstringNegative.New()
		}
		return cut(s, at, n), nil
	})
	for _, name := range []string{"substr", "substring"} {
		b.fn(name, in(text, i4).out(text), from, "characters from a position on")
		b.fn(name, in(text, i4, i4).out(text), span, "some characters from a position on")
		b.fn(name, in(types.Bytea, i4).out(types.Bytea), f2(func(s string, at int64) string { return cutBytes(s, at, -1) }), "bytes from a position on")
		b.fn(name, in(types.Bytea, i4, i4).out(types.Bytea), f3e(func(s string, at, n int64) (string, error) {
			if n < 0 {
				return "", errs.SubstringNegative.New()
			}
			return cutBytes(s, at, n), nil
		}), "some bytes from a position on")
	}
	b.fn("left", in(text, i4).out(text), f2(func(s string, n int64) string {
		if n < 0 {
			n = max(int64(utf8.RuneCountInString(s))+n, 0)
		}
		return cut(s, 1, n)
	}), "the first characters; a negative count leaves out the last ones")
	b.fn("right", in(text, i4).out(text), f2(func(s string, n int64) string {
		size := int64(utf8.RuneCountInString(s))
		if n < 0 {
			return cut(s, 1-n, -1)
		}
		return cut(s, max(size-n, 0)+1, -1)
	}), "the last characters; a negative count leaves out the first ones")
	position := func(s, sub string) int64 {
		i := strings.Index(s, sub)
		if i < 0 {
			return 0
		}
		return int64(utf8.RuneCountInString(s[:i])) + 1
	}
	for _, name := range []string{"position", "strpos"} {
		b.fn(name, in(text, text).out(i4), f2(position), "where the second text first occurs in the first, 0 for nowhere")
	}
	b.fn("position", in(types.Bytea, types.Bytea).out(i4), f2(func(s, sub string) int64 { return int64(strings.Index(s, sub)) + 1 }), "where the second string first occurs in the first")
	b.fn("starts_with", in(text, text).out(types.Bool), f2(strings.HasPrefix), "whether the text begins with the second")
	b.op("^@", in(text, text).out(types.Bool), f2(strings.HasPrefix), "whether the text begins with the second")
	b.fn("split_part", in(text, text, i4).out(text), f3e(splitPart), "the part at a position between separators, from the end when negative")
}

// cut returns n characters from position at on, which may lie outside; n < 0 is all of them.
func cut(s string, at, n int64) string {
	end := int64(-1)
	if n >= 0 {
		sum, ok := addInts(at, n)
		if ok {
			end = max(sum, 1)
		}
	}
	at = max(at, 1)
	if end >= 0 && end <= at {
		return ""
	}
	i := int64(1)
	start := len(s)
	for off := range s {
		if i == at {
			start = off
		}
		if i == end {
			return s[min(start, off):off]
		}
		i++
	}
	return s[start:]
}

func cutBytes(s string, at, n int64) string {
	size := int64(len(s))
	end := size + 1
	if n >= 0 {
		if sum, ok := addInts(at, n); ok {
			end = min(max(sum, 1), size+1)
		}
	}
	at = min(max(at, 1), size+1)
	if end <= at {
		return ""
	}
	return s[at-1 : end-1]
}

func splitPart(s, sep string, n int64) (string, error) {
	if n == 0 {
		return "", errs.InvalidArgument.New("problem", "field position must not be zero")
	}
	parts := []string{s}
	if sep != "" {
		parts = strings.Split(s, sep)
	}
	if n < 0 {
		n = int64(len(parts)) + n + 1
	}
	if n < 1 || n > int64(len(parts)) {
		return "", nil
	}
	return parts[n-1], nil
}

func addTrim(b *builder) {
	text := types.Text
	for _, t := range []struct {
		name string
		trim func(s, chars string) string
		doc  string
	}{
		{"btrim", strings.Trim, "without the characters at both ends"}, {"trim", strings.Trim, "without the characters at both ends"},
		{"ltrim", strings.TrimLeft, "without the characters at the start"}, {"rtrim", strings.TrimRight, "without the characters at the end"},
	} {
		b.fn(t.name, in(text).out(text), f1(func(s string) string { return t.trim(s, " ") }), t.doc+", which are blanks")
		b.fn(t.name, in(text, text).out(text), f2(t.trim), t.doc)
		if t.name != "trim" {
			b.fn(t.name, in(types.Bytea, types.Bytea).out(types.Bytea), f2(trimBytes(t.name)), "without the bytes at the end")
		}
	}
}

func trimBytes(side string) func(s, set string) string {
	return func(s, set string) string {
		for side != "rtrim" && len(s) > 0 && strings.IndexByte(set, s[0]) >= 0 {
			s = s[1:]
		}
		for side != "ltrim" && len(s) > 0 && strings.IndexByte(set, s[len(s)-1]) >= 0 {
			s = s[:len(s)-1]
		}
		return s
	}
}

// textMax bounds text that is made by count, as PostgreSQL's limit of a value does.
const textMax = 64 << 20

func tooLong() error {
	return errs.CharacterRange.New("problem", "requested length too large")
}

func addPad(b *builder) {
	text, i4 := types.Text, types.Int4
	b.fn("repeat", in(text, i4).out(text), f2e(func(s string, n int64) (string, error) {
		if n <= 0 || s == "" {
			return "", nil
		}
		if int64(len(s)) > textMax/n {
			return "", tooLong()
		}
		return strings.Repeat(s, int(n)), nil
	}), "the text several times")
	b.fn("lpad", in(text, i4).out(text), f2e(func(s string, n int64) (string, error) { return pad(s, n, " ", true) }), "blanks before the text up to a length; longer text is cut")
	b.fn("rpad", in(text, i4).out(text), f2e(func(s string, n int64) (string, error) { return pad(s, n, " ", false) }), "blanks after the text up to a length; longer text is cut")
	b.fn("lpad", in(text, i4, text).out(text), f3e(func(s string, n int64, f string) (string, error) { return pad(s, n, f, true) }), "filling before the text up to a length; longer text is cut")
	b.fn("rpad", in(text, i4, text).out(text), f3e(func(s string, n int64, f string) (string, error) { return pad(s, n, f, false) }), "filling after the text up to a length; longer text is cut")
}

func pad(s string, n int64, with string, left bool) (string, error) {
	missing := n - int64(utf8.RuneCountInString(s))
	if missing <= 0 || with == "" {
		return cut(s, 1, max(n, 0)), nil
	}
	if missing > textMax {
		return "", tooLong()
	}
	w := []rune(with)
	fill := make([]rune, missing)
	for i := range fill {
		fill[i] = w[i%len(w)]
	}
	if left {
		return string(fill) + s, nil
	}
	return s + string(fill), nil
}

func addReplace(b *builder) {
	text, i4 := types.Text, types.Int4
	three := in(text, text, text).out(text)
	b.fn("replace", three, f3(func(s, from, to string) string {
		if from == "" {
			return s
		}
		return strings.ReplaceAll(s, from, to)
	}), "with every occurrence of the second text replaced by the third")
	b.fn("translate", three, f3(translate), "with each character of the second text replaced by the one at its place in the third")
	overlay := func(s, by string, at, n int64) (string, error) {
		if at <= 0 || n < 0 {
			return "", errs.SubstringNegative.New()
		}
		return cut(s, 1, at-1) + by + cut(s, at+n, -1), nil
	}
	b.fn("overlay", in(text, text, i4).out(text), f3e(func(s, by string, at int64) (string, error) {
		return overlay(s, by, at, int64(utf8.RuneCountInString(by)))
	}), "with the second text written over the first at a position")
	b.fn("overlay", in(text, text, i4, i4).out(text), fn(func(_ *Ctx, r row) (types.Datum, error) {
		s, err := overlay(r.str(0), r.str(1), r.int(2), r.int(3))
		return types.NewBytes(s), err
	}), "with some characters at a position replaced by the second text")
}

func translate(s, from, to string) string {
	target := []rune(to)
	by := map[rune]rune{}
	k := 0
	for _, r := range from {
		if _, ok := by[r]; !ok {
			by[r] = -1
			if k < len(target) {
				by[r] = target[k]
			}
		}
		k++
	}
	return strings.Map(func(r rune) rune {
		if t, ok := by[r]; ok {
			return t
		}
		return r
	}, s)
}

func addCharacters(b *builder) {
	b.fn("ascii", in(types.Text).out(types.Int4), f1(func(s string) int64 {
		if s == "" {
			return 0
		}
		r, _ := utf8.DecodeRuneInString(s)
		return int64(r)
	}), "code of the first character")
	b.fn("chr", in(types.Int4).out(types.Text), f1e(func(c int64) (string, error) {
		switch {
		case c == 0:
			return "", errs.CharacterRange.New("problem", "null character not permitted")
		case c < 0:
			return "", errs.InvalidArgument.New("problem", "character number must be positive")
		case c >= 0xD800 && c < 0xE000:
			return "", errs.CharacterRange.New("problem", "requested character not valid for encoding: "+types.NumFromInt(c).String())
		case c > unicode.MaxRune:
			return "", errs.CharacterRange.New("problem", "requested character too large for encoding: "+types.NumFromInt(c).String())
		}
		return string(rune(c)), nil
	}), "character with a code")
}
