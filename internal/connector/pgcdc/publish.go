package pgcdc

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// Publish implements connector.System: the table is in the publication, or it is added.
func (System) Publish(ctx context.Context, in connector.Options, table string) error {
	return withSession(ctx, in, func(s *session) error {
		l, err := s.listing(ctx, table)
		if err == nil && !l.listed {
			if _, err = s.rows(ctx, "ALTER PUBLICATION "+ident(s.o.publication)+" ADD TABLE "+qualified(table)); err != nil {
				return s.rightError(err, "add table "+table+" to publication "+s.o.publication)
			}
			l, err = s.listing(ctx, table)
		}
		if err == nil && l.problem != "" {
			err = errs.PublicationLacks.New("publication", s.o.publication, "problem", l.problem)
		}
		return err
	})
}

// Unpublish implements connector.System: it takes a table out of a publication that Prepare made.
func (System) Unpublish(ctx context.Context, in connector.Options, table string) error {
	return withSession(ctx, in, func(s *session) error {
		l, err := s.listing(ctx, table)
		if err != nil || !l.listed || !s.o.madePublication {
			return err
		}
		_, err = s.rows(ctx, "ALTER PUBLICATION "+ident(s.o.publication)+" DROP TABLE "+qualified(table))
		return err
	})
}

// withSession runs fn in a session of its own.
func withSession(ctx context.Context, in connector.Options, fn func(*session) error) error {
	o, err := parseOptions(in)
	if err != nil {
		return err
	}
	s, err := o.session(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	return fn(s)
}

// rightError turns a refusal into the right that is missing.
func (s *session) rightError(err error, what string) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "42501" {
		return errs.ReplicationRight.New("user", s.o.user, "what", what, "detail", pg.Message).Wrap(err)
	}
	return err
}
