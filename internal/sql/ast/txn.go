package ast

// TxnMode is one mode of a transaction, in upper case: ISOLATION LEVEL READ COMMITTED, READ ONLY, DEFERRABLE, ...
type TxnMode string

// Begin is BEGIN or START TRANSACTION.
type Begin struct {
	Pos
	Start bool // written START TRANSACTION: the command tag differs
	Modes []TxnMode
}

// Commit is COMMIT or END.
type Commit struct {
	Pos
	Chain bool
}

// Rollback is ROLLBACK or ABORT; Savepoint is set for ROLLBACK TO.
type Rollback struct {
	Pos
	Savepoint string
	Chain     bool
}

// Savepoint is SAVEPOINT name.
type Savepoint struct {
	Pos
	Name string
}

// ReleaseSavepoint is RELEASE [SAVEPOINT] name.
type ReleaseSavepoint struct {
	Pos
	Name string
}

func (*Begin) stmt()            {}
func (*Commit) stmt()           {}
func (*Rollback) stmt()         {}
func (*Savepoint) stmt()        {}
func (*ReleaseSavepoint) stmt() {}
