package pgcdc

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// Publish implements connector.System: the table is in the publication, or it is added.
func (System) Publish(ctx context.Context, in connector.Options, table string) error {
	return withSession(ctx, in, func(s *session) error {
		listed, err := s.published(ctx, table)
		if err == nil && !listed {
			_, err = s.rows(ctx, "ALTER PUBLICATION "+ident(s.o.publication)+" ADD TABLE "+qualified(table))
			err = s.rightError(err, "add table "+table+" to publication "+s.o.publication)
		}
		if err != nil {
			return err
		}
		return s.whole(ctx, table)
	})
}

// versionFilters is the first version whose publications can leave out rows and columns.
const versionFilters = 150000

// whole refuses a publication that gives a part of the table, or gives it under the names of its partitions.
func (s *session) whole(ctx context.Context, table string) error {
	version, err := s.serverVersion(ctx)
	if err != nil || version < versionViaRoot {
		return err
	}
	schema, name, _ := strings.Cut(table, ".")
	filtered := "false"
	if version >= versionFilters {
		filtered = "coalesce(r.prqual IS NOT NULL OR r.prattrs IS NOT NULL, false)"
	}
	row, err := s.one(ctx, "SELECT c.relkind = 'p' AND NOT p.pubviaroot, "+filtered+" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"+
		" JOIN pg_publication p ON p.pubname = "+literal(s.o.publication)+" LEFT JOIN pg_publication_rel r ON r.prpubid = p.oid AND r.prrelid = c.oid"+
		" WHERE n.nspname = "+literal(schema)+" AND c.relname = "+literal(name))
	switch {
	case err != nil || row == nil:
		return err
	case string(row[0]) == "t":
		return errs.PublicationLacks.New("publication", s.o.publication, "problem", "gives changes of "+table+" as those of its partitions; set publish_via_partition_root")
	case string(row[1]) == "t":
		return errs.PublicationLacks.New("publication", s.o.publication, "problem", "leaves out rows or columns of "+table)
	}
	return nil
}

// Unpublish implements connector.System: it takes a table out of a publication that Prepare made.
func (System) Unpublish(ctx context.Context, in connector.Options, table string) error {
	return withSession(ctx, in, func(s *session) error {
		listed, err := s.published(ctx, table)
		if err != nil || !listed || !s.o.madePublication {
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

// published reports whether the publication has the table, by name or because it has all of them.
func (s *session) published(ctx context.Context, table string) (bool, error) {
	schema, name, _ := strings.Cut(table, ".")
	row, err := s.one(ctx, "SELECT puballtables, EXISTS (SELECT FROM pg_publication_rel r JOIN pg_class c ON c.oid = r.prrelid JOIN pg_namespace n ON n.oid = c.relnamespace"+
		" WHERE r.prpubid = p.oid AND n.nspname = "+literal(schema)+" AND c.relname = "+literal(name)+") OR EXISTS (SELECT FROM pg_publication_tables t"+
		" WHERE t.pubname = p.pubname AND t.schemaname = "+literal(schema)+" AND t.tablename = "+literal(name)+")"+
		" FROM pg_publication p WHERE pubname = "+literal(s.o.publication))
	if err != nil {
		return false, err
	}
	if row == nil {
		return false, errs.PublicationLacks.New("publication", s.o.publication, "problem", "does not exist")
	}
	return string(row[0]) == "t" || string(row[1]) == "t", nil
}

// rightError turns a refusal into the right that is missing.
func (s *session) rightError(err error, what string) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "42501" {
		return errs.ReplicationRight.New("user", s.o.user, "what", what, "detail", pg.Message).Wrap(err)
	}
	return err
}
