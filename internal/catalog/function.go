package catalog

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Function is a function in SQL that a user made. Its body is bound in place of each call.
type Function struct {
	ID         id.Relation
	Schema     string
	Name       string
	Owner      string
	Params     []Param
	Returns    types.T
	Body       string // a query, or the expression after RETURN
	Expression bool   // Body is an expression
	Strict     bool   // NULL for NULL arguments
	Definition string
	Grants     Grants
}

// Param is a parameter of a function.
type Param struct {
	Name    string // empty: only its number names it
	Type    types.T
	Default string // SQL text, empty when none
}

// Signature is the name and the types of the parameters.
func (f *Function) Signature() string {
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		names[i] = types.SQLName(p.Type)
	}
	return f.Name + "(" + strings.Join(names, ", ") + ")"
}

// TakesTypes reports whether a function has just these parameter types.
func (f *Function) TakesTypes(ts []types.T) bool {
	return slices.EqualFunc(f.Params, ts, func(p Param, t types.T) bool { return p.Type.SameKind(t) })
}

// Functions returns all functions by number.
func (s *Snapshot) Functions() []*Function {
	var out []*Function
	for _, list := range s.functions {
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b *Function) int { return int(a.ID) - int(b.ID) })
	return out
}

// FunctionsNamed returns the overloads of a name.
func (s *Snapshot) FunctionsNamed(schema, name string) []*Function {
	return s.functions[nameKey(schema, name)]
}

// PutFunction adds or replaces a function; only for a snapshot that is being edited.
func (s *Snapshot) PutFunction(f *Function) {
	s.DropFunction(f.ID)
	key := nameKey(f.Schema, f.Name)
	s.functions[key] = append(slices.Clone(s.functions[key]), f)
}

// DropFunction removes a function; only for a snapshot that is being edited.
func (s *Snapshot) DropFunction(f id.Relation) {
	for key, list := range s.functions {
		rest := slices.DeleteFunc(slices.Clone(list), func(x *Function) bool { return x.ID == f })
		if len(rest) == 0 {
			delete(s.functions, key)
		} else {
			s.functions[key] = rest
		}
	}
}
