package expr

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addNumberTemplates(b *builder) {
	text := types.Text
	print := func(number func(r row) types.Num) impl {
		return fn(func(_ *Ctx, r row) (types.Datum, error) {
			s, err := formatNumber(number(r), r.str(1))
			return types.NewBytes(s), err
		})
	}
	const doc = "the number as text by a template"
	for _, t := range []types.T{types.Int4, types.Int8} {
		b.fn("to_char", in(t, text).out(text), print(func(r row) types.Num { return types.NumFromInt(r.int(0)) }), doc)
	}
	b.fn("to_char", in(types.Numeric, text).out(text), print(func(r row) types.Num { return r.datum(0).Num() }), doc)
	b.fn("to_char", in(types.Float8, text).out(text), print(func(r row) types.Num { return types.NumFromFloat(r.float(0), 64) }), doc)
	b.fn("to_char", in(types.Float4, text).out(text), print(func(r row) types.Num { return types.NumFromFloat(r.float(0), 32) }), doc)
	b.fn("to_number", in(text, text).out(types.Numeric), f2e(parseNumber), "number of text by a template")
}

// numFormat is a template such as 9,999.99 taken apart.
type numFormat struct {
	tokens               []string // 9 0 . , G D S MI PL SG PR L V TH EEEE or literal text
	whole, frac          int
	zeroFrom             int // digits from here on print as 0: position of the first 0 in the integer part, -1
	fill, point          bool
	sign, bracket, roman bool
	multiply             int
	inFrac               bool
}

var numKeys = []string{"EEEE", "FM", "MI", "PL", "SG", "PR", "TH", "RN", "9", "0", ".", ",", "G", "D", "S", "L", "V"}

func parseNumFormat(s string) *numFormat {
	f := &numFormat{zeroFrom: -1}
	for s != "" {
		if s[0] == '"' {
			text, rest := quotedText(s[1:])
			f.tokens, s = append(f.tokens, "\x00"+text), rest
			continue
		}
		key := ""
		for _, k := range numKeys {
			if hasFold(s, k) {
				key = k
				break
			}
		}
		if key == "" {
			_, n := runeAt(s)
			f.tokens, s = append(f.tokens, "\x00"+s[:n]), s[n:]
			continue
		}
		f.take(key, s[:len(key)])
		s = s[len(key):]
	}
	return f
}

func (f *numFormat) take(key, written string) {
	switch key {
	case "FM":
		f.fill = true
		return
	case "9", "0":
		switch {
		case f.multiply > 0 || f.inFrac && f.hasV():
			f.multiply++
		case f.inFrac:
			f.frac++
		default:
			if key == "0" && f.zeroFrom < 0 {
				f.zeroFrom = f.whole
			}
			f.whole++
		}
	case ".", "D":
		f.inFrac, f.point = true, true
	case "V":
		f.inFrac = true
	case "S", "SG", "MI":
		f.sign = true
	case "PR":
		f.sign, f.bracket = true, true
	case "RN":
		f.roman = true
	case "TH":
		key = written
	}
	f.tokens = append(f.tokens, key)
}

func (f *numFormat) hasV() bool {
	for _, t := range f.tokens {
		if t == "V" {
			return true
		}
	}
	return false
}

func formatNumber(n types.Num, tmpl string) (string, error) {
	f := parseNumFormat(tmpl)
	if f.roman {
		return romanNumber(n, f.fill), nil
	}
	for _, t := range f.tokens {
		if t == "EEEE" {
			return exponential(n, f), nil
		}
	}
	if f.multiply > 0 {
		n = n.Mul(types.NumFromBig(pow10(int32(f.multiply)), 0)).Round(0)
		f.whole += f.multiply
	}
	special := !n.Finite()
	r := n
	if !special {
		r = n.Round(int32(f.frac))
	}
	digits := strings.TrimPrefix(r.String(), "-")
	whole, frac, _ := strings.Cut(digits, ".")
	negative := n.Sign() < 0 && !(r.Zero() && !special)
	if whole == "0" && f.frac > 0 {
		whole = ""
	}
	if special || len(whole) > f.whole {
		whole, frac = strings.Repeat("#", f.whole), strings.Repeat("#", f.frac)
	}
	p := &numPrinter{f: f, negative: negative, whole: whole, frac: frac}
	return p.print(), nil
}

// numPrinter writes the digits through a template.
type numPrinter struct {
	f           *numFormat
	negative    bool
	whole, frac string
	out         strings.Builder
	at, fracAt  int
	signed      bool // the sign was written
}

// shows reports whether integer position i has a digit: one of the number, or a zero of the template.
func (p *numPrinter) shows(i int) bool {
	return i >= p.f.whole-len(p.whole) || p.f.zeroFrom >= 0 && i >= p.f.zeroFrom
}

func (p *numPrinter) print() string {
	floating := p.floatingS()
	lead := func() {
		if p.signed || p.f.sign && !floating && !p.f.bracket {
			return
		}
		p.signed = true
		switch {
		case p.f.bracket && p.negative:
			p.out.WriteByte('<')
		case p.f.bracket && !p.f.fill:
			p.out.WriteByte(' ')
		case p.f.bracket:
		case p.negative:
			p.out.WriteByte('-')
		case floating:
			p.out.WriteByte('+')
		case !p.f.fill:
			p.out.WriteByte(' ')
		}
	}
	for k, t := range p.f.tokens {
		switch t {
		case "9", "0":
			if p.inFrac(k) {
				lead()
				p.fracDigit(t)
			} else {
				p.wholeDigit(lead)
			}
		case ".", "D":
			if len(p.whole) == 0 && p.f.zeroFrom < 0 {
				lead()
			}
			lead()
			if !p.f.fill || p.f.frac > 0 {
				p.out.WriteByte('.')
			}
		case ",", "G":
			if p.at > 0 && p.shows(p.at-1) {
				p.out.WriteByte(',')
			} else if !p.f.fill {
				p.out.WriteByte(' ')
			}
		default:
			p.extra(t, floating)
		}
	}
	lead()
	if p.f.bracket {
		if p.negative {
			p.out.WriteByte('>')
		} else if !p.f.fill {
			p.out.WriteByte(' ')
		}
	}
	return p.out.String()
}

// floatingS: an S before the digits stands right before the number.
func (p *numPrinter) floatingS() bool {
	for _, t := range p.f.tokens {
		switch t {
		case "S":
			return true
		case "9", "0":
			return false
		}
	}
	return false
}

func (p *numPrinter) inFrac(k int) bool {
	for _, t := range p.f.tokens[:k] {
		if t == "." || t == "D" {
			return true
		}
	}
	return false
}

func (p *numPrinter) wholeDigit(lead func()) {
	i := p.at
	p.at++
	first := p.f.whole - len(p.whole)
	switch {
	case i >= first:
		lead()
		p.out.WriteByte(p.whole[i-first])
	case p.shows(i):
		lead()
		p.out.WriteByte('0')
	case !p.f.fill:
		p.out.WriteByte(' ')
	}
}

// fracDigit writes a digit; under FM zeros at the end that stand for 9 are left out.
func (p *numPrinter) fracDigit(t string) {
	i := p.fracAt
	p.fracAt++
	if p.f.fill && t == "9" && strings.Trim(p.frac[i:], "0") == "" && !p.zeroAfter(i) {
		return
	}
	p.out.WriteByte(p.frac[i])
}

// zeroAfter reports whether the template forces a digit after fraction position i.
func (p *numPrinter) zeroAfter(i int) bool {
	n := -1
	for k, t := range p.f.tokens {
		if (t == "9" || t == "0") && p.inFrac(k) {
			if n++; n > i && t == "0" {
				return true
			}
		}
	}
	return false
}

func (p *numPrinter) extra(t string, floating bool) {
	switch t {
	case "S":
		if !floating {
			p.out.WriteString(map[bool]string{true: "-", false: "+"}[p.negative])
		}
	case "SG":
		p.out.WriteString(map[bool]string{true: "-", false: "+"}[p.negative])
	case "MI":
		if p.negative {
			p.out.WriteByte('-')
		} else if !p.f.fill {
			p.out.WriteByte(' ')
		}
	case "PL":
		if !p.negative {
			p.out.WriteByte('+')
		} else if !p.f.fill {
			p.out.WriteByte(' ')
		}
	case "L":
		if !p.f.fill {
			p.out.WriteByte(' ')
		}
	case "TH", "th", "Th", "tH":
		if !p.negative {
			p.out.WriteString(ordinal(p.whole, t))
		}
	default:
		if text, ok := strings.CutPrefix(t, "\x00"); ok {
			p.out.WriteString(text)
		}
	}
}

func exponential(n types.Num, f *numFormat) string {
	exp := decimalExp(n)
	m := n
	if exp > 0 {
		m = n.DivScale(types.NumFromBig(pow10(int32(exp)), 0), int32(f.frac))
	} else {
		m = n.Mul(types.NumFromBig(pow10(int32(-exp)), 0)).Round(int32(f.frac))
	}
	sign := "+"
	if exp < 0 {
		sign = "-"
	}
	s := m.String() + "e" + sign + twoDigits(int64(magnitude(int64(exp))))
	if n.Sign() >= 0 && !f.fill {
		s = " " + s
	}
	return s
}

// romanNumber prints 1 to 3999, in 15 characters unless FM is given.
func romanNumber(n types.Num, fill bool) string {
	v, ok := n.Int()
	s := "###############"
	if ok && v >= 1 && v <= 3999 {
		s = ""
		for _, r := range []struct {
			n int64
			s string
		}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
			for ; v >= r.n; v -= r.n {
				s += r.s
			}
		}
	}
	if !fill {
		s = strings.Repeat(" ", max(15-len(s), 0)) + s
	}
	return s
}

// parseNumber keeps digits, sign and point of the text, as far as the template has places for them.
func parseNumber(s, tmpl string) (types.Num, error) {
	f := parseNumFormat(tmpl)
	var out strings.Builder
	negative := strings.HasPrefix(strings.TrimSpace(s), "<") || strings.Contains(s, "-")
	whole, frac, point := 0, 0, false
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			if point {
				frac++
			} else {
				whole++
			}
			if !point && whole > f.whole || point && frac > f.frac {
				continue
			}
			out.WriteRune(c)
		case c == '.' && f.point && !point:
			point = true
			out.WriteByte('.')
		}
	}
	if strings.Trim(out.String(), ".") == "" {
		return types.Num{}, errs.InvalidText.New("type", "numeric", "value", " ")
	}
	n, err := types.ParseNum(out.String())
	if err == nil && f.multiply > 0 {
		n = n.DivScale(types.NumFromBig(pow10(int32(f.multiply)), 0), int32(f.multiply))
	}
	if negative {
		n = n.Neg()
	}
	return n, err
}
