package pgcdc

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pglogrepl"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// logEnd is the end of the server's log, a standby's too.
const logEnd = "CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END"

// Standing implements connector.Reader.
func (r *reader) Standing(ctx context.Context) (connector.Standing, error) {
	numbers := []string{"0"} // no table's
	for _, c := range *r.captures.Load() {
		numbers = append(numbers, strconv.FormatUint(c.Number, 10))
	}
	row, err := r.sql.one(ctx, "SELECT "+logEnd+", pg_wal_lsn_diff("+logEnd+", restart_lsn)::bigint,"+
		" (SELECT string_agg(c.oid::text, ',') FROM pg_publication p, pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"+
		" WHERE p.pubname = "+literal(r.o.publication)+" AND c.oid IN ("+strings.Join(numbers, ", ")+")"+
		" AND CASE WHEN p.puballtables OR EXISTS (SELECT FROM pg_publication_rel r WHERE r.prpubid = p.oid AND r.prrelid = c.oid) THEN true"+ // the view is slow
		" ELSE EXISTS (SELECT FROM pg_publication_tables t WHERE t.pubname = p.pubname AND t.schemaname = n.nspname AND t.tablename = c.relname) END)"+
		" FROM pg_replication_slots WHERE slot_name = "+literal(r.o.slot))
	if err != nil {
		return connector.Standing{}, err
	}
	if row == nil {
		return connector.Standing{}, errs.SlotLost.New("slot", r.o.slot, "problem", "does not exist", "position", pglogrepl.LSN(r.confirmed.Load()))
	}
	return parseStanding(row)
}

func parseStanding(row [][]byte) (s connector.Standing, err error) {
	end, err := pglogrepl.ParseLSN(string(row[0]))
	if err != nil {
		return s, err
	}
	s.End = connector.Position(end)
	if s.Kept, err = strconv.ParseUint(string(row[1]), 10, 64); err != nil && row[1] != nil { // NULL: invalidated, which the log's reader meets
		return s, err
	}
	for _, n := range strings.FieldsFunc(string(row[2]), func(c rune) bool { return c == ',' }) {
		number, err := strconv.ParseUint(n, 10, 64)
		if err != nil {
			return s, err
		}
		s.Published = append(s.Published, number)
	}
	return s, nil
}
