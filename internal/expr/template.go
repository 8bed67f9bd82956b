package expr

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/types"
)

// Templates of to_char, to_timestamp and to_date are read into a list of fields and literal text.

// tmplField is one pattern of a template (YYYY, MM, Day ...) with its modifiers, or literal text.
type tmplField struct {
	key     string // pattern in upper case; "" for literal text
	written string // as it was written: the case of words follows it
	text    string // literal
	fill    bool   // FM: no blanks and zeros
	ordinal string // TH or th
	quoted  bool
}

// tmplKeys are the patterns, longer ones before those that they begin with.
var tmplKeys = strings.Fields(`Y,YYY YYYY IYYY YYY IYY MONTH DAY SSSSS SSSS A.D. B.C. A.M. P.M. HH24 HH12 TZH TZM MON IDDD DDD YY IY AD BC AM PM HH MI MS
	US SS FF1 FF2 FF3 FF4 FF5 FF6 CC MM DY DD ID IW WW RM TZ OF Y I D W J Q`)

func parseTemplate(s string) []tmplField {
	var out []tmplField
	fill := false
	literal := func(text string, quoted bool) {
		if n := len(out); n > 0 && out[n-1].key == "" && out[n-1].quoted == quoted {
			out[n-1].text += text
			return
		}
		out = append(out, tmplField{text: text, quoted: quoted})
	}
	for s != "" {
		switch {
		case s[0] == '"':
			text, rest := quotedText(s[1:])
			literal(text, true)
			s = rest
			continue
		case s[0] == '\\' && strings.HasPrefix(s[1:], `"`):
			literal(`"`, true)
			s = s[2:]
			continue
		case hasFold(s, "FM"):
			fill, s = true, s[2:]
			continue
		case hasFold(s, "FX"), hasFold(s, "TM"):
			s = s[2:]
			continue
		}
		key := tmplKey(s)
		if key == "" {
			_, n := utf8.DecodeRuneInString(s)
			literal(s[:n], false)
			s = s[n:]
			continue
		}
		f := tmplField{key: key, written: s[:len(key)], fill: fill}
		s = s[len(key):]
		fill = false
		if hasFold(s, "TH") && key != "DAY" && key != "MONTH" {
			f.ordinal, s = s[:2], s[2:]
		}
		out = append(out, f)
	}
	return out
}

func quotedText(s string) (text, rest string) {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			out.WriteByte(s[i])
		case s[i] == '"':
			return out.String(), s[i+1:]
		default:
			out.WriteByte(s[i])
		}
	}
	return out.String(), ""
}

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func tmplKey(s string) string {
	for _, k := range tmplKeys {
		if hasFold(s, k) {
			return k
		}
	}
	return ""
}

func addTemplates(b *builder) {
	text := types.Text
	for _, t := range []types.T{types.Timestamp, types.Timestamptz} {
		k := t.Kind
		b.fn("to_char", in(t, text).out(text), c2(func(ctx *Ctx, v int64, tmpl string) (types.Datum, error) {
			if infinite(v) || tmpl == "" {
				return types.Null, nil
			}
			return types.NewBytes(formatTime(ctx.brokenDown(k, v), parseTemplate(tmpl))), nil
		}).total(), "the time as text by a template").stable()
	}
	b.fn("to_char", in(types.Interval, text).out(text), f2e(func(v types.Iv, tmpl string) (types.Datum, error) {
		fields := parseTemplate(tmpl)
		if err := intervalTemplate(fields); err != nil || tmpl == "" {
			return types.Null, err
		}
		return types.NewBytes(formatTime(intervalParts(v), fields)), nil
	}), "the interval as text by a template")
	b.fn("to_timestamp", in(types.Float8).out(types.Timestamptz), f1e(fromEpoch), "timestamp of seconds since 1970")
	b.fn("to_timestamp", in(text, text).out(types.Timestamptz), c2(func(ctx *Ctx, s, tmpl string) (types.Datum, error) {
		p, err := parseTime(s, parseTemplate(tmpl))
		if err != nil {
			return types.Null, err
		}
		return p.timestamptz(ctx)
	}), "timestamp of text by a template").stable()
	b.fn("to_date", in(text, text).out(types.Date), f2e(func(s, tmpl string) (types.Datum, error) {
		p, err := parseTime(s, parseTemplate(tmpl))
		if err != nil {
			return types.Null, err
		}
		days, err := p.date()
		return types.NewInt(days), err
	}), "date of text by a template")
	addNumberTemplates(b)
}

// fromEpoch reads seconds since 1970.
func fromEpoch(f float64) (int64, error) {
	switch {
	case f != f:
		return 0, timestampRange()
	case f > 1e300:
		return types.TimestampInfinity, nil
	case f < -1e300:
		return types.TimestampNegInfinity, nil
	}
	micros := math.RoundToEven((f - unixDays*microsDay/microsSecond) * microsSecond)
	if micros < timestampMin || micros > timestampMax {
		return 0, timestampRange()
	}
	return int64(micros), nil
}
