package ast

func (p *printer) call(c *FuncCall) {
	if c.Syntax == CallKeyword && p.keywordCall(c) {
		return
	}
	p.when(c.ScalarAggregate, "aggregate:")
	p.funcName(c)
	p.w("(")
	p.when(c.Star, "*")
	p.when(c.Distinct, "DISTINCT ")
	commas(p, ", ", c.Args, p.arg)
	p.orderBy(c.OrderBy)
	p.w(")")
	if c.WithinGroup != nil {
		p.w(" WITHIN GROUP (")
		p.orderItems("ORDER BY ", c.WithinGroup)
		p.w(")")
	}
	if c.Filter != nil {
		p.clause(" FILTER (WHERE ", c.Filter)
		p.w(")")
	}
	p.when(c.Nulls != "", " ", string(c.Nulls))
	if c.Over != nil {
		p.w(" OVER ")
		p.window(c.Over)
	}
}

// funcName prints a function's name. The functions that are keywords stay bare as long as their grammar can read the
// call; quoted, any call of them parses to the same tree.
func (p *printer) funcName(c *FuncCall) {
	name := c.Name.Last()
	if len(c.Name.Parts) == 1 && (keywordFunc(c) || plainIdent(name) && Keyword(name) == TypeFuncName) {
		p.w(name)
		return
	}
	p.name(c.Name)
}

func keywordFunc(c *FuncCall) bool {
	if c.Star || c.Distinct || c.OrderBy != nil || c.Nulls != "" || len(c.Args) == 0 {
		return false
	}
	for _, a := range c.Args {
		if a.Name != "" || a.Variadic {
			return false
		}
	}
	tail := c.WithinGroup != nil || c.Filter != nil || c.Over != nil
	switch c.Name.Last() {
	case "coalesce", "greatest", "least", "nullif":
		return true
	case "grouping", "overlay", "substring":
		return !tail
	case "extract":
		_, field := c.Args[0].Value.(*StringLit)
		return !tail && field && len(c.Args) == 2
	case "position":
		return !tail && len(c.Args) == 2 && simpleExpr(c.Args[0].Value)
	}
	return false
}

func (p *printer) arg(a Arg) {
	p.when(a.Variadic, "VARIADIC ")
	if a.Name != "" {
		p.ident(a.Name)
		p.w(" => ")
	}
	p.expr(a.Value, 0)
}

// keywordCall prints a call in its keyword syntax; false if it has none, which no parsed call has.
func (p *printer) keywordCall(c *FuncCall) bool {
	arg := func(i int) Expr { return c.Args[i].Value }
	n := len(c.Args)
	switch name := c.Name.Last(); {
	case name == "extract" && n == 2:
		p.w("EXTRACT(")
		p.expr(arg(0), 0)
		p.clause(" FROM ", arg(1))
	case name == "substring" && n >= 2:
		p.substring(c)
	case name == "position" && n == 2:
		p.w("POSITION(")
		p.simple(arg(1))
		p.w(" IN ")
		p.simple(arg(0))
	case name == "overlay" && n >= 3:
		p.w("OVERLAY(")
		p.expr(arg(0), 0)
		p.clause(" PLACING ", arg(1))
		p.clause(" FROM ", arg(2))
		if n > 3 {
			p.clause(" FOR ", arg(3))
		}
	case (name == "btrim" || name == "ltrim" || name == "rtrim") && n >= 1:
		p.trim(name, c.Args)
	case name == "normalize" && n >= 1:
		p.w("NORMALIZE(")
		p.expr(arg(0), 0)
		if form, ok := c.Args[n-1].Value.(*StringLit); ok && n == 2 {
			p.w(", ", upperASCII(form.Value))
		}
	case name == "pg_collation_for" && n == 1:
		p.w("COLLATION FOR (")
		p.expr(arg(0), 0)
	case name == "overlaps" && n == 4:
		p.w("(")
		p.expr(arg(0), 0)
		p.clause(", ", arg(1))
		p.w(") OVERLAPS (")
		p.expr(arg(2), 0)
		p.clause(", ", arg(3))
	default:
		return false
	}
	p.w(")")
	return true
}

func (p *printer) substring(c *FuncCall) {
	p.w("SUBSTRING(")
	p.expr(c.Args[0].Value, 0)
	if s, ok := c.Args[1].Value.(*FuncCall); ok && s.Syntax == CallKeyword && s.Name.Last() == "similar_to_escape" {
		p.clause(" SIMILAR ", s.Args[0].Value)
		p.clause(" ESCAPE ", s.Args[1].Value)
		return
	}
	p.clause(" FROM ", c.Args[1].Value)
	if len(c.Args) > 2 {
		p.clause(" FOR ", c.Args[2].Value)
	}
}

func (p *printer) trim(name string, args []Arg) {
	p.w("TRIM(", map[string]string{"btrim": "BOTH", "ltrim": "LEADING", "rtrim": "TRAILING"}[name])
	if len(args) == 2 {
		p.clause(" ", args[1].Value)
	}
	p.clause(" FROM ", args[0].Value)
	for _, a := range args[min(2, len(args)):] { // more arguments than any trim has: the binder will say so
		p.clause(", ", a.Value)
	}
}

func (p *printer) window(w *WindowDef) {
	if w.Bare {
		p.ident(w.Ref)
		return
	}
	p.w("(")
	sep := ""
	if w.Ref != "" {
		p.ident(w.Ref)
		sep = " "
	}
	if w.PartitionBy != nil {
		p.w(sep, "PARTITION BY ")
		p.exprs(w.PartitionBy)
		sep = " "
	}
	if w.OrderBy != nil {
		p.orderItems(sep+"ORDER BY ", w.OrderBy)
		sep = " "
	}
	if w.Frame != nil {
		p.w(sep)
		p.frame(w.Frame)
	}
	p.w(")")
}

func (p *printer) frame(f *Frame) {
	p.w(string(f.Unit))
	if f.Unit == FrameSession {
		p.clause(" WITH GAP ", f.Gap)
		return
	}
	if f.End != nil {
		p.w(" BETWEEN ")
		p.bound(f.Start)
		p.w(" AND ")
		p.bound(*f.End)
	} else {
		p.w(" ")
		p.bound(f.Start)
	}
	p.when(f.Exclude != "", " EXCLUDE ", f.Exclude)
}

func (p *printer) bound(b FrameBound) {
	if b.Offset != nil {
		p.expr(b.Offset, bindOther)
		p.w(" ")
	}
	p.w(string(b.Kind))
}
