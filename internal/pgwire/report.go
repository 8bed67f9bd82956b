package pgwire

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Why a context of a connection ended. They are causes, never sent as they are.
var (
	errClientGone = errors.New("the client is gone")
	errShutdown   = errors.New("the server is shutting down")
	errCanceled   = errors.New("the client cancelled the statement")
	errTimeout    = errors.New("statement_timeout has passed")
	errPatience   = errors.New("the client was silent for too long")
)

// catalogued returns the catalogue's form of any error of a session, so that each has a SQLSTATE and a remedy. The
// cause of the statement's context decides what a context error means.
func catalogued(ctx context.Context, err error) *errs.Error {
	if e, ok := errs.As(err); ok {
		return e
	}
	switch cause := context.Cause(ctx); {
	case errors.Is(err, context.DeadlineExceeded):
		return errs.StatementTimeout.New()
	case errors.Is(err, context.Canceled) || cause != nil && errors.Is(err, cause):
		switch cause {
		case errShutdown:
			return errs.ShuttingDown.New()
		case errTimeout:
			return errs.StatementTimeout.New()
		}
		return errs.QueryCanceled.New()
	}
	return errs.Internal.New("what", err).Wrap(err)
}

// errorResponse is the message for an error.
func errorResponse(severity string, e *errs.Error) *pgproto3.ErrorResponse {
	return &pgproto3.ErrorResponse{
		Severity:            severity,
		SeverityUnlocalized: severity,
		Code:                e.Entry.SQLState,
		Message:             clean(e.Message),
		Detail:              clean(e.Detail),
		Hint:                clean(hint(e)),
		Position:            int32(e.Position),
		Where:               clean(e.Context),
		SchemaName:          clean(e.Object.Schema),
		TableName:           clean(e.Object.Table),
		ColumnName:          clean(e.Object.Column),
		ConstraintName:      clean(e.Object.Constraint),
	}
}

// hint is the first remedy and the code under which `tidemark explain` tells the rest.
func hint(e *errs.Error) string {
	h := e.Remedy()
	if h == "" {
		return e.Entry.Code
	}
	return fmt.Sprintf("%s (%s)", h, e.Entry.Code)
}

// noticeResponse is the message for a notice.
func noticeResponse(n Notice) *pgproto3.NoticeResponse {
	if n.Severity == "" {
		n.Severity = "NOTICE"
	}
	if n.SQLState == "" {
		n.SQLState = "00000"
	}
	return &pgproto3.NoticeResponse{
		Severity:            n.Severity,
		SeverityUnlocalized: n.Severity,
		Code:                n.SQLState,
		Message:             clean(n.Message),
		Detail:              clean(n.Detail),
		Hint:                clean(n.Hint),
		Position:            int32(n.Position),
	}
}

// clean makes text fit for a field, which a zero byte would end.
func clean(s string) string {
	for i := range len(s) {
		if s[i] == 0 {
			return s[:i]
		}
	}
	return s
}

// NoticeOf makes a notice of a catalogued error that did not stop the statement.
func NoticeOf(severity string, e *errs.Error) Notice {
	return Notice{
		Severity: severity, SQLState: e.Entry.SQLState,
		Message: e.Message, Detail: e.Detail, Hint: hint(e), Position: e.Position,
	}
}
