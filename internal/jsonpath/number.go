package jsonpath

import (
	"math"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func (e *evaluator) signed(n sign) ([]types.JSON, error) {
	items, err := e.unwrapped(n.x)
	if err != nil {
		return nil, err
	}
	out := make([]types.JSON, len(items))
	for i, v := range items {
		if v.Kind() != types.JSONNumber {
			op := "+"
			if n.minus {
				op = "-"
			}
			return nil, errs.PathNumber.New("problem", "operand of unary jsonpath operator "+op+" is not a numeric value")
		}
		if out[i] = v; n.minus {
			out[i] = types.JSONNumberOf(v.Num().Neg())
		}
	}
	return out, nil
}

func (e *evaluator) arithmetic(n arithmetic) ([]types.JSON, error) {
	l, err := e.operand(n.l, "left", n.op)
	if err != nil {
		return nil, err
	}
	r, err := e.operand(n.r, "right", n.op)
	if err != nil {
		return nil, err
	}
	switch n.op {
	case "+":
		l = l.Add(r)
	case "-":
		l = l.Sub(r)
	case "*":
		l = l.Mul(r)
	case "/":
		l, err = l.Div(r)
	case "%":
		l, err = l.Mod(r)
	}
	if err != nil {
		return nil, err
	}
	return []types.JSON{types.JSONNumberOf(l)}, nil
}

func (e *evaluator) operand(n node, side, op string) (types.Num, error) {
	items, err := e.unwrapped(n)
	if err != nil {
		return types.Num{}, err
	}
	if len(items) != 1 || items[0].Kind() != types.JSONNumber {
		return types.Num{}, errs.PathSingle.New("problem", side+" operand of jsonpath operator "+op+" is not a single numeric value")
	}
	return items[0].Num(), nil
}

// method adds what a method makes of an item.
func (e *evaluator) method(out []types.JSON, name string, v types.JSON) ([]types.JSON, error) {
	switch name {
	case "type":
		return append(out, types.JSONStringOf(v.Kind().String())), nil
	case "size":
		size := 1
		if v.Kind() == types.JSONArray {
			size = v.Len()
		} else if e.strict && !e.lenient {
			return nil, errs.PathArray.New("what", "jsonpath item method .size()")
		}
		return append(out, types.JSONNumberOf(types.NumFromInt(int64(size)))), nil
	case "double":
		return double(out, v)
	}
	if v.Kind() != types.JSONNumber {
		return nil, errs.PathNonNumeric.New("problem", "jsonpath item method ."+name+"() can only be applied to a numeric value")
	}
	n := v.Num()
	switch name {
	case "abs":
		n = n.Abs()
	case "floor":
		n = n.Floor()
	case "ceiling":
		n = n.Ceil()
	}
	return append(out, types.JSONNumberOf(n)), nil
}

// double reads text as a number; a number stays as it is.
func double(out []types.JSON, v types.JSON) ([]types.JSON, error) {
	switch v.Kind() {
	case types.JSONNumber:
		return append(out, v), nil
	case types.JSONString:
		f, err := strconv.ParseFloat(v.Text(), 64)
		if err != nil {
			return nil, errs.PathNonNumeric.New("problem", "string argument of jsonpath item method .double() is not a valid representation of a double precision number")
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, errs.PathNonNumeric.New("problem", "NaN or Infinity is not allowed for jsonpath item method .double()")
		}
		return append(out, types.JSONNumberOf(types.NumFromFloat(f, 64))), nil
	}
	return nil, errs.PathNonNumeric.New("problem", "jsonpath item method .double() can only be applied to a string or numeric value")
}
