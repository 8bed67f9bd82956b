package ast

// SetScope is the scope of SET.
type SetScope string

// The scopes of SET.
const (
	ScopeDefault SetScope = ""
	ScopeSession SetScope = "SESSION"
	ScopeLocal   SetScope = "LOCAL"
)

// SetVar is SET name = values. SET TIME ZONE is the variable timezone, SET NAMES client_encoding, SET SCHEMA search_path,
// SET SESSION AUTHORIZATION session_authorization, SET ROLE role. Values is empty for DEFAULT.
type SetVar struct {
	Pos
	Scope  SetScope
	Name   string
	Values []OptionValue
}

// SetTransaction is SET [SESSION CHARACTERISTICS AS] TRANSACTION modes.
type SetTransaction struct {
	Pos
	Session bool
	Modes   []TxnMode
}

// Reset is RESET name; Name is "all" for RESET ALL.
type Reset struct {
	Pos
	Name string
}

// ShowVar is SHOW name; Name is "all" for SHOW ALL.
type ShowVar struct {
	Pos
	Name string
}

// Show is SHOW of objects. What is in lower case with single spaces: "tables", "internal tables", "materialized views",
// "jobs", "backfill", "columns", "create table", ... Name is what it is FROM, or the object of CREATE and BACKFILL.
type Show struct {
	Pos
	What  string
	Name  Name
	By    string // SHOW BACKFILL v BY RANGE | VNODE: "range"
	Like  *string
	Where Expr // accepted after LIKE-able lists
}

// Describe is DESCRIBE relation, or DESCRIBE FRAGMENT n and DESCRIBE FRAGMENTS relation.
type Describe struct {
	Pos
	What string // "", "fragment", "fragments"
	Name Name
	ID   int64
}

// Explain is EXPLAIN [(options)] statement. EXPLAIN ANALYZE VERBOSE x has the options analyze and verbose.
type Explain struct {
	Pos
	Options []Option
	Stmt    Stmt
}

// ExplainJob is EXPLAIN ANALYZE TABLE|MATERIALIZED VIEW|INDEX|SINK name, or ID n, or FRAGMENT n: live figures of a job.
type ExplainJob struct {
	Pos
	Options []Option
	Kind    ObjectKind // "ID" with a number
	Name    Name
	ID      int64
}

// ExplainError is EXPLAIN ERROR 'TM-BF-001'.
type ExplainError struct {
	Pos
	Code string
}

// Prepare is PREPARE name [(types)] AS statement.
type Prepare struct {
	Pos
	Name  string
	Types []*TypeName
	Stmt  Stmt
}

// Execute is EXECUTE name [(args)].
type Execute struct {
	Pos
	Name string
	Args []Expr
}

// Deallocate is DEALLOCATE name; Name is "" for ALL.
type Deallocate struct {
	Pos
	Name string
}

// DeclareCursor is DECLARE name CURSOR FOR query, or DECLARE name SUBSCRIPTION CURSOR FOR subscription [SINCE x | FULL].
type DeclareCursor struct {
	Pos
	Name         string
	Options      []string // BINARY, INSENSITIVE, SCROLL, NO SCROLL, WITH HOLD, ...
	Query        *Query
	Subscription Name
	Since        Expr
	Full         bool
}

// FetchCursor is FETCH or MOVE. Direction is NEXT, PRIOR, FIRST, LAST, ABSOLUTE, RELATIVE, FORWARD, BACKWARD; All is
// FORWARD ALL.
type FetchCursor struct {
	Pos
	Move      bool
	Direction string
	Count     int64
	All       bool
	Cursor    string
	Options   []Option // WITH (timeout = '1 s')
}

// CloseCursor is CLOSE name; Name is "" for ALL.
type CloseCursor struct {
	Pos
	Name string
}

// Discard is DISCARD ALL | PLANS | SEQUENCES | TEMP.
type Discard struct {
	Pos
	What string
}

// Unlisten is UNLISTEN channel; Channel is "" for all.
type Unlisten struct {
	Pos
	Channel string
}

// Lock is LOCK TABLE.
type Lock struct {
	Pos
	Tables []*TableRef
	Mode   string
	Nowait bool
}

// Use is USE database.
type Use struct {
	Pos
	Database string
}

// Vacuum is VACUUM or ANALYZE; both are accepted and do nothing.
type Vacuum struct {
	Pos
	Analyze bool // the statement is ANALYZE
	Options []Option
	Tables  []Name
}

// Privilege is one privilege with its column list.
type Privilege struct {
	Pos
	Name    string // upper case; "ALL"
	Columns []Ident
}

// Grant is GRANT or REVOKE of privileges on objects, or of roles (then Kind is "" and Roles is set).
type Grant struct {
	Pos
	Revoke      bool
	Privileges  []Privilege
	Roles       []string
	Kind        ObjectKind
	AllInSchema bool // ON ALL kind IN SCHEMA names
	Names       []Name
	ArgTypes    [][]*TypeName // of functions, parallel to Names
	Grantees    []string
	WithOption  bool // WITH GRANT OPTION, REVOKE GRANT OPTION FOR, WITH ADMIN OPTION
	GrantedBy   string
	Cascade     bool
}

func (*SetVar) stmt()         {}
func (*SetTransaction) stmt() {}
func (*Reset) stmt()          {}
func (*ShowVar) stmt()        {}
func (*Show) stmt()           {}
func (*Describe) stmt()       {}
func (*Explain) stmt()        {}
func (*ExplainJob) stmt()     {}
func (*ExplainError) stmt()   {}
func (*Prepare) stmt()        {}
func (*Execute) stmt()        {}
func (*Deallocate) stmt()     {}
func (*DeclareCursor) stmt()  {}
func (*FetchCursor) stmt()    {}
func (*CloseCursor) stmt()    {}
func (*Discard) stmt()        {}
func (*Unlisten) stmt()       {}
func (*Lock) stmt()           {}
func (*Use) stmt()            {}
func (*Vacuum) stmt()         {}
func (*Grant) stmt()          {}
