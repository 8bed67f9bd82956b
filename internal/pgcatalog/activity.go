package pgcatalog

import "net/netip"

// activityFamily is the sessions. Reads take no locks, and prepared statements and cursors belong to their session, which
// knows them; their relations are empty.
var activityFamily = map[string]rows{
	"pg_catalog.pg_stat_activity": activityRows,
}

func activityRows(s *scan) {
	for _, c := range s.sessions() {
		s.add(row{
			"datid": databaseOID, "datname": c.Database, "pid": int(c.PID), "usesysid": userOID(c.User), "usename": c.User,
			"application_name": c.Application, "client_addr": orNull(address(c.Client)), "backend_start": c.Started,
			"query_start": c.QueryStarted, "state_change": c.QueryStarted, "state": c.State, "query": c.Query,
			"backend_type": "client backend",
		})
	}
}

// sessions are those that are open; none when they are not known.
func (s *scan) sessions() []SessionInfo {
	if s.info.Sessions == nil {
		return nil
	}
	return s.info.Sessions()
}

// address is where a client connects from, without the port; nothing when it is no address.
func address(client string) string {
	at, err := netip.ParseAddrPort(client)
	if err != nil {
		return ""
	}
	return at.Addr().Unmap().String()
}
