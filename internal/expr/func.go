package expr

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Volatility says what a function's result depends on beside its arguments.
type Volatility uint8

const (
	Immutable Volatility = iota // nothing
	Stable                      // the settings of Ctx that a view keeps from its creation (TimeZone)
	Momentary                   // the clock, the session or the catalog: the same within one statement (now, current_user)
	Volatile                    // every call may differ (random)
)

func (v Volatility) String() string {
	return [...]string{"immutable", "stable", "stable", "volatile"}[v]
}

// FuncKind says how a function is written in SQL.
type FuncKind uint8

const (
	KindFunction FuncKind = iota // name(args)
	KindOperator                 // a name b, or name a
	KindCast                     // a::t
	KindSyntax                   // has a syntax of its own: ARRAY[...], ROW(...), a[i], IS NULL
)

// Func is one overload of a function, operator or cast. It is immutable and shared by all calls.
type Func struct {
	Signature
	Kind     FuncKind
	Strict   bool // a NULL argument makes the result NULL and the function is not run
	Volatile Volatility
	Fails    bool // an evaluation may fail (division by zero, bad text, overflow)
	Family   string
	Doc      string // one line for the reference, without full stop
	// Ret is the result type for the actual argument types, which have been coerced to Args.
	Ret  func(args []types.T) types.T
	Eval Eval

	flags int // the second argument is a regular expression, and this one its flags where there is one; 0: it is none
}

// Eval computes a function for the rows in sel, all rows when nil, into out, which has the call's type and one value
// for every row of the arguments. It reports a failing row by ctx.Fail and goes on when that returns nil.
type Eval func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error

// Signature is a name and the declared argument types, which may be polymorphic (AnyElement and so on).
type Signature struct {
	Name     string
	Args     []types.T
	Variadic bool // the last argument is given once or more often
}

// String prints the signature as errors and the reference do: substr(text, integer).
func (s Signature) String() string {
	return s.Name + "(" + strings.Join(s.argNames(), ", ") + ")"
}

func (s Signature) argNames() []string {
	names := make([]string, len(s.Args))
	for i, t := range s.Args {
		names[i] = typeName(t)
		if s.Variadic && i == len(s.Args)-1 {
			names[i] = "VARIADIC " + names[i]
		}
	}
	return names
}

// Arg is the declared type of argument i.
func (s Signature) Arg(i int) types.T { return s.Args[min(i, len(s.Args)-1)] }

// accepts reports whether the function can take n arguments.
func (s Signature) accepts(n int) bool {
	return n == len(s.Args) || n > len(s.Args) && s.Variadic
}

// Fail reports the failure of a row. When it returns nil the row is to be NULL and the evaluation goes on.
func (ctx *Ctx) Fail(row int, err error) error {
	if ctx.OnError == nil {
		return err
	}
	ctx.OnError(row, err)
	return nil
}
