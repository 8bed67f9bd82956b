package pgcdc

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"maps"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// Prepare implements connector.System: it checks the server, and creates publication and slot where they are missing.
func (System) Prepare(ctx context.Context, in connector.Options, intend func(connector.Options) error) (out connector.Options, err error) {
	o, err := parseOptions(in)
	if err != nil {
		return nil, err
	}
	out = maps.Clone(normal(in))
	if err := o.chooseNames(out); err != nil {
		return nil, err
	}
	s, err := o.session(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := s.checkServer(ctx); err != nil {
		return nil, err
	}
	missing, err := s.missing(ctx, out)
	if err == nil {
		err = intend(missing)
	}
	if err != nil {
		return nil, err
	}
	if o.madePublication, err = s.createPublication(ctx); err != nil {
		return nil, err
	}
	if o.madePublication {
		out[publicationMade] = "true"
	}
	if o.madeSlot, err = s.createSlot(ctx); err != nil {
		if o.madePublication {
			_, _ = s.rows(ctx, "DROP PUBLICATION "+ident(o.publication)) // the slot's error matters
		}
		return nil, err
	}
	if o.madeSlot {
		out[slotMade] = "true"
	}
	return out, nil
}

// missing returns the options with a note of what is not there and will be made.
func (s *session) missing(ctx context.Context, o connector.Options) (connector.Options, error) {
	row, err := s.one(ctx, "SELECT EXISTS (SELECT FROM pg_publication WHERE pubname = "+literal(s.o.publication)+"), EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = "+literal(s.o.slot)+")")
	if err != nil {
		return nil, err
	}
	out := maps.Clone(o)
	for i, note := range []string{publicationMade, slotMade} {
		if string(row[i]) != "t" {
			out[note] = "true"
		}
	}
	return out, nil
}

// chooseNames gives the slot and the publication names that no other source has.
func (o *options) chooseNames(out connector.Options) error {
	var id [4]byte
	if _, err := rand.Read(id[:]); err != nil {
		return err
	}
	name := "tidemark_" + hex.EncodeToString(id[:])
	if o.slot == "" {
		o.slot = name
	}
	if o.publication == "" {
		o.publication = name
	}
	out["slot.name"], out["publication.name"] = o.slot, o.publication
	return nil
}

// checkServer refuses a server or role that can not work, before anything is made.
func (s *session) checkServer(ctx context.Context) error {
	if err := s.checkPrimary(ctx); err != nil {
		return err
	}
	row, err := s.one(ctx, `SELECT current_setting('wal_level'), rolreplication OR rolsuper OR pg_has_role(rolname,
		coalesce((SELECT oid FROM pg_roles WHERE rolname = 'rds_replication'), oid), 'MEMBER') AND EXISTS (SELECT FROM pg_roles WHERE rolname = 'rds_replication')
		FROM pg_roles WHERE rolname = current_user`)
	if err != nil {
		return err
	}
	if row == nil {
		return errs.ReplicationRight.New("user", s.o.user, "what", "be found in pg_roles", "detail", "")
	}
	if level := string(row[0]); level != "logical" {
		return errs.WalLevel.New("host", s.o.host, "port", s.o.port, "level", level)
	}
	if string(row[1]) != "t" {
		return errs.ReplicationRight.New("user", s.o.user, "what", "read the log: it lacks the attribute REPLICATION", "detail", "")
	}
	return nil
}

// checkPrimary refuses a standby: it makes no publication, and has no transactions of its own to mark the log with.
func (s *session) checkPrimary(ctx context.Context) error {
	row, err := s.one(ctx, "SELECT pg_is_in_recovery()")
	if err == nil && string(row[0]) == "t" {
		err = errs.UpstreamStandby.New("host", s.o.host, "port", s.o.port)
	}
	return err
}

// serverVersion is that of PostgreSQL's server_version_num.
func (s *session) serverVersion(ctx context.Context) (int, error) {
	row, err := s.one(ctx, "SELECT current_setting('server_version_num')")
	if err != nil {
		return 0, err
	}
	n := 0
	for _, c := range row[0] {
		n = n*10 + int(c-'0')
	}
	return n, nil
}

// versionViaRoot is the first version whose publications can give changes of partitions as those of their table.
const versionViaRoot = 130000

// createPublication makes an empty publication if there is none of the name; made tells.
func (s *session) createPublication(ctx context.Context) (made bool, err error) {
	row, err := s.one(ctx, "SELECT pubinsert AND pubupdate AND pubdelete AND pubtruncate FROM pg_publication WHERE pubname = "+literal(s.o.publication))
	if err != nil {
		return false, err
	}
	if row != nil {
		if string(row[0]) != "t" {
			return false, errs.PublicationLacks.New("publication", s.o.publication, "problem", "leaves out some kinds of changes")
		}
		return false, nil
	}
	if !s.o.mayPublish {
		return false, errs.PublicationLacks.New("publication", s.o.publication, "problem", "does not exist, and publication.create.enable is false")
	}
	version, err := s.serverVersion(ctx)
	if err != nil {
		return false, err
	}
	sql := "CREATE PUBLICATION " + ident(s.o.publication)
	if version >= versionViaRoot {
		sql += " WITH (publish_via_partition_root = true)"
	}
	if _, err := s.rows(ctx, sql); err != nil {
		return false, s.rightError(err, "create publication "+s.o.publication)
	}
	return true, nil
}

// createSlot makes the slot if there is none of the name; made tells.
func (s *session) createSlot(ctx context.Context) (made bool, err error) {
	row, err := s.one(ctx, "SELECT coalesce(plugin, ''), coalesce(database = current_database(), false), active FROM pg_replication_slots WHERE slot_name = "+literal(s.o.slot))
	if err != nil {
		return false, err
	}
	if row != nil {
		unusable := func(problem string) error {
			return errs.SlotUnusable.New("slot", s.o.slot, "problem", problem)
		}
		switch {
		case string(row[0]) != "pgoutput":
			return false, unusable("exists, but was not made for the plugin pgoutput")
		case string(row[1]) != "t":
			return false, unusable("exists, but is of another database")
		case string(row[2]) == "t":
			return false, unusable("is in use by another reader")
		}
		return false, nil
	}
	if _, err := s.rows(ctx, "SELECT pg_create_logical_replication_slot("+literal(s.o.slot)+", 'pgoutput')"); err != nil {
		return false, s.rightError(err, "create replication slot "+s.o.slot)
	}
	return true, nil
}
