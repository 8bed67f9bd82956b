package bind

import (
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// number gives a constant the smallest of integer, bigint and numeric that holds it.
func number(e *ast.NumberLit) (expr.Expr, error) {
	text := strings.ReplaceAll(e.Text, "_", "")
	base := 0 // 0x, 0o and 0b tell the base
	if leadingZero(text) {
		base = 10
	}
	if n, err := strconv.ParseInt(text, base, 64); err == nil {
		if n == int64(int32(n)) {
			return &expr.Const{Value: types.NewInt(n), T: types.Int4}, nil
		}
		return &expr.Const{Value: types.NewInt(n), T: types.Int8}, nil
	}
	d, err := types.Parse(types.Numeric, text, types.Ctx{})
	if err != nil {
		return nil, at(err, e.Pos)
	}
	return &expr.Const{Value: d, T: types.Numeric}, nil
}

func leadingZero(s string) bool {
	return len(s) > 1 && s[0] == '0' && strings.Trim(s, "0123456789") == ""
}

func (c context) param(e *ast.Param) (expr.Expr, error) {
	if args, depth := c.s.arguments(); args != nil {
		return args.numbered(e, depth)
	}
	for len(c.b.Params) < e.Number {
		c.b.Params = append(c.b.Params, types.Unknown)
	}
	return &expr.Param{N: e.Number, T: c.b.Params[e.Number-1]}, nil
}

func (c context) keyword(e *ast.ValueKeyword) (expr.Expr, error) {
	name := map[string]string{"current_timestamp": "now", "localtimestamp": "localtimestamp", "user": "current_user",
		"current_role": "current_user", "current_catalog": "current_database"}[e.Name]
	if name == "" {
		name = e.Name
	}
	x, err := c.b.Funcs.Call(name)
	return x, at(err, e.Pos)
}

func (c context) array(e *ast.Array) (expr.Expr, error) {
	args, err := c.list(e.Elems)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, errs.EmptyArray.New().At(int(e.Pos))
	}
	if _, err := c.unify("ARRAY", args, positionsOf(e.Elems)...); err != nil {
		return nil, err
	}
	x, err := c.b.Funcs.Syntax("array", args...)
	return x, at(err, e.Pos)
}

func (c context) slice(e *ast.Slice) (expr.Expr, error) {
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	low, high, err := c.bounds(e)
	if err != nil {
		return nil, err
	}
	x, err = c.b.Funcs.Syntax("slice", x, low, high)
	return x, at(err, e.Pos)
}

// bounds binds the subscripts of a slice, NULL for one that is not written.
func (c context) bounds(e *ast.Slice) (low, high expr.Expr, err error) {
	low, high = expr.Null(types.Int4), expr.Null(types.Int4)
	if e.Low != nil {
		if low, err = c.position(e.Low); err != nil {
			return nil, nil, err
		}
	}
	if e.High != nil {
		high, err = c.position(e.High)
	}
	return low, high, err
}

func (c context) field(e *ast.Field) (expr.Expr, error) {
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	return c.fieldOf(x, e.Name, e.Pos)
}

func (c context) fieldOf(x expr.Expr, name string, pos ast.Pos) (expr.Expr, error) {
	for i, f := range x.Type().Fields {
		if f.Name == name {
			out, err := c.b.Funcs.Syntax("field", x, &expr.Const{Value: types.NewInt(int64(i)), T: types.Int4})
			return out, at(err, pos)
		}
	}
	return nil, errs.UndefinedColumn.New("name", "\""+name+"\"").At(int(pos))
}

// Constant binds an expression that reads no column.
func (b *Binder) Constant(e ast.Expr) (expr.Expr, error) { return b.expr(e, &scope{}) }
