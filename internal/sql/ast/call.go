package ast

// CallSyntax tells a call in SQL's keyword syntax from an ordinary one.
type CallSyntax uint8

// How a call was written.
const (
	CallPlain   CallSyntax = iota // f(a, b)
	CallKeyword                   // EXTRACT(f FROM x), TRIM(BOTH a FROM b), (a, b) OVERLAPS (c, d): see FuncCall
)

// FuncCall is a call of a function, aggregate or window function. COALESCE, NULLIF, GREATEST, LEAST and GROUPING are
// calls too. Calls in keyword syntax have the name and arguments PostgreSQL gives them:
//
//	EXTRACT(f FROM x)                 extract('f', x)
//	SUBSTRING(s FROM a FOR n)         substring(s, a, n); without FROM a is 1
//	SUBSTRING(s SIMILAR p ESCAPE e)   substring(s, similar_to_escape(p, e))
//	POSITION(a IN b)                  position(b, a)
//	OVERLAY(s PLACING t FROM a FOR n) overlay(s, t, a, n)
//	TRIM(BOTH|LEADING|TRAILING c FROM s)  btrim | ltrim | rtrim (s, c)
//	NORMALIZE(s, NFC)                 normalize(s, 'NFC')
//	COLLATION FOR (x)                 pg_collation_for(x)
//	(a, b) OVERLAPS (c, d)            overlaps(a, b, c, d)
type FuncCall struct {
	Pos
	Name        Name
	Args        []Arg
	Star        bool // count(*)
	Distinct    bool
	OrderBy     []OrderItem // inside the parentheses
	WithinGroup []OrderItem
	Filter      Expr       // nil when absent
	Over        *WindowDef // nil when absent
	Nulls       NullTreatment
	// ScalarAggregate is RisingWave's aggregate:f(x): f, a function of an array, as an aggregate over x.
	ScalarAggregate bool
	Syntax          CallSyntax
}

// Arg is one argument; Name is set for name => value.
type Arg struct {
	Pos
	Name     string
	Value    Expr
	Variadic bool
}

// NullTreatment is IGNORE NULLS or RESPECT NULLS of a window function.
type NullTreatment string

// The treatments of NULL.
const (
	NullsUnspecified NullTreatment = ""
	IgnoreNulls      NullTreatment = "IGNORE NULLS"
	RespectNulls     NullTreatment = "RESPECT NULLS"
)

// WindowDef is what follows OVER, or the definition of a named window. Ref names another window: alone (OVER w, then
// Bare is true) or as the base of this one (OVER (w ROWS ...)).
type WindowDef struct {
	Pos
	Ref         string
	Bare        bool
	PartitionBy []Expr
	OrderBy     []OrderItem
	Frame       *Frame // nil when absent
}

// FrameUnit is ROWS, RANGE, GROUPS or RisingWave's SESSION.
type FrameUnit string

// The frame units.
const (
	FrameRows    FrameUnit = "ROWS"
	FrameRange   FrameUnit = "RANGE"
	FrameGroups  FrameUnit = "GROUPS"
	FrameSession FrameUnit = "SESSION"
)

// Frame is a window frame. SESSION WITH GAP has only Gap.
type Frame struct {
	Pos
	Unit    FrameUnit
	Start   FrameBound
	End     *FrameBound // nil when BETWEEN is absent: CURRENT ROW
	Exclude string      // "", "CURRENT ROW", "GROUP", "TIES", "NO OTHERS"
	Gap     Expr
}

// BoundKind is the kind of a frame's bound.
type BoundKind string

// The frame bounds.
const (
	UnboundedPreceding BoundKind = "UNBOUNDED PRECEDING"
	Preceding          BoundKind = "PRECEDING"
	CurrentRow         BoundKind = "CURRENT ROW"
	Following          BoundKind = "FOLLOWING"
	UnboundedFollowing BoundKind = "UNBOUNDED FOLLOWING"
)

// FrameBound is one end of a frame; Offset goes with Preceding and Following.
type FrameBound struct {
	Pos
	Kind   BoundKind
	Offset Expr
}
