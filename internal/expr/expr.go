// Package expr has bound scalar expressions, evaluated a column at a time, and the registry of functions and operators.
//
// An expression is plain data: the planner takes it apart with Walk and Rewrite, planenc stores it by function name and
// argument types. Evaluation is pure: its result depends on the chunk and on Ctx alone.
package expr

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Expr is a bound expression over the columns of a chunk.
type Expr interface {
	Type() types.T
	// Eval computes the value of the rows in sel, of all rows when sel is nil. The result has a value for every row of
	// the chunk, but only those of sel are defined. It may share memory with the chunk and must not be changed.
	Eval(ctx *Ctx, c *chunk.Chunk, sel []int32) (*chunk.Vec, error)
}

// Ctx is what an evaluation may depend on beside its input.
type Ctx struct {
	types.Ctx                                     // time zone and text forms
	Now       time.Time                           // now(): the barrier's time in a view, the transaction's start in a query
	Session   Session                             // current_user and the like
	Params    []types.Datum                       // values of $1, $2, ... for a plan that was made without them
	Mark      func(rel int64) (at int64, ok bool) // tm_watermark(): how far a table's watermark has come; nil: none has moved
	Random    func() uint64                       // random() and the like; nil where they have no place
	OnError   func(row int, err error)            // nil: the first failing row ends the evaluation; else it is told and the row is NULL
}

// Session answers the functions that tell about the client. In a running view it holds what was true at creation.
type Session struct {
	User, Database string
	SearchPath     []string
	BackendPID     int32
	Setting        func(name string) (string, bool)                     // current_setting
	Catalog        func(fn string, args types.Row) (types.Datum, error) // pg_get_viewdef, to_regclass, obj_description and other functions that need the catalog
}

// Col is a column of the input.
type Col struct {
	Index int
	T     types.T
	Name  string // for EXPLAIN only
}

// Const is a literal.
type Const struct {
	Value types.Datum
	T     types.T
}

// Param is $N of a prepared statement; it is replaced by a Const before a plan runs.
type Param struct {
	N int // 1-based
	T types.T
}

// Call applies a function, operator or cast of the registry to its arguments.
type Call struct {
	Fn   *Func
	Args []Expr
	T    types.T
}

// Case is CASE WHEN ... END in its searched form; an arm is evaluated only on the rows that reach it.
type Case struct {
	Whens []When
	Else  Expr // nil is NULL
	T     types.T
}

// When is one arm of a Case.
type When struct{ Cond, Then Expr }

// Logic is AND or OR over its arguments with SQL's three-valued logic; an argument is evaluated only on the rows that
// the earlier ones left undecided.
type Logic struct {
	Or   bool
	Args []Expr
}

// Coalesce is the first argument that is not NULL; later ones are evaluated only where needed.
type Coalesce struct {
	Args []Expr
	T    types.T
}
