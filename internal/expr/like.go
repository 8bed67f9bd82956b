package expr

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// LIKE is operator ~~ and ILIKE ~~*, as in PostgreSQL. A pattern with another escape character goes through like_escape.

func addLike(b *builder) {
	text, bytea := types.Text, types.Bytea
	for _, o := range []struct {
		op, alias  string
		fold, want bool
		doc        string
	}{
		{"~~", "like", false, true, "whether the text matches (LIKE)"}, {"!~~", "notlike", false, false, "whether the text does not match (NOT LIKE)"},
		{"~~*", "ilike", true, true, "whether the text matches in any case (ILIKE)"}, {"!~~*", "notilike", true, false, "whether the text does not match in any case (NOT ILIKE)"},
	} {
		m := impl{eval: like(o.fold, o.want), fails: true}
		b.op(o.op, in(text, text).out(types.Bool), m, o.doc)
		b.fn(o.alias, in(text, text).out(types.Bool), m, o.doc)
		if !o.fold {
			b.op(o.op, in(bytea, bytea).out(types.Bool), m, o.doc)
		}
	}
	b.fn("like_escape", in(text, text).out(text), f2e(likeEscape), "a pattern whose escape character is the second argument")
}

// like compiles a pattern once as long as it stays the same from row to row.
func like(fold, want bool) Eval {
	return func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		s, p := args[0].Strs, args[1].Strs
		var last string
		var m *pattern
		var match func(string) bool
		for _, i := range allRows(sel, out.Len()) {
			if match == nil || p[i] != last {
				m = compileLike(p[i], fold, args[0].Type.Kind == types.KindBytea)
				match, last = m.matcher(), p[i]
			}
			if m.cut && m.reachesEnd(s[i]) {
				err := errs.InvalidLikeEscape.New("problem", "LIKE pattern must not end with escape character")
				if ctx.failed(out, int(i), err) != nil {
					return err
				}
				continue
			}
			out.Bools[i] = match(s[i]) == want
		}
		return nil
	}
}

// matcher chooses a quick way for the commonest patterns: abc, abc%, %abc and %abc%.
func (m *pattern) matcher() func(string) bool {
	if m.cut {
		return func(string) bool { return false }
	}
	if m.fold || len(m.pieces) != 1 || m.pieces[0].wild != nil {
		return m.match
	}
	text := m.pieces[0].text
	switch {
	case m.open && m.tail:
		return func(s string) bool { return strings.Contains(s, text) }
	case m.open:
		return func(s string) bool { return strings.HasSuffix(s, text) }
	case m.tail:
		return func(s string) bool { return strings.HasPrefix(s, text) }
	}
	return func(s string) bool { return s == text }
}

// pattern is a compiled LIKE pattern: literal pieces between % signs. A piece may hold _ for one character.
type pattern struct {
	fold, bytes bool
	pieces      []piece
	open, tail  bool // begins, ends with %
	cut         bool // ends with its escape character, so nothing matches
}

// piece is text of which the marked runes stand for any character.
type piece struct {
	text  string // when no rune is wild
	runes []rune
	wild  []bool // nil when none is
}

func compileLike(p string, fold, bytes bool) *pattern {
	m := &pattern{fold: fold, bytes: bytes}
	if fold {
		p = strings.ToLower(p)
	}
	var runes []rune
	var wild []bool
	anyWild, between := false, false
	flush := func() {
		if len(runes) == 0 {
			return
		}
		q := piece{text: string(runes), runes: runes}
		if bytes {
			q.text = bytesOf(runes)
		}
		if anyWild {
			q.wild = wild
		}
		m.pieces = append(m.pieces, q)
		runes, wild, anyWild = nil, nil, false
	}
	for i := 0; i < len(p); {
		c, n := decode(p[i:], bytes)
		i += n
		between = c == '%'
		switch c {
		case '%':
			m.open = m.open || len(m.pieces) == 0 && len(runes) == 0
			flush()
			continue
		case '_':
			anyWild = true
			runes, wild = append(runes, 0), append(wild, true)
			continue
		case '\\':
			if i == len(p) {
				m.cut = true
				continue
			}
			c, n = decode(p[i:], bytes)
			i += n
		}
		runes, wild = append(runes, c), append(wild, false)
	}
	flush()
	m.tail = between
	return m
}

func decode(s string, bytes bool) (rune, int) {
	if bytes {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}

func bytesOf(runes []rune) string {
	out := make([]byte, len(runes))
	for i, r := range runes {
		out[i] = byte(r)
	}
	return string(out)
}

func (m *pattern) match(s string) bool {
	if m.fold {
		s = strings.ToLower(s)
	}
	pieces := m.pieces
	if len(pieces) == 0 {
		return m.open || s == ""
	}
	if !m.open {
		n := m.prefix(pieces[0], s)
		if n < 0 {
			return false
		}
		s = s[n:]
		if pieces = pieces[1:]; len(pieces) == 0 {
			return m.tail || s == ""
		}
	}
	last := len(pieces)
	if !m.tail {
		last--
	}
	for _, p := range pieces[:last] {
		_, end := m.find(p, s)
		if end < 0 {
			return false
		}
		s = s[end:]
	}
	return m.tail || m.suffix(pieces[last], s)
}

// reachesEnd reports whether the match of a text comes to the end of a cut pattern. PostgreSQL complains only then:
// with text left over, or behind a % whose _ took the last of it.
func (m *pattern) reachesEnd(s string) bool {
	if m.fold {
		s = strings.ToLower(s)
	}
	took := false // the last piece is behind a % and nothing but _
	for i, p := range m.pieces {
		end := 0
		if behind := i > 0 || m.open; behind {
			_, end = m.find(p, s)
			took = !slices.Contains(p.wild, false) && p.wild != nil
		} else {
			end = m.prefix(p, s)
		}
		if end < 0 {
			return false
		}
		s = s[end:]
	}
	return s != "" || took
}

// prefix returns how much of s the piece takes at its start, -1 when it does not match.
func (m *pattern) prefix(p piece, s string) int {
	if p.wild == nil {
		if strings.HasPrefix(s, p.text) {
			return len(p.text)
		}
		return -1
	}
	at := 0
	for k, want := range p.runes {
		if at >= len(s) {
			return -1
		}
		c, n := decode(s[at:], m.bytes)
		if !p.wild[k] && c != want {
			return -1
		}
		at += n
	}
	return at
}

// find returns where the piece first matches, -1 for nowhere.
func (m *pattern) find(p piece, s string) (start, end int) {
	if p.wild == nil {
		if i := strings.Index(s, p.text); i >= 0 {
			return i, i + len(p.text)
		}
		return -1, -1
	}
	for at := 0; at < len(s); {
		if n := m.prefix(p, s[at:]); n >= 0 {
			return at, at + n
		}
		_, n := decode(s[at:], m.bytes)
		at += n
	}
	return -1, -1
}

// suffix reports whether the piece matches the end of s.
func (m *pattern) suffix(p piece, s string) bool {
	if p.wild == nil {
		return strings.HasSuffix(s, p.text)
	}
	at := len(s)
	for range p.runes {
		if at == 0 {
			return false
		}
		n := 1
		if !m.bytes {
			_, n = utf8.DecodeLastRuneInString(s[:at])
		}
		at -= n
	}
	return m.prefix(p, s[at:]) == len(s)-at
}

// likeEscape rewrites a pattern to the backslash as its escape character.
func likeEscape(p, escape string) (string, error) {
	if utf8.RuneCountInString(escape) > 1 {
		return "", errs.InvalidLikeEscape.New("problem", "invalid escape string")
	}
	if escape == `\` {
		return p, nil
	}
	esc, _ := utf8.DecodeRuneInString(escape)
	var out strings.Builder
	escaped := false
	for _, c := range p {
		switch {
		case escape != "" && c == esc && !escaped:
			out.WriteByte('\\')
			escaped = true
			continue
		case c == '\\' && !escaped:
			out.WriteString(`\\`)
		default:
			out.WriteRune(c)
		}
		escaped = false
	}
	return out.String(), nil
}
