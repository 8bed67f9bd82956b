package pgcdc

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// slotDropAttempts bounds how often a slot that is still active is tried to be dropped, a tenth of a second apart.
const slotDropAttempts = 50

// Remove implements connector.System: it drops what Prepare made.
func (System) Remove(ctx context.Context, in connector.Options) error {
	o, err := parseOptions(in)
	if err != nil || !o.madeSlot && !o.madePublication {
		return err
	}
	s, err := o.session(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	if o.madeSlot {
		if err := s.dropSlot(ctx); err != nil {
			return err
		}
	}
	if o.madePublication {
		_, err = s.rows(ctx, "DROP PUBLICATION IF EXISTS "+ident(o.publication))
	}
	return err
}

// dropSlot drops the slot if it is there. The reader's connection was closed a moment ago; the server may not have noticed.
func (s *session) dropSlot(ctx context.Context) (err error) {
	for range slotDropAttempts {
		sql := "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active_pid IS NOT NULL AND slot_name = " + literal(s.o.slot)
		if _, err = s.rows(ctx, sql); err != nil {
			return err
		}
		if _, err = s.rows(ctx, "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = "+literal(s.o.slot)); err == nil {
			return nil
		}
		if _, waitErr := s.rows(ctx, "SELECT pg_sleep(0.1)"); waitErr != nil {
			return waitErr
		}
	}
	return err
}

// Renew implements connector.System. A slot that somebody else made is used as it is.
func (System) Renew(ctx context.Context, in connector.Options, tables []string) error {
	err := withSession(ctx, in, func(s *session) error {
		if _, err := s.createPublication(ctx); err != nil {
			return err
		}
		if s.o.madeSlot {
			if err := s.dropSlot(ctx); err != nil {
				return err
			}
			_, err := s.createSlot(ctx)
			return err
		}
		row, err := s.one(ctx, "SELECT "+slotAlive+" FROM pg_replication_slots s WHERE slot_name = "+literal(s.o.slot))
		if err == nil && (row == nil || string(row[0]) != "t") {
			err = errs.SlotUnusable.New("slot", s.o.slot, "problem", "is gone, and was not made for the source; make it again")
		}
		return err
	})
	for _, t := range tables {
		if err != nil {
			return err
		}
		err = System{}.Publish(ctx, in, t)
		var pg *pgconn.PgError
		if errors.As(err, &pg) && pg.Code == undefinedTable {
			err = nil // the table fails on its own
		}
	}
	return err
}

// undefinedTable is PostgreSQL's code for a table that is not there.
const undefinedTable = "42P01"
