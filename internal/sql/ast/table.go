package ast

// TableExpr is an item of FROM: *TableRef, *DerivedTable, *TableFunc or *Join.
type TableExpr interface {
	Position() Pos
	tableExpr()
}

// Alias is the name given to a FROM item, and perhaps to its columns. The zero value is no alias.
type Alias struct {
	Pos
	Name    string
	Columns []Ident
	Defs    []ColumnType // AS f(a int, b text), for functions that return records
}

// ColumnType is a name with a type.
type ColumnType struct {
	Name Ident
	Type *TypeName
}

// TableRef names a relation. In INSERT, UPDATE and DELETE it is the target.
type TableRef struct {
	Pos
	Name  Name
	Only  bool
	AsOf  *AsOf // nil when absent
	Alias Alias
}

// AsOf is FOR SYSTEM_TIME AS OF expr, or FOR SYSTEM_VERSION AS OF expr. A call of proctime() makes a temporal join.
type AsOf struct {
	Pos
	Version bool
	Expr    Expr
}

// DerivedTable is a query in FROM; the alias may be missing.
type DerivedTable struct {
	Pos
	Query   *Query
	Lateral bool
	Alias   Alias
}

// TableFunc is one function call in FROM, or several in ROWS FROM. TUMBLE, HOP and SESSION windows are such calls too:
// their first argument is the relation, a ColumnRef or a Subquery.
type TableFunc struct {
	Pos
	Calls      []*FuncCall
	RowsFrom   bool
	Ordinality bool
	Lateral    bool
	Alias      Alias
}

// JoinKind is the kind of a join.
type JoinKind string

// The joins.
const (
	InnerJoin JoinKind = "JOIN"
	LeftJoin  JoinKind = "LEFT JOIN"
	RightJoin JoinKind = "RIGHT JOIN"
	FullJoin  JoinKind = "FULL JOIN"
	CrossJoin JoinKind = "CROSS JOIN"
)

// Join is left JOIN right. At most one of Natural, Using, On is set. Alias names a whole parenthesised join.
type Join struct {
	Pos
	Kind        JoinKind
	AsOf        bool // ASOF [LEFT] JOIN: one inequality picks the nearest row
	Natural     bool
	Left, Right TableExpr
	Using       []Ident
	UsingAlias  string // USING (a) AS alias
	On          Expr
	Alias       Alias
}

func (*TableRef) tableExpr()     {}
func (*DerivedTable) tableExpr() {}
func (*TableFunc) tableExpr()    {}
func (*Join) tableExpr()         {}
