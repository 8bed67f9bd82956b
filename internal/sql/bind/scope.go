package bind

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// scope is the columns that names may refer to, and those of the enclosing queries.
type scope struct {
	cols  []scopeCol
	ctes  map[string]cte
	args  *arguments // of a function whose body this scope encloses
	outer *scope

	isDefault bool // of DEFAULT, which reads no column
}

// scopeCol is a column of the input by the names it has.
type scopeCol struct {
	schema, table, name string
	t                   types.T
	index               int
	merged              bool              // by USING: unqualified references mean the merged column, not this one
	starless            bool              // not part of *
	rel                 *catalog.Relation // of a stored relation's column, which is its attr-th
	attr                int
	origin              plan.Origin // what clients are told that the column is of: a view's for one that is read through it
}

// cte is a common table expression; each use binds it anew.
type cte struct {
	query   *ast.Query
	columns []ast.Ident
	scope   *scope // where it was defined
	pos     ast.Pos
	// recursive: the query may refer to itself; self is set for its parts while they are bound.
	recursive bool
	self      *selfReference
}

// findCTE looks for a name of WITH, inner queries first.
func (s *scope) findCTE(name string) (cte, bool) {
	for ; s != nil; s = s.outer {
		if c, ok := s.ctes[name]; ok {
			return c, true
		}
	}
	return cte{}, false
}

// column resolves a reference, here or in an enclosing query.
func (s *scope) column(ref *ast.ColumnRef) (expr.Expr, error) {
	depth := 0
	for sc := s; sc != nil; sc = sc.outer {
		c, err := sc.find(ref)
		if err != nil {
			return nil, err
		}
		if c != nil {
			if depth == 0 {
				return &expr.Col{Index: c.index, T: c.t, Name: c.name}, nil
			}
			return &plan.Outer{Depth: depth, Index: c.index, T: c.t, Name: c.name}, nil
		}
		if x, ok := sc.args.named(ref, depth); ok {
			return x, nil
		}
		if sc.counts() {
			depth++
		}
	}
	return nil, s.undefined(ref)
}

// level is how many blocks enclose what is bound in this scope.
func (s *scope) level() int {
	n := 0
	for ; s != nil; s = s.outer {
		if s.counts() {
			n++
		}
	}
	return n
}

// counts reports whether a scope is a block's, rather than one of WITH.
func (s *scope) counts() bool { return s.cols != nil || s.ctes == nil }

// find looks in this scope only; nil when there is no such column.
func (s *scope) find(ref *ast.ColumnRef) (*scopeCol, error) {
	name := ref.Parts[len(ref.Parts)-1]
	var table, schema string
	if n := len(ref.Parts); n > 1 {
		table = ref.Parts[n-2]
		if n > 2 {
			schema = ref.Parts[n-3]
		}
	}
	if table != "" && schema == "" && s.ambiguous(table) {
		return nil, errs.AmbiguousTable.New("name", table).At(int(ref.Pos))
	}
	var found *scopeCol
	for i := range s.cols {
		c := &s.cols[i]
		if c.name != name || table != "" && c.table != table || schema != "" && c.schema != schema || table == "" && c.merged {
			continue
		}
		if found != nil {
			return nil, errs.AmbiguousColumn.New("name", name).At(int(ref.Pos))
		}
		found = c
	}
	return found, nil
}

// ambiguous reports whether relations of two schemas have the name.
func (s *scope) ambiguous(table string) bool {
	schema := ""
	for _, c := range s.cols {
		if c.table != table || c.schema == "" {
			continue
		}
		if schema != "" && schema != c.schema {
			return true
		}
		schema = c.schema
	}
	return false
}

func (s *scope) undefined(ref *ast.ColumnRef) error {
	n := len(ref.Parts)
	if s.isDefault {
		return errs.ColumnInDefault.New().At(int(ref.Pos))
	}
	if n > 1 {
		table := ref.Parts[n-2]
		for sc := s; sc != nil; sc = sc.outer {
			if slices.ContainsFunc(sc.cols, func(c scopeCol) bool { return c.table == table }) {
				return errs.UndefinedColumn.New("name", table+"."+ref.Parts[n-1]).At(int(ref.Pos)).WithHint("%s", s.suggest(table, ref.Parts[n-1]))
			}
		}
		return s.missing(table, ref.Pos)
	}
	return errs.UndefinedColumn.New("name", "\""+ref.Parts[0]+"\"").At(int(ref.Pos)).WithHint("%s", s.suggest("", ref.Parts[0]))
}

// missing is the error for a table that FROM does not have, or has under an alias.
func (s *scope) missing(table string, pos ast.Pos) error {
	for sc := s; sc != nil; sc = sc.outer {
		for _, c := range sc.cols {
			if c.rel != nil && c.rel.Name == table {
				e := errs.HiddenByAlias.New("name", table).At(int(pos))
				e.Hint = "Perhaps you meant to reference the table alias \"" + c.table + "\"."
				return e
			}
		}
	}
	return errs.MissingFrom.New("name", table).At(int(pos))
}

// star returns the columns of * or t.*.
func (s *scope) star(star *ast.Star) ([]scopeCol, error) {
	table := ""
	if len(star.Qualifier) > 0 {
		table = star.Qualifier[len(star.Qualifier)-1]
	}
	var out []scopeCol
	known := false
	for _, c := range s.cols {
		if table != "" && c.table != table {
			continue
		}
		known = true
		if c.starless || table == "" && c.merged {
			continue
		}
		out = append(out, c)
	}
	if table != "" && !known {
		return nil, s.missing(table, star.Pos)
	}
	return s.except(out, star)
}

// except removes the columns of EXCEPT (...).
func (s *scope) except(cols []scopeCol, star *ast.Star) ([]scopeCol, error) {
	for i, ref := range star.Except {
		if slices.ContainsFunc(star.Except[:i], func(r *ast.ColumnRef) bool { return slices.Equal(r.Parts, ref.Parts) }) {
			return nil, errs.DuplicateExcept.New("name", strings.Join(ref.Parts, ".")).At(int(ref.Pos))
		}
		c, err := s.find(ref)
		if err != nil {
			return nil, err
		}
		if c == nil {
			return nil, s.undefined(ref)
		}
		cols = slices.DeleteFunc(cols, func(x scopeCol) bool { return x.index == c.index })
	}
	return cols, nil
}

// join puts the columns of another scope behind those of this one.
func (s *scope) join(o *scope) *scope {
	out := &scope{cols: slices.Clone(s.cols), outer: s.outer}
	shift := s.width()
	for _, c := range o.cols {
		c.index += shift
		out.cols = append(out.cols, c)
	}
	return out
}

// width is the number of columns of the input.
func (s *scope) width() int {
	w := 0
	for _, c := range s.cols {
		w = max(w, c.index+1)
	}
	return w
}
