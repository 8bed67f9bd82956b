package expr

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/types"
)

// The scripts write expressions in a small part of SQL: literals, casts, calls, operators, ARRAY, ROW, subscripts and
// IS tests. What this parser takes, PostgreSQL takes with the same meaning.

type notation struct {
	r    *Registry
	toks []string
	cols []types.Field
}

func tokenize(s string) []string {
	var out []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		n := 1
		switch c := s[0]; {
		case c == '\'':
			for n < len(s) && (s[n] != '\'' || n+1 < len(s) && s[n+1] == '\'') {
				if s[n] == '\'' {
					n++
				}
				n++
			}
			n++
		case c >= '0' && c <= '9' || c == '.' && len(s) > 1 && s[1] >= '0' && s[1] <= '9':
			for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.' || s[n] == 'e' || (s[n] == '-' || s[n] == '+') && s[n-1] == 'e') {
				n++
			}
		case wordByte(c):
			for n < len(s) && wordByte(s[n]) {
				n++
			}
		case strings.HasPrefix(s, "::"):
			n = 2
		case strings.IndexByte("()[],:", c) >= 0:
		default:
			for n < len(s) && strings.IndexByte("+-*/<>=~!@#%^&|?", s[n]) >= 0 {
				if s[n] == '-' && s[n-1] == ' ' {
					break
				}
				n++
			}
			for n > 1 && (s[n-1] == '-' || s[n-1] == '+') && !strings.ContainsAny(s[:n], "~!@#%^&|?") {
				n--
			}
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func (p *notation) peek() string {
	if len(p.toks) == 0 {
		return ""
	}
	return p.toks[0]
}

func (p *notation) next() string {
	t := p.peek()
	if t != "" {
		p.toks = p.toks[1:]
	}
	return t
}

func (p *notation) accept(ts ...string) bool {
	for i, t := range ts {
		if i >= len(p.toks) || !strings.EqualFold(p.toks[i], t) {
			return false
		}
	}
	p.toks = p.toks[len(ts):]
	return true
}

func (p *notation) expect(t string) {
	if !p.accept(t) {
		panic(fmt.Sprintf("expected %q, found %q", t, p.peek()))
	}
}

func must(e Expr, err error) Expr {
	if err != nil {
		panic(err)
	}
	return e
}

// binding is how strongly an infix operator binds, 0 for what is none.
func binding(op string) int {
	switch op {
	case "":
		return 0
	case "^":
		return 9
	case "*", "/", "%":
		return 8
	case "+", "-":
		return 7
	case "<", ">", "=", "<=", ">=", "<>":
		return 4
	}
	if strings.IndexByte("+-*/<>=~!@#%^&|?", op[0]) >= 0 {
		return 6
	}
	return 0
}

func (p *notation) expr(above int) Expr {
	left := p.unary()
	for {
		if p.accept("is") {
			left = p.test(left)
			continue
		}
		if above < 3 && (strings.EqualFold(p.peek(), "and") || strings.EqualFold(p.peek(), "or")) {
			or := strings.EqualFold(p.next(), "or")
			left = &Logic{Or: or, Args: []Expr{left, p.expr(3)}}
			continue
		}
		op := p.peek()
		b := binding(op)
		if b <= above {
			return left
		}
		p.next()
		if strings.EqualFold(p.peek(), "any") || strings.EqualFold(p.peek(), "all") {
			all := strings.EqualFold(p.next(), "all")
			p.expect("(")
			left = must(p.r.Quantified(op, all, left, p.expr(0)))
			p.expect(")")
			continue
		}
		left = must(p.r.Operator(op, left, p.expr(b)))
	}
}

func (p *notation) test(left Expr) Expr {
	not := p.accept("not")
	if p.accept("distinct", "from") {
		return must(p.r.Distinct(not, left, p.expr(5)))
	}
	name := "is "
	if not {
		name += "not "
	}
	return must(p.r.Syntax(name+strings.ToLower(p.next()), left))
}

func (p *notation) unary() Expr {
	switch op := p.peek(); op {
	case "-", "~", "@", "+", "|/", "||/":
		p.next()
		if n := p.peek(); op == "-" && n != "" && n[0] >= '0' && n[0] <= '9' {
			p.toks[0] = "-" + n
			return p.postfix(p.number())
		}
		return must(p.r.Operator(op, p.unary()))
	}
	if p.accept("not") {
		return must(p.r.Syntax("not", p.expr(3)))
	}
	return p.postfix(p.primary())
}

func (p *notation) postfix(e Expr) Expr {
	for {
		switch {
		case p.accept("::"):
			e = must(p.r.Cast(e, p.typ(), CastExplicit))
		case p.accept("["):
			e = p.subscript(e)
		default:
			return e
		}
	}
}

func (p *notation) subscript(e Expr) Expr {
	bound := func() Expr {
		if p.peek() == ":" || p.peek() == "]" {
			return Null(types.Int4)
		}
		return p.expr(0)
	}
	lo := bound()
	if p.accept(":") {
		hi := bound()
		p.expect("]")
		return must(p.r.Syntax("slice", e, lo, hi))
	}
	p.expect("]")
	return must(p.r.Syntax("subscript", e, lo))
}

// typ reads a type: words, modifiers, brackets.
func (p *notation) typ() types.T {
	name := strings.ToLower(p.next())
	for strings.EqualFold(p.peek(), "precision") || strings.EqualFold(p.peek(), "varying") {
		name += " " + strings.ToLower(p.next())
	}
	if p.accept("(") {
		name += "("
		for !p.accept(")") {
			name += p.next()
		}
		name += ")"
	}
	for p.accept("[", "]") {
		name += "[]"
	}
	t, err := types.Lookup(name)
	if err != nil {
		panic(err)
	}
	return t
}

func (p *notation) list(end string) []Expr {
	var out []Expr
	for !p.accept(end) {
		out = append(out, p.expr(0))
		if !p.accept(",") {
			p.expect(end)
			break
		}
	}
	return out
}

func (p *notation) number() Expr {
	text := p.next()
	t := types.Int4
	d, err := types.Parse(t, text, types.Ctx{})
	for _, wider := range []types.T{types.Int8, types.Numeric} {
		if err != nil {
			t = wider
			d, err = types.Parse(t, text, types.Ctx{})
		}
	}
	if err != nil {
		panic(err)
	}
	return &Const{Value: d, T: t}
}

func (p *notation) primary() Expr {
	t := p.peek()
	switch {
	case t == "":
		panic("unexpected end")
	case t[0] == '\'':
		p.next()
		return &Const{Value: types.NewBytes(strings.ReplaceAll(t[1:len(t)-1], "''", "'")), T: types.Unknown}
	case t[0] >= '0' && t[0] <= '9' || t[0] == '.':
		return p.number()
	case p.accept("("):
		e := p.expr(0)
		p.expect(")")
		return e
	case p.accept("null"):
		return &Const{T: types.Unknown}
	case p.accept("true"):
		return True()
	case p.accept("false"):
		return False()
	case p.accept("array", "["):
		return p.array()
	case p.accept("row", "("):
		return p.r.Row(nil, p.untyped(p.list(")")))
	case p.accept("case"):
		return p.cases()
	}
	name := strings.ToLower(p.next())
	for i, c := range p.cols {
		if c.Name == name {
			return &Col{Index: i, T: c.Type, Name: name}
		}
	}
	if p.peek() != "(" && p.peek() != "" && p.peek()[0] == '\'' { // date '2024-01-01'
		typ, err := types.Lookup(name)
		if err != nil {
			panic(err)
		}
		return must(p.r.Cast(p.primary(), typ, CastExplicit))
	}
	p.expect("(")
	args := p.list(")")
	if name == "coalesce" {
		t, err := CommonType("COALESCE", Types(args))
		if err != nil {
			panic(err)
		}
		for i, a := range args {
			args[i] = must(p.r.Cast(a, t, CastImplicit))
		}
		return &Coalesce{Args: args, T: t}
	}
	return must(p.r.Call(name, args...))
}

// untyped gives literals without a type the type text.
func (p *notation) untyped(es []Expr) []Expr {
	for i, e := range es {
		if e.Type().Kind == types.KindUnknown {
			es[i] = must(p.r.Cast(e, types.Text, CastImplicit))
		}
	}
	return es
}

func (p *notation) array() Expr {
	elems := p.list("]")
	t, err := CommonType("ARRAY", Types(elems))
	if err != nil {
		panic(err)
	}
	for i, e := range elems {
		elems[i] = must(p.r.Cast(e, t, CastImplicit))
	}
	return must(p.r.Syntax("array", elems...))
}

func (p *notation) cases() Expr {
	c := &Case{}
	var results []Expr
	for p.accept("when") {
		w := When{Cond: p.expr(0)}
		p.expect("then")
		w.Then = p.expr(0)
		c.Whens, results = append(c.Whens, w), append(results, w.Then)
	}
	if p.accept("else") {
		c.Else = p.expr(0)
		results = append([]Expr{c.Else}, results...) // PostgreSQL looks at ELSE first
	}
	p.expect("end")
	t, err := CommonType("CASE", Types(results))
	if err != nil {
		panic(err)
	}
	c.T = t
	for i := range c.Whens {
		c.Whens[i].Then = must(p.r.Cast(c.Whens[i].Then, t, CastImplicit))
	}
	if c.Else != nil {
		c.Else = must(p.r.Cast(c.Else, t, CastImplicit))
	}
	return c
}

// parse reads an expression over the columns; err is a resolution error.
func (r *Registry) parse(text string, cols ...types.Field) (e Expr, err error) {
	defer func() {
		if p := recover(); p != nil {
			perr, ok := p.(error)
			if !ok {
				perr = fmt.Errorf("%v", p)
			}
			err = perr
		}
	}()
	p := &notation{r: r, toks: tokenize(text), cols: cols}
	e = p.expr(0)
	if len(p.toks) > 0 {
		return nil, fmt.Errorf("left over: %v", p.toks)
	}
	return e, nil
}

// scriptCtx is the context of all scripts.
func scriptCtx() *Ctx {
	now := time.Date(2024, 2, 29, 12, 30, 15, 123456000, time.UTC)
	seed := uint64(1)
	return &Ctx{
		Ctx: types.Ctx{Now: now}, Now: now,
		Session: Session{User: "postgres", Database: "postgres", SearchPath: []string{"$user", "public"}, BackendPID: 7,
			Setting: func(name string) (string, bool) { return "on", name == "standard_conforming_strings" }},
		Random: func() uint64 { seed = seed*6364136223846793005 + 1442695040888963407; return seed },
	}
}

func mustParse(t testing.TB, r *Registry, text string, cols ...types.Field) Expr {
	t.Helper()
	e, err := r.parse(text, cols...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}
