package ast

import "strings"

// options prints (k = v, ...).
func (p *printer) options(list []Option) {
	parens(p, list, func(o Option) {
		p.optionKey(o.Key)
		p.w(" = ")
		p.optionValue(o.Value)
	})
}

// withOptions prints WITH (...) if there was one, even an empty one.
func (p *printer) withOptions(list []Option) {
	if list != nil {
		p.w(" WITH ")
		p.options(list)
	}
}

// looseOptions prints (k v, ...), as COPY and EXPLAIN have them.
func (p *printer) looseOptions(list []Option) {
	parens(p, list, func(o Option) {
		p.optionKey(o.Key)
		if o.Value.Kind != OptNone {
			p.w(" ")
			p.optionValue(o.Value)
		}
	})
}

// optionKey prints a key bare when it is dotted words, as a string otherwise.
func (p *printer) optionKey(key string) {
	for _, part := range strings.Split(key, ".") {
		if !plainIdent(part) {
			p.str(key)
			return
		}
	}
	p.w(key)
}

func (p *printer) optionValue(v OptionValue) {
	switch v.Kind {
	case OptNone:
	case OptString:
		p.str(v.Text)
	case OptNumber:
		p.w(v.Text)
	case OptWord:
		p.word(v.Text)
	case OptSecret:
		p.w("SECRET ")
		p.name(v.Name)
		p.when(v.AsFile, " AS FILE")
	case OptOrder:
		p.w("FIXED")
		parens(p, v.Edges, func(e Edge) {
			p.name(e.From)
			p.w(" -> ")
			p.name(e.To)
		})
	case OptStar:
		p.w("*")
	case OptList:
		parens(p, v.Items, p.optionValue)
	}
}

// word prints a bare word; keywords are fine as they are, where option values stand.
func (p *printer) word(s string) {
	if plainIdent(s) {
		p.w(s)
		return
	}
	p.ident(s)
}

// keywordText raises a bare word and quotes any other.
func keywordText(s string) string {
	if plainIdent(s) {
		return upperASCII(s)
	}
	return QuoteIdent(s)
}

func (p *printer) format(f *RowFormat) {
	if f == nil {
		return
	}
	p.w(" FORMAT ", keywordText(f.Format), " ENCODE ", keywordText(f.Encode))
	if f.Options != nil {
		p.w(" ")
		p.options(f.Options)
	}
	if f.KeyEncode != "" {
		p.w(" KEY ENCODE ", keywordText(f.KeyEncode))
		if f.KeyOptions != nil {
			p.w(" ")
			p.options(f.KeyOptions)
		}
	}
}
