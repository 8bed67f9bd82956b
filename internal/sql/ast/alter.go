package ast

// Alter is ALTER kind name action [, action]. Several actions occur only with tables.
type Alter struct {
	Pos
	Kind     ObjectKind
	IfExists bool
	Only     bool
	Name     Name
	ArgTypes []*TypeName // ALTER FUNCTION name(types)
	Actions  []AlterAction
}

// AlterAction is one change of an Alter.
type AlterAction interface {
	Position() Pos
	alterAction()
}

// RenameTo is RENAME TO name.
type RenameTo struct {
	Pos
	Name string
}

// RenameColumn is RENAME [COLUMN] old TO new.
type RenameColumn struct {
	Pos
	Old, New Ident
}

// RenameConstraint is RENAME CONSTRAINT old TO new.
type RenameConstraint struct {
	Pos
	Old, New Ident
}

// AddColumn is ADD [COLUMN] [IF NOT EXISTS] definition.
type AddColumn struct {
	Pos
	IfNotExists bool
	Column      *ColumnDef
}

// DropColumn is DROP [COLUMN] [IF EXISTS] name.
type DropColumn struct {
	Pos
	IfExists bool
	Name     Ident
	Cascade  bool
}

// ColumnChange is what ALTER COLUMN does.
type ColumnChange string

// The changes of a column.
const (
	ColumnSetType     ColumnChange = "TYPE"
	ColumnSetDefault  ColumnChange = "SET DEFAULT"
	ColumnDropDefault ColumnChange = "DROP DEFAULT"
	ColumnSetNotNull  ColumnChange = "SET NOT NULL"
	ColumnDropNotNull ColumnChange = "DROP NOT NULL"
)

// AlterColumn is ALTER [COLUMN] name change. Expr is the default, or USING of TYPE.
type AlterColumn struct {
	Pos
	Name   Ident
	Change ColumnChange
	Type   *TypeName
	Expr   Expr
}

// AddConstraint is ADD constraint.
type AddConstraint struct {
	Pos
	Constraint Constraint
}

// DropConstraint is DROP CONSTRAINT [IF EXISTS] name.
type DropConstraint struct {
	Pos
	IfExists bool
	Name     Ident
	Cascade  bool
}

// OwnerTo is OWNER TO role.
type OwnerTo struct {
	Pos
	Owner string
}

// SetSchema is SET SCHEMA name.
type SetSchema struct {
	Pos
	Schema Ident
}

// SwapWith is SWAP WITH name.
type SwapWith struct {
	Pos
	Name Name
}

// SetParameter is SET name = value: parallelism, backfill_rate_limit, resource_group and so on. Value is OptWord
// "default" for DEFAULT.
type SetParameter struct {
	Pos
	Name     string
	Value    OptionValue
	Deferred bool
}

// ResetParameter is RESET name [DEFERRED].
type ResetParameter struct {
	Pos
	Name     string
	Deferred bool
}

// OptionsVerb is how a list of options is changed.
type OptionsVerb string

// The ways to change options.
const (
	SetOptions     OptionsVerb = "SET"
	ResetOptions   OptionsVerb = "RESET"
	SetConfig      OptionsVerb = "SET CONFIG"
	ResetConfig    OptionsVerb = "RESET CONFIG"
	ConnectorWith  OptionsVerb = "CONNECTOR WITH"
	ConnectionWith OptionsVerb = "WITH"
)

// ChangeOptions is SET (k = v), RESET (k), SET CONFIG (...), RESET CONFIG (...), CONNECTOR WITH (...), WITH (...).
type ChangeOptions struct {
	Pos
	Verb    OptionsVerb
	Options []Option
	Value   Expr // ALTER SECRET ... WITH (...) AS value
}

// RefreshSchema is REFRESH SCHEMA.
type RefreshSchema struct{ Pos }

// DropConnector is DROP CONNECTOR.
type DropConnector struct{ Pos }

// ChangeFormat is FORMAT ... ENCODE ... of ALTER SOURCE.
type ChangeFormat struct {
	Pos
	Format *RowFormat
}

// AlterWatermark is ALTER WATERMARK FOR column AS expr [WITH TTL].
type AlterWatermark struct {
	Pos
	Watermark Watermark
}

// ChangeQuery is AS query of ALTER [MATERIALIZED] VIEW or SINK.
type ChangeQuery struct {
	Pos
	Query *Query
}

// ChangeUser is the option list of ALTER USER.
type ChangeUser struct {
	Pos
	Options []UserOption
}

// AlterSystem is ALTER SYSTEM SET name = value | RESET name. Name is "all" for RESET ALL.
type AlterSystem struct {
	Pos
	Name  string
	Value OptionValue
	Reset bool
}

// AlterJob is ALTER JOB id RESUME | PAUSE | SET name = value.
type AlterJob struct {
	Pos
	Job    int64
	Action string // RESUME, PAUSE, SET
	Param  *SetParameter
}

// AlterBackfill is ALTER BACKFILL relation PAUSE | RESUME | SET name = value, for all ranges or the listed vnodes.
type AlterBackfill struct {
	Pos
	Name   Name
	Action string // PAUSE, RESUME, SET
	VNodes []int64
	Param  *SetParameter
}

// AlterDefaultPrivileges is ALTER DEFAULT PRIVILEGES [FOR USER a] [IN SCHEMA s] grant or revoke.
type AlterDefaultPrivileges struct {
	Pos
	ForUsers  []string
	InSchemas []string
	Grant     *Grant
}

func (*RenameTo) alterAction()         {}
func (*RenameColumn) alterAction()     {}
func (*RenameConstraint) alterAction() {}
func (*AddColumn) alterAction()        {}
func (*DropColumn) alterAction()       {}
func (*AlterColumn) alterAction()      {}
func (*AddConstraint) alterAction()    {}
func (*DropConstraint) alterAction()   {}
func (*OwnerTo) alterAction()          {}
func (*SetSchema) alterAction()        {}
func (*SwapWith) alterAction()         {}
func (*SetParameter) alterAction()     {}
func (*ResetParameter) alterAction()   {}
func (*ChangeOptions) alterAction()    {}
func (*RefreshSchema) alterAction()    {}
func (*DropConnector) alterAction()    {}
func (*ChangeFormat) alterAction()     {}
func (*AlterWatermark) alterAction()   {}
func (*ChangeQuery) alterAction()      {}
func (*ChangeUser) alterAction()       {}

func (*Alter) stmt()                  {}
func (*AlterSystem) stmt()            {}
func (*AlterJob) stmt()               {}
func (*AlterBackfill) stmt()          {}
func (*AlterDefaultPrivileges) stmt() {}
