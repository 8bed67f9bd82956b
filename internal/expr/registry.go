package expr

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Registry has the functions, operators and casts. It is made once by NewRegistry and never changes.
type Registry struct {
	funcs  []*Func
	names  map[string]*overloads // functions
	ops    map[string]*overloads // operators
	spread map[string]*overloads // functions of many arguments, given as an array
	syntax map[string]*Func
	byID   map[string]*Func
	sets   []*SetFunc
	setBy  map[string][]*SetFunc

	cast, assign *Func
	patterns     *patternCache
	paths        *pathCache
}

// overloads are the functions of one name, with their signatures in the same order.
type overloads struct {
	funcs []*Func
	sigs  []Signature
}

// NewRegistry builds the registry of all built-in functions.
func NewRegistry() *Registry {
	r := &Registry{
		names: map[string]*overloads{}, ops: map[string]*overloads{}, spread: map[string]*overloads{}, syntax: map[string]*Func{},
		byID: map[string]*Func{}, setBy: map[string][]*SetFunc{}, patterns: &patternCache{}, paths: &pathCache{},
	}
	for _, f := range families {
		f.add(&builder{r: r, family: f.name, patterns: r.patterns, paths: r.paths})
	}
	r.addSpreads()
	r.cast, r.assign = r.syntax["cast"], r.syntax["cast_assign"]
	r.addSets()
	return r
}

// families are the groups of functions, in the order of the reference.
var families = []struct {
	name string
	add  func(*builder)
}{
	{"Casts", addCasts},
	{"Boolean", addBoolean},
	{"Comparison", addComparison},
	{"Arithmetic", addArithmetic},
	{"Integers of 256 bits", addInt256},
	{"Mathematics", addMath},
	{"Trigonometry", addTrig},
	{"Bits", addBits},
	{"Strings", addStrings},
	{"Formatting", addFormat},
	{"Pattern matching", addLike},
	{"Regular expressions", addRegexp},
	{"Binary strings and digests", addBinary},
	{"Dates and times", addDatetime},
	{"Fields of dates and times", addExtract},
	{"Date and time templates", addTemplates},
	{"Arrays", addArrays},
	{"Array aggregates", addArrayFold},
	{"Structs", addStructs},
	{"Maps", addMaps},
	{"JSON", addJSON},
	{"JSON construction", addJSONBuild},
	{"JSON editing", addJSONEdit},
	{"UUID and random", addRandom},
	{"Session and system", addSystem},
	{"Catalog", addCatalog},
}

// Funcs lists everything, for the reference and pg_proc.
func (r *Registry) Funcs() []*Func { return slices.Clone(r.funcs) }

// ID names the overload for storage; ByID finds it again.
func (f *Func) ID() string { return f.Signature.String() }

// ByID finds the overload that a stored plan names.
func (r *Registry) ByID(id string) (*Func, error) {
	if f, ok := r.byID[id]; ok {
		return f, nil
	}
	return nil, errs.UnknownExpression.New("id", id)
}

// Has reports whether a function of the name exists, for telling a misspelt name from wrong arguments.
func (r *Registry) Has(name string) bool { return r.names[name] != nil }

// Resolve finds the function for arguments of the given types, and the types that they are to be coerced to.
func (r *Registry) Resolve(name string, args []types.T) (*Func, []types.T, error) {
	return resolveIn(r.names[name], name, args, false)
}

// ResolveOperator is Resolve for an operator, with one argument for a prefix operator.
func (r *Registry) ResolveOperator(name string, args []types.T) (*Func, []types.T, error) {
	if name == "!=" {
		name = "<>"
	}
	return resolveIn(r.ops[name], name, args, true)
}

func resolveIn(o *overloads, name string, args []types.T, operator bool) (*Func, []types.T, error) {
	if o == nil {
		return nil, nil, noMatch(name, args, operator, false)
	}
	i, coerced, several, ok := Pick(o.sigs, args, operator)
	if !ok {
		return nil, nil, noMatch(name, args, operator, several)
	}
	if indeterminate(o.sigs[i], args) {
		return nil, nil, errs.IndeterminatePolymorphic.New()
	}
	return o.funcs[i], coerced, nil
}

// Call resolves a function, coerces the arguments and returns the call.
func (r *Registry) Call(name string, args ...Expr) (Expr, error) {
	f, to, err := r.Resolve(name, Types(args))
	if err != nil {
		return nil, err
	}
	return r.Apply(f, to, args)
}

// Operator is Call for an operator.
func (r *Registry) Operator(name string, args ...Expr) (Expr, error) {
	f, to, err := r.ResolveOperator(name, Types(args))
	if err != nil {
		return nil, err
	}
	return r.Apply(f, to, args)
}

// Syntax makes the call of a function that has its own syntax: "array" (elements of one type), "row", "is null",
// "is not null", "is true", "is false", "is unknown" and their "is not" forms, "not", "is distinct from", "is not
// distinct from", "subscript" (array, index), "slice" (array, low, high; NULL bounds are open). The arguments have been
// coerced.
func (r *Registry) Syntax(name string, args ...Expr) (Expr, error) {
	f, ok := r.syntax[name]
	if !ok {
		return nil, errs.UnknownExpression.New("id", name)
	}
	if !f.accepts(len(args)) {
		return nil, noMatch(name, Types(args), false, false)
	}
	to, ok := f.bindPolymorphic(Types(args))
	if !ok {
		return nil, noMatch(name, Types(args), false, false)
	}
	if i, ok := fieldIndex(name, args); ok {
		return r.Field(args[0], i), nil
	}
	return r.Apply(f, to, args)
}

// fieldIndex is the position that a "field" asks for; the result's type depends on it.
func fieldIndex(name string, args []Expr) (int, bool) {
	if name != "field" {
		return 0, false
	}
	c, ok := args[1].(*Const)
	if !ok {
		return 0, false
	}
	return int(c.Value.Int()), true
}

// Apply coerces the arguments to the types that Resolve gave and returns the call.
func (r *Registry) Apply(f *Func, to []types.T, args []Expr) (Expr, error) {
	out := make([]Expr, len(args))
	for i, a := range args {
		c, err := r.coerceArg(a, to[i])
		if err != nil {
			return nil, err
		}
		out[i] = c
	}
	return &Call{Fn: f, Args: out, T: f.Ret(Types(out))}, nil
}

// coerceArg casts where the type differs in more than its modifiers.
func (r *Registry) coerceArg(e Expr, to types.T) (Expr, error) {
	if e.Type().SameKind(to) {
		return e, nil
	}
	return r.Cast(e, withoutMods(to), CastImplicit)
}

// Types returns the types of the expressions.
func Types(es []Expr) []types.T {
	ts := make([]types.T, len(es))
	for i, e := range es {
		ts[i] = e.Type()
	}
	return ts
}

// builder adds the functions of one family while the registry is made.
type builder struct {
	r        *Registry
	family   string
	patterns *patternCache
	paths    *pathCache
}

// in starts a declaration: in(types.Int8).out(types.Text).
func in(args ...types.T) decl { return decl{args: args} }

type decl struct {
	args     []types.T
	ret      func([]types.T) types.T
	variadic bool
}

func (d decl) out(t types.T) decl {
	d.ret = func([]types.T) types.T { return t }
	return d
}

// outOf computes the result type from those of the arguments.
func (d decl) outOf(f func([]types.T) types.T) decl { d.ret = f; return d }

// outArg gives the result the type of argument i.
func (d decl) outArg(i int) decl {
	return d.outOf(func(args []types.T) types.T { return withoutMods(args[i]) })
}

// many lets the last argument be repeated.
func (d decl) many() decl { d.variadic = true; return d }

// fn, op and syntax add a strict immutable function, operator or special syntax; the result can be adjusted.
func (b *builder) fn(name string, d decl, m impl, doc string) *Func {
	return b.add(b.r.names, name, KindFunction, d, m, doc)
}

func (b *builder) op(name string, d decl, m impl, doc string) *Func {
	return b.add(b.r.ops, name, KindOperator, d, m, doc)
}

func (b *builder) syntax(name string, d decl, m impl, doc string) *Func {
	f := b.add(nil, name, KindSyntax, d, m, doc)
	b.r.syntax[name] = f
	return f
}

func (b *builder) add(to map[string]*overloads, name string, kind FuncKind, d decl, m impl, doc string) *Func {
	f := &Func{
		Signature: Signature{Name: name, Args: d.args, Variadic: d.variadic},
		Kind:      kind, Strict: true, Fails: m.fails, Family: b.family, Doc: doc, Ret: d.ret, Eval: m.eval, flags: m.flags,
	}
	b.r.funcs = append(b.r.funcs, f)
	b.r.byID[f.ID()] = f
	if to == nil {
		return f
	}
	if to[name] == nil {
		to[name] = &overloads{}
	}
	to[name].funcs = append(to[name].funcs, f)
	to[name].sigs = append(to[name].sigs, f.Signature)
	return f
}

// alias gives the functions added so far under a name a second one.
func (b *builder) alias(name, of string) {
	for _, f := range b.r.names[of].funcs {
		g := *f
		g.Name, g.Doc = name, "same as "+of
		b.r.funcs = append(b.r.funcs, &g)
		b.r.byID[g.ID()] = &g
		if b.r.names[name] == nil {
			b.r.names[name] = &overloads{}
		}
		b.r.names[name].funcs = append(b.r.names[name].funcs, &g)
		b.r.names[name].sigs = append(b.r.names[name].sigs, g.Signature)
	}
}

// nulls lets NULL arguments reach the function.
func (f *Func) nulls() *Func { f.Strict = false; return f }

func (f *Func) stable() *Func { f.Volatile = Stable; return f }

func (f *Func) momentary() *Func { f.Volatile = Momentary; return f }

func (f *Func) volatile() *Func { f.Volatile = Volatile; return f }

// addSets adds the set-returning functions.
func (r *Registry) addSets() {
	r.addSeries()
	r.addUnnest()
	r.addTextSets()
	r.addJSONSets()
}

// Distinct makes left IS [NOT] DISTINCT FROM right.
func (r *Registry) Distinct(not bool, left, right Expr) (Expr, error) {
	common, ok := commonType([]types.T{left.Type(), right.Type()})
	if !ok {
		return nil, noMatch("=", []types.T{left.Type(), right.Type()}, true, false)
	}
	l, err := r.coerceArg(left, common)
	if err != nil {
		return nil, err
	}
	rt, err := r.coerceArg(right, common)
	if err != nil {
		return nil, err
	}
	name := "is distinct from"
	if not {
		name = "is not distinct from"
	}
	return &Call{Fn: r.syntax[name], Args: []Expr{l, rt}, T: types.Bool}, nil
}

// Row makes ROW(...) with the fields' names; those left empty are f1, f2 and so on.
func (r *Registry) Row(names []string, fields []Expr) Expr {
	t := types.T{Kind: types.KindStruct}
	for i, e := range fields {
		f := types.Field{Name: fieldName(i), Type: e.Type()}
		if i < len(names) && names[i] != "" {
			f.Name = names[i]
		}
		t.Fields = append(t.Fields, f)
	}
	return &Call{Fn: r.syntax["row"], Args: fields, T: t}
}

// Field makes (e).field for the struct's field at the position.
func (r *Registry) Field(e Expr, i int) Expr {
	index := &Const{Value: types.NewInt(int64(i)), T: types.Int4}
	return &Call{Fn: r.syntax["field"], Args: []Expr{e, index}, T: e.Type().Fields[i].Type}
}
