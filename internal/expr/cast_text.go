package expr

import (
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// textToText: char(n) loses its blanks on the way to other strings, names are cut, "char" is one byte.
func textToText(from, to types.T) convert {
	switch {
	case to.Kind == types.KindName:
		return func(_ *Ctx, d types.Datum) (types.Datum, error) {
			return types.NewBytes(types.CutName(strings.TrimRight(d.Bytes(), " "))), nil
		}
	case to.Kind == types.KindChar:
		return func(_ *Ctx, d types.Datum) (types.Datum, error) {
			return types.NewBytes(d.Bytes()[:min(len(d.Bytes()), 1)]), nil
		}
	case from.Kind == types.KindBpchar:
		return func(_ *Ctx, d types.Datum) (types.Datum, error) {
			return types.NewBytes(strings.TrimRight(d.Bytes(), " ")), nil
		}
	}
	return nil
}

func boolToText(_ *Ctx, d types.Datum) (types.Datum, error) {
	return types.NewBytes(strconv.FormatBool(d.Bool())), nil
}

// toText prints a value.
func toText(from types.T) convert {
	if isReg(from) && from.Kind != types.KindOid {
		return regToText(from)
	}
	return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
		return types.NewBytes(types.Format(from, d, ctx.Ctx)), nil
	}
}

// textTo reads a value.
func textTo(to types.T) convert {
	if isReg(to) && to.Kind != types.KindOid {
		return textToReg(to)
	}
	plain := withoutMods(to)
	if to.Kind == types.KindInterval {
		plain.Width = to.Width // a number without a unit counts the last of the fields
	}
	return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
		c := ctx.Ctx
		if !ctx.Now.IsZero() {
			c.Now = ctx.Now
		}
		return types.Parse(plain, d.Bytes(), c)
	}
}

// regToText asks the catalog for an object's name.
func regToText(from types.T) convert {
	return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
		if from.Kind == types.KindRegtype {
			if t, ok := types.FromOID(uint32(d.Int())); ok {
				return types.NewBytes(types.SQLName(t)), nil
			}
		}
		if ctx.Session.Catalog == nil {
			return types.NewBytes(types.Format(types.Oid, d, ctx.Ctx)), nil
		}
		return ctx.Session.Catalog(types.TypeName(from)+"out", types.Row{d})
	}
}

// textToReg reads an OID, or asks the catalog for that of a name.
func textToReg(to types.T) convert {
	return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
		if oid, err := types.Parse(types.Oid, d.Bytes(), ctx.Ctx); err == nil {
			return oid, nil
		}
		if to.Kind == types.KindRegtype {
			t, err := types.Lookup(strings.ToLower(strings.TrimSpace(d.Bytes())))
			if err != nil {
				return types.Null, err
			}
			return types.NewInt(int64(types.OID(t))), nil
		}
		if ctx.Session.Catalog == nil {
			return types.Null, errs.CatalogFunction.New("name", types.TypeName(to))
		}
		return ctx.Session.Catalog(types.TypeName(to)+"in", types.Row{d})
	}
}
