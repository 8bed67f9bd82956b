package tidemark

import (
	"context"
	"fmt"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Error is an error of a statement or of the store. `tidemark explain CODE` and EXPLAIN ERROR 'CODE' print what it means,
// when it happens, and all that can be done about it.
type Error struct {
	Code     string // of Tidemark's catalogue, such as TM-SQL-101
	State    string // PostgreSQL's SQLSTATE
	Class    string // who can do something about it: user, retry, corruption, limit, bug
	Message  string
	Detail   string // the particulars; may be empty
	Hint     string // what to do
	Position int    // 1-based character position in the statement's text, 0 when unknown
	cause    error
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%s)", e.Message, e.Code) }

// SQLState is the method by which libraries ask errors of PostgreSQL drivers for their SQLSTATE.
func (e *Error) SQLState() string { return e.State }

// Unwrap returns what caused it.
func (e *Error) Unwrap() error { return e.cause }

// public makes an Error of an error of the catalogue.
func public(err error) error {
	e, ok := errs.As(err)
	if !ok {
		return err
	}
	return &Error{Code: e.Entry.Code, State: e.Entry.SQLState, Class: e.Entry.Class.String(), Message: err.Error(), Detail: e.Detail,
		Hint: e.Remedy(), Position: e.Position, cause: err}
}

// failure is what a call returns for an error: the context's own when that has ended.
func (db *DB) failure(ctx context.Context, err error) error {
	if _, catalogued := errs.As(err); catalogued {
		return public(err)
	}
	switch {
	case db.ctx.Err() != nil:
		return public(errs.ShuttingDown.New())
	case context.Cause(ctx) == errTimeout:
		return public(errs.StatementTimeout.New())
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return public(errs.Internal.New("what", err.Error()).Wrap(err))
}
