package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// collations are the names of the one order that there is: that of the bytes.
var collations = []string{"C", "POSIX", "default", "ucs_basic"}

// collate binds x COLLATE name, which changes nothing for text and is an error for anything else.
func (c context) collate(e *ast.Collate) (expr.Expr, error) {
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	if x.Type().Kind == types.KindUnknown { // it may still become something else than text
		return x, collation(e.Name, types.Text, e.Pos)
	}
	return x, collation(e.Name, x.Type(), e.Pos)
}

// collation checks the name of a collation and that the type has one.
func collation(n ast.Name, t types.T, pos ast.Pos) error {
	if !collatable(t) {
		return errs.NoCollation.New("type", types.BaseName(t)).At(int(pos))
	}
	if !slices.Contains(collations, n.Last()) {
		return errs.UndefinedCollation.New("name", n.Last()).At(int(pos))
	}
	return nil
}

func collatable(t types.T) bool {
	switch t.Kind {
	case types.KindText, types.KindVarchar, types.KindBpchar, types.KindName:
		return true
	case types.KindArray:
		return collatable(*t.Elem)
	}
	return false
}
