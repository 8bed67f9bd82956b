package expr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addFormat(b *builder) {
	text := types.Text
	b.fn("format", in(text).out(text), fn(formatText), "the text with %s, %I and %L replaced by the arguments").nulls().stable()
	b.fn("format", in(text, Any).many().out(text), fn(formatText), "the text with %s, %I and %L replaced by the arguments").nulls().stable()
	b.fn("quote_ident", in(text).out(text), f1(quoteIdent), "as an identifier of SQL, quoted where needed")
	b.fn("quote_literal", in(Any).out(text), fn(func(ctx *Ctx, r row) (types.Datum, error) {
		return types.NewBytes(quoteLiteral(r.text(ctx, 0))), nil
	}).total(), "as a literal of SQL").stable()
	b.fn("quote_nullable", in(Any).out(text), fn(func(ctx *Ctx, r row) (types.Datum, error) {
		if r.null(0) {
			return types.NewBytes("NULL"), nil
		}
		return types.NewBytes(quoteLiteral(r.text(ctx, 0))), nil
	}).total(), "as a literal of SQL, or the word NULL").nulls().stable()
	b.fn("to_hex", in(types.Int4).out(text), f1(func(v int64) string { return strconv.FormatUint(uint64(uint32(v)), 16) }), "in hexadecimal digits")
	b.fn("to_hex", in(types.Int8).out(text), f1(func(v int64) string { return strconv.FormatUint(uint64(v), 16) }), "in hexadecimal digits")
	b.fn("parse_ident", in(text).out(types.ArrayOf(text)), f1e(parseIdent), "the parts of a qualified name")
}

// quoteIdent quotes a name that is not a plain lower-case word, or is reserved.
func quoteIdent(s string) string {
	plain := s != "" && !reserved[s] && (s[0] >= 'a' && s[0] <= 'z' || s[0] == '_')
	for i := 0; i < len(s); i++ {
		c := s[i]
		plain = plain && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_')
	}
	if plain {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// reserved are the words that can not be names without quotes.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`all analyse analyze and any array as asc asymmetric authorization between bigint binary bit
		boolean both case cast char character check coalesce collate collation column concurrently constraint create cross
		current_catalog current_date current_role current_schema current_time current_timestamp current_user dec decimal
		default deferrable desc distinct do else end except exists extract false fetch float for foreign freeze from full
		grant greatest group grouping having ilike in initially inner inout int integer intersect interval into is isnull
		join lateral leading least left like limit localtime localtimestamp national natural nchar none normalize not
		notnull null nullif numeric offset on only or order out outer overlaps overlay placing position precision primary
		real references returning right row select session_user setof similar smallint some substring symmetric table
		tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic verbose
		when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot
		xmlserialize xmltable`) {
		m[w] = true
	}
	return m
}()

func formatError(format string, args ...any) error {
	return errs.InvalidArgument.New("problem", fmt.Sprintf(format, args...))
}

// formatText is PostgreSQL's format(): %[position$][-][width]type.
func formatText(ctx *Ctx, r row) (types.Datum, error) {
	if r.null(0) {
		return types.Null, nil
	}
	f := formatter{ctx: ctx, r: r, in: r.str(0)}
	var out strings.Builder
	for f.in != "" {
		i := strings.IndexByte(f.in, '%')
		if i < 0 {
			out.WriteString(f.in)
			break
		}
		out.WriteString(f.in[:i])
		f.in = f.in[i+1:]
		s, err := f.spec()
		if err != nil {
			return types.Null, err
		}
		out.WriteString(s)
	}
	return types.NewBytes(out.String()), nil
}

type formatter struct {
	ctx *Ctx
	r   row
	in  string
	arg int
}

// spec replaces one specification.
func (f *formatter) spec() (string, error) {
	if strings.HasPrefix(f.in, "%") {
		f.in = f.in[1:]
		return "%", nil
	}
	position := 0
	if n, rest, ok := leadingInt(f.in); ok && strings.HasPrefix(rest, "$") {
		if n == 0 {
			return "", formatError("format specifies argument 0, but arguments are numbered from 1")
		}
		position, f.in = n, rest[1:]
	}
	left := false
	for strings.HasPrefix(f.in, "-") {
		left, f.in = true, f.in[1:]
	}
	width, left, err := f.width(left)
	if err != nil {
		return "", err
	}
	if f.in == "" {
		return "", formatError("unterminated format() type specifier")
	}
	kind := f.in[0]
	if strings.IndexByte("sIL", kind) < 0 {
		c, _ := utf8.DecodeRuneInString(f.in)
		return "", formatError("unrecognized format() type specifier \"%c\"", c)
	}
	f.in = f.in[1:]
	s, err := f.value(kind, position)
	if err != nil || width <= 0 {
		return s, err
	}
	return pad(s, int64(max(width, utf8.RuneCountInString(s))), " ", !left)
}

// width reads a number, * or *n$.
func (f *formatter) width(left bool) (int, bool, error) {
	rest, star := strings.CutPrefix(f.in, "*")
	if !star {
		n, rest, ok := leadingInt(f.in)
		if ok {
			f.in = rest
		}
		return n, left, nil
	}
	f.in = rest
	k := 0
	if n, rest, ok := leadingInt(f.in); ok && strings.HasPrefix(rest, "$") {
		k, f.in = n, rest[1:]
	}
	k, err := f.next(k)
	if err != nil || f.r.null(k) {
		return 0, left, err
	}
	w := 0
	if isInt(f.r.typ(k)) {
		w = int(f.r.int(k))
	} else if w, err = strconv.Atoi(f.r.text(f.ctx, k)); err != nil {
		return 0, left, formatError("invalid input syntax for type integer: \"%s\"", f.r.text(f.ctx, k))
	}
	if w < 0 {
		return -w, true, nil
	}
	return w, left, nil
}

// next is the argument at a position, or the one that follows.
func (f *formatter) next(position int) (int, error) {
	if position == 0 {
		position = f.arg + 1
	}
	f.arg = position
	if position >= f.r.n() {
		return 0, formatError("too few arguments for format()")
	}
	return position, nil
}

func (f *formatter) value(kind byte, position int) (string, error) {
	k, err := f.next(position)
	if err != nil {
		return "", err
	}
	switch {
	case f.r.null(k) && kind == 'L':
		return "NULL", nil
	case f.r.null(k) && kind == 'I':
		return "", errs.NullNotAllowed.New("problem", "null values cannot be formatted as an SQL identifier")
	case f.r.null(k):
		return "", nil
	case kind == 'I':
		return quoteIdent(f.r.text(f.ctx, k)), nil
	case kind == 'L':
		return quoteLiteral(f.r.text(f.ctx, k)), nil
	}
	return f.r.text(f.ctx, k), nil
}

// leadingInt reads digits at the start.
func leadingInt(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9' {
		n = n*10 + int(s[i]-'0')
		i++
	}
	return n, s[i:], i > 0
}

// parseIdent splits a name at its dots and undoes quotes.
func parseIdent(s string) (types.Datum, error) {
	bad := errs.InvalidArgument.New("problem", fmt.Sprintf("string is not a valid identifier: \"%s\"", s))
	var parts []string
	rest := strings.TrimSpace(s)
	for {
		var part string
		if strings.HasPrefix(rest, `"`) {
			end := 1
			for end < len(rest) && (rest[end] != '"' || strings.HasPrefix(rest[end:], `""`)) {
				if rest[end] == '"' {
					end++
				}
				end++
			}
			if end >= len(rest) {
				return types.Null, bad
			}
			part, rest = strings.ReplaceAll(rest[1:end], `""`, `"`), rest[end+1:]
		} else {
			end := strings.IndexByte(rest, '.')
			if end < 0 {
				end = len(rest)
			}
			part, rest = strings.ToLower(strings.TrimSpace(rest[:end])), rest[end:]
		}
		if part == "" {
			return types.Null, bad
		}
		parts = append(parts, part)
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return types.NewArray(types.Text, textDatums(parts)), nil
		}
		if rest[0] != '.' {
			return types.Null, bad
		}
		rest = strings.TrimSpace(rest[1:])
	}
}
