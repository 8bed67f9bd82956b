package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// starred is t.* or (struct).* as an argument: the row as one value.
func (c context) starred(e *ast.Star) (expr.Expr, error) {
	names, cols, err := c.starColumns(e)
	if err != nil {
		return nil, err
	}
	return c.b.Funcs.Row(names, cols), nil
}

// starColumns are the columns that a star inside of an expression stands for.
func (c context) starColumns(e *ast.Star) (names []string, cols []expr.Expr, err error) {
	if e.Of != nil {
		x, err := c.expr(e.Of)
		if err != nil {
			return nil, nil, err
		}
		if x.Type().Kind != types.KindStruct {
			return nil, nil, errs.WrongObject.New("what", "type "+types.SQLName(x.Type())+" is not composite").At(int(e.Pos))
		}
		for i, f := range x.Type().Fields {
			names, cols = append(names, f.Name), append(cols, c.b.Funcs.Field(x, i))
		}
		return names, cols, nil
	}
	if len(e.Qualifier) == 0 {
		return nil, nil, errs.StarMisplaced.New().At(int(e.Pos))
	}
	found, err := c.s.star(e)
	for _, f := range found {
		names, cols = append(names, f.name), append(cols, c.b.column(&expr.Col{Index: f.index, T: f.t, Name: f.name}, e.Pos))
	}
	return names, cols, err
}

// row binds ROW(...); a star in it is as many fields as it has columns.
func (c context) row(e *ast.Row) (expr.Expr, error) {
	fields, err := c.rowFields(e)
	if err != nil {
		return nil, err
	}
	if len(fields) == 0 {
		empty := types.StructOf()
		return &expr.Const{Value: types.NewStruct(empty, nil), T: empty}, nil
	}
	x, err := c.b.Funcs.Syntax("row", fields...)
	return x, at(err, e.Pos)
}

func (c context) rowFields(e *ast.Row) (fields []expr.Expr, err error) {
	for _, elem := range e.Elems {
		if star, ok := elem.(*ast.Star); ok {
			_, cols, err := c.starColumns(star)
			if err != nil {
				return nil, err
			}
			fields = append(fields, cols...)
			continue
		}
		x, err := c.expr(elem)
		if err != nil {
			return nil, err
		}
		fields = append(fields, x)
	}
	return fields, nil
}
