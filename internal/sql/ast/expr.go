package ast

// Operator is an operator's name; Schema is set when written as OPERATOR(schema.op).
type Operator struct {
	Schema string
	Name   string
}

// ColumnRef is a, t.a or s.t.a: a column, or a whole row when the name is a table's. The binder decides.
type ColumnRef struct {
	Pos
	Parts []string
}

// Star is *, t.* or (expr).*, with RisingWave's EXCEPT list. It is an expression only where PostgreSQL allows it: in
// select lists, RETURNING, ROW(...) and arguments.
type Star struct {
	Pos
	Qualifier []string // t.*
	Of        Expr     // (expr).*
	Except    []*ColumnRef
}

// NumberLit is a numeric constant as written, without sign: 1, 1.5, 1e5, 0xff.
type NumberLit struct {
	Pos
	Text string
}

// StringLit is a character constant, decoded.
type StringLit struct {
	Pos
	Value string
}

// BitLit is B'101' or X'1f'; Value is what stands between the quotes.
type BitLit struct {
	Pos
	Hex   bool
	Value string
}

// BoolLit is TRUE or FALSE.
type BoolLit struct {
	Pos
	Value bool
}

// NullLit is NULL.
type NullLit struct{ Pos }

// Param is $n.
type Param struct {
	Pos
	Number int
}

// DefaultValue is DEFAULT as a value of VALUES or SET.
type DefaultValue struct{ Pos }

// Unary is a prefix operator other than NOT. Its position is the operator's.
type Unary struct {
	Pos
	Op Operator
	X  Expr
}

// Binary is an infix operator other than AND and OR. Its position is the operator's, as in PostgreSQL's messages. It
// starts where Left starts.
type Binary struct {
	Pos
	Op          Operator
	Left, Right Expr
}

// BoolOp is AND or OR.
type BoolOp string

// The logical connectives.
const (
	And BoolOp = "AND"
	Or  BoolOp = "OR"
)

// Logic is a chain of two or more operands under AND or OR: a AND b AND c is one node.
type Logic struct {
	Pos
	Op   BoolOp
	Args []Expr
}

// Not is NOT x.
type Not struct {
	Pos
	X Expr
}

// TestKind is the right side of IS.
type TestKind string

// What IS tests.
const (
	IsNull       TestKind = "NULL"
	IsTrue       TestKind = "TRUE"
	IsFalse      TestKind = "FALSE"
	IsUnknown    TestKind = "UNKNOWN"
	IsNormalized TestKind = "NORMALIZED"
	IsJSON       TestKind = "JSON"
	IsJSONValue  TestKind = "JSON VALUE"
	IsJSONArray  TestKind = "JSON ARRAY"
	IsJSONObject TestKind = "JSON OBJECT"
	IsJSONScalar TestKind = "JSON SCALAR"
)

// Test is x IS [NOT] kind. Form is the normal form of IS NFC NORMALIZED; Unique is JSON's WITH UNIQUE KEYS.
type Test struct {
	Pos
	X      Expr
	Kind   TestKind
	Not    bool
	Form   string
	Unique bool
}

// Distinct is l IS [NOT] DISTINCT FROM r.
type Distinct struct {
	Pos
	Left, Right Expr
	Not         bool
}

// LikeKind is the pattern language.
type LikeKind string

// The pattern languages.
const (
	Like      LikeKind = "LIKE"
	ILike     LikeKind = "ILIKE"
	SimilarTo LikeKind = "SIMILAR TO"
)

// Match is x [NOT] LIKE pattern [ESCAPE escape].
type Match struct {
	Pos
	Kind       LikeKind
	X, Pattern Expr
	Escape     Expr // nil when absent
	Not        bool
}

// Between is x [NOT] BETWEEN [SYMMETRIC] low AND high.
type Between struct {
	Pos
	X, Low, High Expr
	Not          bool
	Symmetric    bool
}

// In is x [NOT] IN (list) or x [NOT] IN (query).
type In struct {
	Pos
	X     Expr
	List  []Expr
	Query *Query // nil with a list
	Not   bool
}

// Quantified is x op ANY|ALL (array) or x op ANY|ALL (query). LIKE ANY and its kin have the operators ~~, !~~, ~~*, !~~*.
type Quantified struct {
	Pos
	X     Expr
	Op    Operator
	All   bool
	Array Expr   // nil with a query
	Query *Query // nil with an array
}

// Exists is EXISTS (query).
type Exists struct {
	Pos
	Query *Query
}

// Subquery is a query as a scalar, or as a row where rows are compared.
type Subquery struct {
	Pos
	Query *Query
}

// ArrayQuery is ARRAY(query).
type ArrayQuery struct {
	Pos
	Query *Query
}

// Case is CASE [operand] WHEN ... THEN ... [ELSE ...] END.
type Case struct {
	Pos
	Operand Expr // nil in the searched form
	Whens   []When
	Else    Expr // nil when absent
}

// When is one branch of Case.
type When struct {
	Cond, Result Expr
}

// CastStyle is how a cast was written.
type CastStyle uint8

// The spellings of a cast.
const (
	CastAs      CastStyle = iota // CAST(x AS t)
	CastColons                   // x::t
	CastLiteral                  // t 'text': X is a StringLit
	CastTry                      // TRY_CAST(x AS t): NULL instead of an error
)

// Cast is a conversion in any of its spellings.
type Cast struct {
	Pos
	X     Expr
	Type  *TypeName
	Style CastStyle
}

// Collate is x COLLATE name.
type Collate struct {
	Pos
	X    Expr
	Name Name
}

// AtTimeZone is x AT TIME ZONE zone.
type AtTimeZone struct {
	Pos
	X, Zone Expr
}

// ValueKeyword is one of CURRENT_DATE, CURRENT_TIMESTAMP(p), CURRENT_USER and their kin, in lower case; Precision is -1
// when absent.
type ValueKeyword struct {
	Pos
	Name      string
	Precision int
}

// Row is ROW(a, b) or (a, b).
type Row struct {
	Pos
	Elems    []Expr
	Explicit bool // written with ROW
}

// Array is ARRAY[a, b]; nested brackets are Arrays too.
type Array struct {
	Pos
	Elems []Expr
}

// MapLit is MAP {k: v, ...}.
type MapLit struct {
	Pos
	Entries []MapEntry
}

// MapEntry is one pair of MapLit.
type MapEntry struct {
	Key, Value Expr
}

// Lambda is |x, y| body, an argument of higher-order functions.
type Lambda struct {
	Pos
	Params []Ident
	Body   Expr
}

// Subscript is x[index].
type Subscript struct {
	Pos
	X, Index Expr
}

// Slice is x[low:high]; a missing bound is nil.
type Slice struct {
	Pos
	X, Low, High Expr
}

// Field is (x).name.
type Field struct {
	Pos
	X    Expr
	Name string
}

// CurrentOf is WHERE CURRENT OF cursor.
type CurrentOf struct {
	Pos
	Cursor string
}

// SecretRef is SECRET name as an argument of a function.
type SecretRef struct {
	Pos
	Name Name
}

func (*SecretRef) expr()    {}
func (*ColumnRef) expr()    {}
func (*Star) expr()         {}
func (*NumberLit) expr()    {}
func (*StringLit) expr()    {}
func (*BitLit) expr()       {}
func (*BoolLit) expr()      {}
func (*NullLit) expr()      {}
func (*Param) expr()        {}
func (*DefaultValue) expr() {}
func (*Unary) expr()        {}
func (*Binary) expr()       {}
func (*Logic) expr()        {}
func (*Not) expr()          {}
func (*Test) expr()         {}
func (*Distinct) expr()     {}
func (*Match) expr()        {}
func (*Between) expr()      {}
func (*In) expr()           {}
func (*Quantified) expr()   {}
func (*Exists) expr()       {}
func (*Subquery) expr()     {}
func (*ArrayQuery) expr()   {}
func (*Case) expr()         {}
func (*Cast) expr()         {}
func (*Collate) expr()      {}
func (*AtTimeZone) expr()   {}
func (*ValueKeyword) expr() {}
func (*Row) expr()          {}
func (*Array) expr()        {}
func (*MapLit) expr()       {}
func (*Lambda) expr()       {}
func (*Subscript) expr()    {}
func (*Slice) expr()        {}
func (*Field) expr()        {}
func (*CurrentOf) expr()    {}
func (*FuncCall) expr()     {}
