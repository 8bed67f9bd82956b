package pgcatalog

import (
	"fmt"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/types"
)

// server is the functions about users and the server itself.
var server = map[string]answer{
	"pg_get_userbyid":          userName,
	"pg_postmaster_start_time": started,
	"pg_conf_load_time":        started,
	"rw_cluster_id":            func(l *lookup, _ types.Row) (any, error) { return l.info.Cluster, nil },
	"pg_char_to_encoding":      encodingNumber,
}

func userName(l *lookup, args types.Row) (any, error) {
	oid := int(args[0].Int())
	for _, u := range l.users() {
		if userOID(u.Name) == oid {
			return u.Name, nil
		}
	}
	return fmt.Sprintf("unknown (OID=%d)", oid), nil
}

// started: the configuration is read once, when the server starts.
func started(l *lookup, _ types.Row) (any, error) {
	if l.info.Started.IsZero() {
		return nil, nil
	}
	return types.NewInt(types.TimestampFromTime(l.info.Started)), nil
}

func encodingNumber(_ *lookup, args types.Row) (any, error) {
	if args[0].Bytes() == "UTF8" {
		return encodingUTF8, nil
	}
	return -1, nil
}

func toRelation(oid int) id.Relation { return id.Relation(oid) }
