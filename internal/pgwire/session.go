package pgwire

import (
	"context"
	"io"
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Session runs the statements of one connection. All methods are called from the connection's goroutine, one at a time.
// The context of a method ends when the client cancels the statement, disconnects, or the server shuts down; a method that
// returns the context's error gets the fitting SQLSTATE from pgwire.
type Session interface {
	// Simple runs a text of any number of statements as PostgreSQL's simple query does: in one implicit transaction
	// unless the text says otherwise. It hands each statement's result to send, which streams it to the client and
	// finishes it; an error of send must be returned at once. No call of send means an empty query.
	Simple(ctx context.Context, sql string, send func(Result) error) error
	// Prepare parses one statement under a name; the empty name replaces the unnamed statement. Parameters whose OID is
	// zero or missing get their type from the statement. Names are the session's, since SQL's DEALLOCATE shares them.
	Prepare(ctx context.Context, name, sql string, paramOIDs []uint32) error
	// Statement finds a prepared statement.
	Statement(name string) (Statement, bool)
	// Deallocate forgets a prepared statement; that it does not exist is no error.
	Deallocate(name string)
	// Cursor returns the columns of a cursor that SQL declared. Clients describe it as the portal that it is in PostgreSQL.
	Cursor(name string) ([]Column, bool)
	// Execute starts a prepared statement; a nil result stands for an empty statement. ctx lasts until the result is
	// closed and is the one given to its methods.
	Execute(ctx context.Context, s Statement, params []types.Datum) (Result, error)
	// Sync ends the implicit transaction of extended-protocol statements: it commits what is not in a BEGIN block.
	Sync(ctx context.Context) error
	// Abort follows every error that was reported to the client, whoever raised it: an implicit transaction is rolled
	// back, a BEGIN block waits for its ROLLBACK.
	Abort()
	// TxStatus is 'I' outside of a BEGIN block, 'T' inside, 'E' inside one that failed.
	TxStatus() byte
	// Setting returns the value of a setting that clients are told of; see ReportedSettings. Changes are reported after
	// each statement, so SET needs no call back.
	Setting(name string) (string, bool)
	// SettingsVersion is another number after whatever may have changed a setting.
	SettingsVersion() uint64
	// StatementTimeout is how long a statement may take; 0 for ever.
	StatementTimeout() time.Duration
	// TextContext is what the text form of values depends on now.
	TextContext() types.Ctx
	// Close ends the session; whatever is open is rolled back. It is called once, also after a panic.
	Close()
}

// Statement is a prepared statement.
type Statement interface {
	// ParamTypes has the types of $1, $2, ...
	ParamTypes() []types.T
	// Columns describes the rows, nil when there are none.
	Columns() []Column
}

// Column describes a result column.
type Column = types.Column

// Result is one running statement.
type Result interface {
	// Columns describes the rows, nil when there are none.
	Columns() []Column
	// Next returns further rows, nil after the last. Every row is one to send; chunks of about chunk.RowsMax are best.
	Next(ctx context.Context) (*chunk.Chunk, error)
	// Finish is called after the last row and before the client is told of success: what must not fail later, such as
	// the commit of the last statement of a simple query, belongs here.
	Finish(ctx context.Context) (Tag, error)
	// Close releases the result, finished or not. It is called once.
	Close()
}

// Tag is what CommandComplete says, such as CREATE TABLE or INSERT 0 5.
type Tag struct {
	Text      string
	CountRows bool // add the number of rows that this Execute sent, as in SELECT 3
}

// CopyIn is a Result that reads the client's data. Next is not called.
type CopyIn interface {
	Result
	CopyFormat() CopyFormat
	// CopyIn reads the data up to io.EOF. Reads fail when the client gives up; that error is to be returned.
	CopyIn(ctx context.Context, r io.Reader) error
}

// CopyOut is a Result that writes data for the client. Next is not called.
type CopyOut interface {
	Result
	CopyFormat() CopyFormat
	// CopyOut writes the data; each Write becomes one message, usually one row. Writes fail when the client is gone.
	CopyOut(ctx context.Context, w io.Writer) error
}

// CopyFormat describes the data of a COPY.
type CopyFormat struct {
	Binary  bool
	Columns int
}

// Startup is what a client says of itself when it connects.
type Startup struct {
	User     string
	Database string    // the user's name when the client does not name one
	Settings []Setting // from the startup packet and its options, in order; to be applied like SET
	PID      uint32    // what pg_backend_pid() returns
	Remote   string    // the client's address
	TLS      bool
}

// Setting is a named value.
type Setting struct{ Name, Value string }

// Client is what a session may do to its client while one of its methods runs, from that method's goroutine only: so
// nobody but the session waits for a client that reads slowly.
type Client interface {
	// Notice sends a message at once; client_min_messages is the session's matter.
	Notice(n Notice)
}

// Notice is a message that is not an error.
type Notice struct {
	Severity string // NOTICE, WARNING, INFO, LOG or DEBUG
	SQLState string // 00000 when empty
	Message  string
	Detail   string
	Hint     string
	Position int
}
