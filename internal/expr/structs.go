package expr

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func rowSizeError() error {
	return errs.TypesMismatch.New("context", "row", "left", "record", "right", "record").WithDetail("unequal number of entries in row expressions")
}

// fieldName is PostgreSQL's name of a field that ROW left without one.
func fieldName(i int) string { return "f" + strconv.Itoa(i+1) }

func addStructs(b *builder) {
	record := func(args []types.T) types.T {
		t := types.T{Kind: types.KindStruct}
		for i, a := range args {
			t.Fields = append(t.Fields, types.Field{Name: fieldName(i), Type: a})
		}
		return t
	}
	b.syntax("row", in(Any).many().outOf(record), fn(func(_ *Ctx, r row) (types.Datum, error) {
		out := make([]types.Datum, r.n())
		for k := range out {
			out[k] = r.datum(k)
		}
		return types.NewStruct(r.ret, out), nil
	}).total(), "row of the values").nulls()
	b.syntax("field", in(AnyStruct, types.Int4).outArg(0), fn(func(_ *Ctx, r row) (types.Datum, error) {
		return types.DecodeStruct(r.typ(0), r.str(0))[r.int(1)], nil
	}).total(), "field at a position, from 0")
}
