package server

import (
	"context"
	"io"

	"github.com/tidemark-db/tidemark/internal/pgwire"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/types"
)

// wireSession is a session as pgwire wants it. The two packages know nothing of each other.
type wireSession struct{ *session.Session }

// Simple implements pgwire.Session.
func (w wireSession) Simple(ctx context.Context, sql string, send func(pgwire.Result) error) error {
	return w.Session.Simple(ctx, sql, func(r session.Result) error { return send(wrap(r)) })
}

// Statement implements pgwire.Session.
func (w wireSession) Statement(name string) (pgwire.Statement, bool) {
	p, ok := w.Session.Statement(name)
	if !ok {
		return nil, false
	}
	return p, true
}

// Execute implements pgwire.Session.
func (w wireSession) Execute(ctx context.Context, s pgwire.Statement, params []types.Datum) (pgwire.Result, error) {
	p, ok := s.(*session.Prepared)
	if !ok {
		return nil, errNotPrepared
	}
	r, err := w.Session.Execute(ctx, p, params)
	if err != nil || r == nil {
		return nil, err
	}
	return wrap(r), nil
}

// wireResult is a result as pgwire wants it.
type wireResult struct{ session.Result }

func (r wireResult) Finish(ctx context.Context) (pgwire.Tag, error) {
	t, err := r.Result.Finish(ctx)
	return pgwire.Tag(t), err
}

// wireCopyIn and wireCopyOut are the results of COPY; the last statement of a text is wrapped once more by the session.
type wireCopyIn struct {
	wireResult
	in session.CopyIn
}

func (r wireCopyIn) CopyFormat() pgwire.CopyFormat {
	return pgwire.CopyFormat{Columns: r.in.CopyColumns(), Binary: r.in.CopyBinary()}
}
func (r wireCopyIn) CopyIn(ctx context.Context, rd io.Reader) error { return r.in.CopyIn(ctx, rd) }

type wireCopyOut struct {
	wireResult
	out session.CopyOut
}

func (r wireCopyOut) CopyFormat() pgwire.CopyFormat {
	return pgwire.CopyFormat{Columns: r.out.CopyColumns(), Binary: r.out.CopyBinary()}
}
func (r wireCopyOut) CopyOut(ctx context.Context, w io.Writer) error { return r.out.CopyOut(ctx, w) }

func wrap(r session.Result) pgwire.Result {
	inner := session.Unwrap(r)
	if in, ok := inner.(session.CopyIn); ok {
		return wireCopyIn{wireResult{r}, in}
	}
	if out, ok := inner.(session.CopyOut); ok {
		return wireCopyOut{wireResult{r}, out}
	}
	return wireResult{r}
}
