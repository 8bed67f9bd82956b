package expr

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// arrayConversion converts the elements.
func arrayConversion(from, to types.T, explicit bool) convert {
	conv := conversion(from, to, explicit)
	if conv == nil {
		return nil
	}
	return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
		values := types.DecodeArray(from, d.Bytes())
		for i, v := range values {
			if v.IsNull() {
				continue
			}
			c, err := conv(ctx, v)
			if err != nil {
				return types.Null, err
			}
			values[i] = c
		}
		return types.NewArrayFrom(to, types.ArrayLower(d.Bytes()), values), nil
	}
}

// structConversion converts the fields by position.
func structConversion(from, to types.T, explicit bool) convert {
	fields := make([]convert, len(to.Fields))
	for i, f := range to.Fields {
		fields[i] = conversion(from.Fields[i].Type, f.Type, explicit)
	}
	return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
		values := types.DecodeStruct(from, d.Bytes())
		for i, conv := range fields {
			if conv == nil || values[i].IsNull() {
				continue
			}
			v, err := conv(ctx, values[i])
			if err != nil {
				return types.Null, err
			}
			values[i] = v
		}
		return types.NewStruct(to, values), nil
	}
}

// jsonConversion takes a scalar out of jsonb.
func jsonConversion(to types.T) convert {
	return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
		j := d.JSON()
		switch {
		case to.Kind == types.KindBool && j.Kind() == types.JSONBool:
			return types.NewBool(j.Bool()), nil
		case to.Kind == types.KindNumeric && j.Kind() == types.JSONNumber:
			return types.NewNumeric(j.Num()), nil
		case categoryOf(to) == catNumber && j.Kind() == types.JSONNumber:
			return numericTo(to)(ctx, types.NewNumeric(j.Num()))
		}
		return types.Null, errs.JSONType.New("problem", "cannot cast jsonb "+j.Kind().String()+" to type "+typeName(to))
	}
}
