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
	row, err := r.sql.one(ctx, "SELECT "+logEnd+", pg_wal_lsn_diff("+logEnd+", restart_lsn)::bigint"+
		" FROM pg_replication_slots WHERE slot_name = "+literal(r.o.slot))
	if err != nil {
		return connector.Standing{}, err
	}
	if row == nil {
		return connector.Standing{}, errs.SlotLost.New("slot", r.o.slot, "problem", "does not exist", "position", pglogrepl.LSN(r.confirmed.Load()))
	}
	s, err := parseStanding(row)
	if err != nil {
		return s, err
	}
	rows, err := r.sql.rows(ctx, r.sql.listingSQL(r.version, "c.oid IN ("+strings.Join(numbers, ", ")+")"))
	for _, row := range rows {
		number, err := strconv.ParseUint(string(row[0]), 10, 64)
		if err != nil {
			return s, err
		}
		l, err := parseListing(row, "")
		if err != nil {
			return s, err
		}
		if l.problem == "" {
			s.Published[number] = l.entry
		}
	}
	return s, err
}

func parseStanding(row [][]byte) (s connector.Standing, err error) {
	s.Published = map[uint64]uint64{}
	end, err := pglogrepl.ParseLSN(string(row[0]))
	if err != nil {
		return s, err
	}
	s.End = connector.Position(end)
	if row[1] != nil { // NULL: invalidated, which the log's reader meets
		s.Kept, err = strconv.ParseUint(string(row[1]), 10, 64)
	}
	return s, err
}
