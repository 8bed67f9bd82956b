package ast

// Insert is INSERT INTO. Query is nil for DEFAULT VALUES. Plain VALUES are a Query whose Body is *Values; a DEFAULT in
// them is a *DefaultValue.
type Insert struct {
	Pos
	With       *With
	Table      *TableRef
	Columns    []Ident
	Overriding string // "", "SYSTEM", "USER"
	Query      *Query
	OnConflict *OnConflict
	Returning  []SelectItem
}

// OnConflict is ON CONFLICT [(columns) [WHERE ...] | ON CONSTRAINT name] DO NOTHING | DO UPDATE SET ... [WHERE ...].
type OnConflict struct {
	Pos
	Target      []OrderItem // columns or expressions of the unique index
	TargetWhere Expr
	Constraint  string
	DoUpdate    bool
	Sets        []SetClause
	Where       Expr
}

// SetClause is column = value, or (columns) = row or query.
type SetClause struct {
	Pos
	Columns []Ident
	Tuple   bool // written with parentheses
	Part    Expr // what of the one column is assigned, a *Subscript or *Slice of it; nil: all
	Value   Expr // a *Row or *Subquery, usually, when Tuple
}

// Update is UPDATE.
type Update struct {
	Pos
	With      *With
	Table     *TableRef
	Sets      []SetClause
	From      []TableExpr
	Where     Expr
	Returning []SelectItem
}

// Delete is DELETE FROM.
type Delete struct {
	Pos
	With      *With
	Table     *TableRef
	Using     []TableExpr
	Where     Expr
	Returning []SelectItem
}

// Truncate is TRUNCATE.
type Truncate struct {
	Pos
	Tables          []*TableRef
	RestartIdentity bool
	Cascade         bool
}

// CopyEnd is the outside end of COPY.
type CopyEnd string

// The outside ends of COPY; a file or program has its name in Copy.Path.
const (
	CopyStdin   CopyEnd = "STDIN"
	CopyStdout  CopyEnd = "STDOUT"
	CopyFile    CopyEnd = "FILE"
	CopyProgram CopyEnd = "PROGRAM"
)

// Copy is COPY table FROM or COPY table|query TO. Options of the old syntax (WITH CSV HEADER) are translated to the new
// one: format, header, delimiter, null, quote, escape, force_quote, force_not_null, force_null, encoding, freeze.
type Copy struct {
	Pos
	Table   Name // empty with a query
	Columns []Ident
	Query   Stmt // *Query, *Insert, *Update or *Delete; nil with a table
	To      bool // false is FROM
	End     CopyEnd
	Path    string
	Options []Option
	Where   Expr
}

func (*Insert) stmt()   {}
func (*Update) stmt()   {}
func (*Delete) stmt()   {}
func (*Truncate) stmt() {}
func (*Copy) stmt()     {}
