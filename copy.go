package tidemark

import (
	"context"
	"errors"
	"io"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/session"
)

// CopyFrom runs COPY table FROM STDIN with the data of a reader: the fastest way to write many rows, in one transaction.
func (db *DB) CopyFrom(ctx context.Context, sql string, data io.Reader) (Result, error) {
	c, err := db.Conn()
	if err != nil {
		return Result{}, err
	}
	res, err := c.CopyFrom(ctx, sql, data)
	return res, errors.Join(err, c.Close())
}

// CopyTo runs COPY table or (query) TO STDOUT and writes the data to a writer.
func (db *DB) CopyTo(ctx context.Context, sql string, data io.Writer) (Result, error) {
	c, err := db.Conn()
	if err != nil {
		return Result{}, err
	}
	res, err := c.CopyTo(ctx, sql, data)
	return res, errors.Join(err, c.Close())
}

// CopyFrom is DB.CopyFrom in this session.
func (c *Conn) CopyFrom(ctx context.Context, sql string, data io.Reader) (Result, error) {
	return c.copy(ctx, sql, func(ctx context.Context, r session.Result) error {
		in, ok := r.(session.CopyIn)
		if !ok {
			return errs.CopyExpected.New("direction", "FROM STDIN")
		}
		return in.CopyIn(ctx, data)
	})
}

// CopyTo is DB.CopyTo in this session.
func (c *Conn) CopyTo(ctx context.Context, sql string, data io.Writer) (Result, error) {
	return c.copy(ctx, sql, func(ctx context.Context, r session.Result) error {
		out, ok := r.(session.CopyOut)
		if !ok {
			return errs.CopyExpected.New("direction", "TO STDOUT")
		}
		return out.CopyOut(ctx, data)
	})
}

func (c *Conn) copy(ctx context.Context, sql string, move func(context.Context, session.Result) error) (Result, error) {
	return call(c, ctx, func(ctx context.Context) (res Result, err error) {
		err = c.s.Simple(ctx, sql, func(r session.Result) error {
			if err := move(ctx, session.Unwrap(r)); err != nil {
				return err
			}
			tag, err := r.Finish(ctx)
			res = resultOf(tag, 0)
			return err
		})
		return res, err
	})
}

// withoutData refuses to run a COPY that nobody gives or takes the data of.
func withoutData(r session.Result) error {
	switch session.Unwrap(r).(type) {
	case session.CopyIn, session.CopyOut:
		return errs.CopyData.New()
	}
	return nil
}
