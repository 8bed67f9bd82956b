package ast

// Query is a complete query expression: SELECT, VALUES or a set operation with its WITH, ORDER BY and LIMIT.
type Query struct {
	Pos
	With     *With // nil when absent
	Body     Body
	OrderBy  []OrderItem
	Limit    Expr // nil when absent or LIMIT ALL
	WithTies bool // FETCH FIRST n ROWS WITH TIES
	Offset   Expr // nil when absent
	// EmitOnClose is EMIT ON WINDOW CLOSE, which belongs to the outermost query of a view or sink.
	EmitOnClose bool
	Locking     []Locking // FOR UPDATE and its kin
}

// Body is what a Query computes: *Select, *SetOp, *Values, or a parenthesised *Query inside a *SetOp.
type Body interface {
	Position() Pos
	body()
}

// With is the list of common table expressions.
type With struct {
	Pos
	Recursive bool
	Items     []*CTE
}

// CTE is one common table expression: a statement, or WITH name AS CHANGELOG FROM relation.
type CTE struct {
	Pos
	Name         Ident
	Columns      []Ident
	Stmt         Stmt   // *Query, or *Insert, *Update, *Delete; nil for a changelog
	Changelog    Name   // empty unless a changelog
	Materialized string // "", "MATERIALIZED", "NOT MATERIALIZED"
}

// Select is one SELECT block.
type Select struct {
	Pos
	Distinct      bool
	DistinctOn    []Expr
	Items         []SelectItem
	From          []TableExpr
	Where         Expr
	GroupBy       []GroupItem
	GroupDistinct bool // GROUP BY DISTINCT
	GroupAll      bool // GROUP BY ALL with no list: every item without an aggregate
	Having        Expr
	Windows       []NamedWindow
}

// SelectItem is one output column or star.
type SelectItem struct {
	Pos
	Expr  Expr
	Alias string // "" when absent
}

// NamedWindow is name AS (definition) of the WINDOW clause.
type NamedWindow struct {
	Name Ident
	Def  *WindowDef
}

// GroupKind is the kind of a GROUP BY item.
type GroupKind string

// The kinds of GROUP BY items.
const (
	GroupExpr   GroupKind = ""
	GroupEmpty  GroupKind = "()"
	GroupRollup GroupKind = "ROLLUP"
	GroupCube   GroupKind = "CUBE"
	GroupSets   GroupKind = "GROUPING SETS"
)

// GroupItem is one item of GROUP BY. Expr is set for GroupExpr ((a, b) is a Row); Items for ROLLUP, CUBE, GROUPING SETS.
type GroupItem struct {
	Pos
	Kind  GroupKind
	Expr  Expr
	Items []GroupItem
}

// SetKind is the set operation.
type SetKind string

// The set operations.
const (
	Union     SetKind = "UNION"
	Intersect SetKind = "INTERSECT"
	Except    SetKind = "EXCEPT"
)

// SetOp combines two bodies. Corresponding is RisingWave's CORRESPONDING [BY (columns)].
type SetOp struct {
	Pos
	Kind            SetKind
	All             bool
	Left, Right     Body
	Corresponding   bool
	CorrespondingBy []Ident
}

// Values is VALUES (...), (...).
type Values struct {
	Pos
	Rows [][]Expr
}

// NullsOrder is where NULLs sort.
type NullsOrder string

// The orders of NULL.
const (
	NullsDefault NullsOrder = ""
	NullsFirst   NullsOrder = "NULLS FIRST"
	NullsLast    NullsOrder = "NULLS LAST"
)

// OrderItem is one sort key.
type OrderItem struct {
	Pos
	Expr  Expr
	Desc  bool
	Nulls NullsOrder
	Using Operator // ORDER BY x USING >; empty when absent
}

// Locking is FOR UPDATE | NO KEY UPDATE | SHARE | KEY SHARE [OF tables] [NOWAIT | SKIP LOCKED].
type Locking struct {
	Pos
	Strength string
	Of       []Name
	Wait     string
}

func (*Query) stmt()  {}
func (*Query) body()  {}
func (*Select) body() {}
func (*SetOp) body()  {}
func (*Values) body() {}
