package parser

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

func upper(s string) string { return strings.ToUpper(s) }

func (p *parser) createTable(t *ast.CreateTable) ast.Stmt {
	t.IfNotExists = p.ifNotExists()
	t.Name = p.name()
	if p.atSeq("partition", "of") {
		p.unsupported("a partitioned table")
	}
	if p.accept("of") {
		p.unsupported("CREATE TABLE OF")
	}
	p.tableElements(&t.TableBody)
	for p.err == nil {
		switch {
		case p.accept("append", "only"):
			t.AppendOnly = true
		case p.accept("on", "conflict"):
			t.OnConflict = p.conflictKind()
		case p.accept("with", "version", "column"):
			t.VersionColumns = p.identsInParens()
		case p.atSeq("partition", "by"):
			p.unsupported("a partitioned table")
		case p.atSeq("inherits"):
			p.unsupported("INHERITS")
		case p.accept("distributed", "by"):
			t.DistributedBy = p.identsInParens()
		case p.accept("engine", "="):
			t.Engine = p.label()
		case p.accept("validate"):
			if p.accept("secret") {
				t.ValidateSecret = p.name()
			}
			p.expect("as")
			t.Validate = p.expr()
		case p.accept("as"):
			t.Query = p.query()
			t.WithNoData = p.accept("with", "no", "data")
			p.accept("with", "data")
		case !p.bodyClause(&t.TableBody):
			if t.Query == nil && t.Upstream == nil && !t.Wildcard && slices.ContainsFunc(t.Columns, untyped) {
				p.unexpected() // as in PostgreSQL, it could have been CREATE TABLE AS up to here
			}
			return t
		}
	}
	return t
}

// untyped reports whether a column has no type, and no expression that gives it one.
func untyped(c *ast.ColumnDef) bool {
	return c.Type == nil && !slices.ContainsFunc(c.Constraints, func(k ast.Constraint) bool { return k.Kind == ast.Generated })
}

func (p *parser) createSource(s *ast.CreateSource) ast.Stmt {
	s.IfNotExists = p.ifNotExists()
	s.Name = p.name()
	p.tableElements(&s.TableBody)
	for p.err == nil && p.bodyClause(&s.TableBody) {
	}
	return s
}

// conflictKind reads what ON CONFLICT of a table does, in RisingWave's old and new words.
func (p *parser) conflictKind() ast.ConflictKind {
	switch p.phrase("do update full", "do update if not null", "do update", "do nothing", "overwrite", "ignore") {
	case "do update full", "do update", "overwrite":
		return ast.ConflictUpdateFull
	case "do update if not null":
		return ast.ConflictUpdateIfNotNull
	case "do nothing", "ignore":
		return ast.ConflictDoNothing
	}
	p.unexpected()
	return ast.ConflictDefault
}

// bodyClause reads a clause that tables and sources share; false if none is next.
func (p *parser) bodyClause(b *ast.TableBody) bool {
	switch {
	case p.atSeq("with", "("):
		b.Options = append(b.Options, p.withOptions()...)
	case p.at("include"):
		b.Include = append(b.Include, p.include())
	case p.at("format"), p.atSeq("row", "format"):
		b.Format = p.format()
	case p.at("from") && b.Upstream == nil:
		b.Upstream = &ast.UpstreamTable{Pos: p.advance().pos, Source: p.name()}
		p.expect("table")
		b.Upstream.Table = p.str()
	default:
		return false
	}
	return true
}

// include reads INCLUDE kind ['field'] [type] [AS alias].
func (p *parser) include() ast.Include {
	in := ast.Include{Pos: p.advance().pos, Kind: p.label()}
	if p.tok.kind == tString {
		in.Field = p.advance().text
	}
	if p.tok.typeFunc() && !p.at("include") && !p.at("format") || typeKeyword(p.tok) {
		in.Type = p.typeName()
	}
	if p.accept("as") {
		in.Alias = p.label()
	}
	return in
}

// tableElements reads ( columns, constraints, watermarks ) if it is next. RisingWave allows none, and a comma at the end.
func (p *parser) tableElements(b *ast.TableBody) {
	if !p.accept("(") {
		return
	}
	for p.err == nil && !p.accept(")") {
		p.tableElement(b)
		if !p.accept(",") && !p.at(")") {
			p.unexpected()
		}
	}
}

func (p *parser) tableElement(b *ast.TableBody) {
	switch {
	case p.accept("*"):
		b.Wildcard = true
	case p.atSeq("watermark", "for"):
		b.Watermarks = append(b.Watermarks, p.watermark())
	case p.at("like"):
		p.unsupported("CREATE TABLE LIKE")
	case p.at("constraint"), p.at("primary"), p.at("unique"), p.at("check"), p.at("foreign"):
		b.Constraints = append(b.Constraints, p.tableConstraint())
	default:
		b.Columns = append(b.Columns, p.columnDef())
	}
}

// watermark reads WATERMARK FOR column AS expr [WITH TTL].
func (p *parser) watermark() ast.Watermark {
	w := ast.Watermark{Pos: p.advance().pos}
	p.expect("for")
	w.Column = p.ident()
	p.expect("as")
	w.Expr = p.expr()
	w.WithTTL = p.accept("with", "ttl")
	return w
}

func (p *parser) columnDef() *ast.ColumnDef {
	c := &ast.ColumnDef{Pos: p.pos(), Name: p.colID()}
	if (p.tok.typeFunc() || typeKeyword(p.tok) || p.at("setof")) && !p.at("generated") {
		c.Type = p.typeName()
	}
	for p.err == nil {
		if p.accept("collate") {
			c.Collation = p.name()
			continue
		}
		k, ok := p.columnConstraint()
		if !ok {
			break
		}
		c.Constraints = append(c.Constraints, k)
	}
	return c
}

// columnConstraint reads one constraint of a column; false if none is next.
func (p *parser) columnConstraint() (k ast.Constraint, ok bool) {
	k.Pos = p.pos()
	if p.accept("constraint") {
		k.Name = p.colID()
	}
	switch {
	case p.at("not") && !p.peek(1).is("deferrable"):
		p.expect("not", "null")
		k.Kind = ast.NotNull
	case p.accept("null"):
		k.Kind = ast.Nullable
	case p.accept("default"):
		k.Kind, k.Expr = ast.Default, p.simpleExpr()
	case p.accept("primary"):
		p.expect("key")
		k.Kind = ast.PrimaryKey
	case p.accept("unique"):
		k.Kind = ast.Unique
	case p.accept("check"):
		p.expect("(")
		k.Kind, k.Expr = ast.Check, p.expr()
		p.expect(")")
	case p.at("references"):
		k.Kind = ast.ForeignKey
		p.references(&k)
	case p.accept("generated"):
		p.generated(&k)
	case p.accept("as"):
		k.Kind, k.Expr = ast.Generated, p.expr()
	default:
		if k.Name != "" {
			p.unexpected()
		}
		return k, false
	}
	p.deferrable()
	return k, true
}

// deferrable skips the words on when a constraint is checked: always at once.
func (p *parser) deferrable() {
	for p.phrase("not deferrable", "deferrable", "initially deferred", "initially immediate", "not valid") != "" {
	}
}

// generated reads ALWAYS AS (e) STORED, or ALWAYS | BY DEFAULT AS IDENTITY [(options)].
func (p *parser) generated(k *ast.Constraint) {
	if p.accept("by", "default") {
		k.ByDefault = true
	} else {
		p.expect("always")
	}
	p.expect("as")
	if p.accept("identity") {
		k.Kind = ast.Identity
		if p.at("(") {
			p.unsupported("options of an identity column")
		}
		return
	}
	if k.ByDefault {
		p.unexpected()
	}
	p.expect("(")
	k.Kind, k.Expr, k.Stored = ast.Generated, p.expr(), true
	p.expect(")")
	p.expect("stored")
}

func (p *parser) references(k *ast.Constraint) {
	p.expect("references")
	k.References = p.name()
	if p.at("(") {
		k.RefColumns = p.identsInParens()
	}
	if p.accept("match") && p.acceptAny("full", "simple", "partial") == "" {
		p.unexpected()
	}
	for p.at("on") && (p.peek(1).is("delete") || p.peek(1).is("update")) {
		p.advance()
		word := p.advance().text
		action := upper(p.phrase("no action", "restrict", "cascade", "set null", "set default"))
		if action == "" {
			p.unexpected()
		}
		if word == "delete" {
			k.OnDelete = action
		} else {
			k.OnUpdate = action
		}
	}
}

func (p *parser) tableConstraint() (k ast.Constraint) {
	k.Pos = p.pos()
	if p.accept("constraint") {
		k.Name = p.colID()
	}
	switch {
	case p.accept("primary"):
		p.expect("key")
		k.Kind, k.Columns = ast.PrimaryKey, p.identsInParens()
	case p.accept("unique"):
		k.Kind, k.Columns = ast.Unique, p.identsInParens()
	case p.accept("check"):
		p.expect("(")
		k.Kind, k.Expr = ast.Check, p.expr()
		p.expect(")")
	case p.accept("foreign"):
		p.expect("key")
		k.Kind, k.Columns = ast.ForeignKey, p.identsInParens()
		p.references(&k)
	default:
		p.unexpected()
	}
	p.deferrable()
	return k
}
