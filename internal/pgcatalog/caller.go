package pgcatalog

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Caller answers the functions over the catalog for one statement. It is not for concurrent use.
type Caller struct {
	set    *Set
	info   Info
	found  *lookup // made by the first call
	answer map[string]answer
}

// answer computes a function. Arguments are not NULL but where the function says so; nil is NULL.
type answer func(l *lookup, args types.Row) (any, error)

// Caller makes a caller; its Call method is expr.Session.Catalog.
func (s *Set) Caller(info Info) *Caller {
	return &Caller{set: s, info: info, answer: answers}
}

// Call answers one function by its name and the values of its arguments, whose number tells the overloads apart. The names
// are those of expr's catalog functions, and regclassin, regclassout and so on for the casts from and to text.
func (c *Caller) Call(fn string, args types.Row) (types.Datum, error) {
	f, ok := c.answer[fn]
	if !ok {
		return types.Null, errs.CatalogFunction.New("name", fn)
	}
	if c.found == nil {
		c.found = newLookup(c.set, c.info)
	}
	v, err := f(c.found, args)
	if err != nil {
		return types.Null, err
	}
	return returned(v), nil
}

// Answers tells whether the catalog answers the function.
func Answers(fn string) bool { return answers[fn] != nil }

// returned makes the value of a result, whose Go type is that of the declared one.
func returned(v any) types.Datum {
	switch v := v.(type) {
	case bool:
		return types.NewBool(v)
	case int:
		return types.NewInt(int64(v))
	case int64:
		return types.NewInt(v)
	case string:
		return types.NewBytes(v)
	case types.Datum:
		return v
	}
	return types.Null
}

// answers has the functions of all families by name. It is not changed after it is made.
var answers = func() map[string]answer {
	out := map[string]answer{}
	for _, family := range []map[string]answer{registered, definitions, visibility, privileges, sizes, comments, server} {
		for name, f := range family {
			out[name] = f
		}
	}
	return out
}()
