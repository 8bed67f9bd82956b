package parser

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// call reads the arguments of a function whose name was read, and what may follow them.
func (p *parser) call(name ast.Name) ast.Expr {
	c := &ast.FuncCall{Pos: name.Pos, Name: name}
	p.callArgs(c)
	return p.callTail(c)
}

func (p *parser) callArgs(c *ast.FuncCall) {
	p.expect("(")
	switch {
	case p.accept(")"):
		return
	case p.at("*") && p.peek(1).is(")"):
		p.advance()
		c.Star = true
	default:
		c.Distinct = p.accept("distinct")
		if !c.Distinct {
			p.accept("all")
		}
		c.Args = list(p, p.arg)
		c.Nulls = p.nullTreatment()
		c.OrderBy = p.orderBy()
	}
	p.expect(")")
}

// arg reads an argument: value, name => value, or VARIADIC value.
func (p *parser) arg() ast.Arg {
	a := ast.Arg{Pos: p.pos(), Variadic: p.accept("variadic")}
	if next := p.peek(1); (p.tok.colID() || p.tok.typeFunc()) && (next.is("=>") || next.is(":=")) {
		a.Name = p.advance().text
		p.advance()
	}
	if p.at("*") { // row_to_json(*) of RisingWave's jsonb_agg(*): a star is an argument like another
		a.Value = &ast.Star{Pos: p.advance().pos, Except: p.exceptList()}
		return a
	}
	if next := p.peek(1); p.at("secret") && next.colID() && (p.peek(2).is(",") || p.peek(2).is(")") || p.peek(2).is(".")) {
		a.Value = &ast.SecretRef{Pos: p.advance().pos, Name: p.name()}
		return a
	}
	a.Value = p.expr()
	return a
}

// callTail reads WITHIN GROUP, FILTER, IGNORE NULLS and OVER.
func (p *parser) callTail(c *ast.FuncCall) *ast.FuncCall {
	if p.atSeq("within", "group") {
		p.advance()
		p.advance()
		p.expect("(")
		c.WithinGroup = p.orderBy()
		if c.WithinGroup == nil {
			p.unexpected()
		}
		p.expect(")")
	}
	if p.atSeq("filter", "(") {
		p.advance()
		p.expect("(", "where")
		c.Filter = p.expr()
		p.expect(")")
	}
	if nulls := p.nullTreatment(); nulls != ast.NullsUnspecified {
		c.Nulls = nulls
	}
	if p.at("over") && (p.peek(1).is("(") || p.peek(1).colID()) {
		pos := p.advance().pos
		if p.at("(") {
			c.Over = p.windowDef()
		} else {
			c.Over = &ast.WindowDef{Ref: p.colID(), Bare: true}
		}
		c.Over.Pos = pos
	}
	return c
}

func (p *parser) nullTreatment() ast.NullTreatment {
	switch {
	case p.accept("ignore", "nulls"):
		return ast.IgnoreNulls
	case p.accept("respect", "nulls"):
		return ast.RespectNulls
	}
	return ast.NullsUnspecified
}

// windowDef reads ( [name] [PARTITION BY ...] [ORDER BY ...] [frame] ).
func (p *parser) windowDef() *ast.WindowDef {
	w := &ast.WindowDef{Pos: p.pos()}
	p.expect("(")
	if p.tok.colID() && !p.atSeq("partition", "by") && !p.atFrame() {
		w.Ref = p.colID()
	}
	if p.accept("partition", "by") {
		w.PartitionBy = p.exprs()
	}
	w.OrderBy = p.orderBy()
	if p.atFrame() {
		w.Frame = p.frame()
	}
	p.expect(")")
	return w
}

func (p *parser) atFrame() bool {
	switch p.tok.text {
	case "rows", "range", "groups":
		return p.tok.kind == tWord && !p.peek(1).is(")")
	case "session":
		return p.atSeq("session", "with", "gap")
	}
	return false
}

func (p *parser) frame() *ast.Frame {
	f := &ast.Frame{Pos: p.pos()}
	switch p.advance().text {
	case "rows":
		f.Unit = ast.FrameRows
	case "range":
		f.Unit = ast.FrameRange
	case "groups":
		f.Unit = ast.FrameGroups
	default:
		f.Unit = ast.FrameSession
		p.expect("with", "gap")
		f.Gap = p.expr()
		return f
	}
	if p.accept("between") {
		f.Start = p.frameBound()
		p.expect("and")
		end := p.frameBound()
		f.End = &end
	} else {
		f.Start = p.frameBound()
	}
	if p.accept("exclude") {
		switch {
		case p.accept("current", "row"):
			f.Exclude = "CURRENT ROW"
		case p.accept("group"):
			f.Exclude = "GROUP"
		case p.accept("ties"):
			f.Exclude = "TIES"
		default:
			p.expect("no", "others")
			f.Exclude = "NO OTHERS"
		}
	}
	p.checkFrame(f)
	return f
}

func (p *parser) frameBound() ast.FrameBound {
	b := ast.FrameBound{Pos: p.pos()}
	switch {
	case p.accept("unbounded", "preceding"):
		b.Kind = ast.UnboundedPreceding
	case p.accept("unbounded", "following"):
		b.Kind = ast.UnboundedFollowing
	case p.accept("current", "row"):
		b.Kind = ast.CurrentRow
	default:
		b.Offset = p.expr()
		b.Kind = ast.Preceding
		if !p.accept("preceding") {
			p.expect("following")
			b.Kind = ast.Following
		}
	}
	return b
}

// checkFrame refuses the frames that PostgreSQL's grammar refuses.
func (p *parser) checkFrame(f *ast.Frame) {
	problem, pos := "", f.Start.Pos
	switch start := f.Start.Kind; {
	case start == ast.UnboundedFollowing:
		problem = "frame start cannot be UNBOUNDED FOLLOWING"
	case f.End == nil && start == ast.Following:
		problem = "frame starting from following row cannot end with current row"
	case f.End == nil:
	case f.End.Kind == ast.UnboundedPreceding:
		problem, pos = "frame end cannot be UNBOUNDED PRECEDING", f.End.Pos
	case start == ast.CurrentRow && f.End.Kind == ast.Preceding:
		problem, pos = "frame starting from current row cannot have preceding rows", f.End.Pos
	case start == ast.Following && (f.End.Kind == ast.Preceding || f.End.Kind == ast.CurrentRow):
		problem, pos = "frame starting from following row cannot have preceding rows", f.End.Pos
	}
	if problem != "" {
		p.fail(errs.WindowFrame.New("problem", problem).At(int(pos)))
	}
}
