package pgcatalog

// activityFamily is the sessions. Reads take no locks, and prepared statements and cursors belong to their session, which
// knows them; their relations are empty.
var activityFamily = map[string]rows{
	"pg_catalog.pg_stat_activity": activityRows,
}

func activityRows(s *scan) {
	for _, c := range s.info.Sessions {
		s.add(row{
			"datid": databaseOID, "datname": c.Database, "pid": int(c.PID), "usesysid": userOID(c.User), "usename": c.User,
			"application_name": c.Application, "client_addr": orNull(c.Client), "backend_start": c.Started,
			"query_start": c.QueryStarted, "state_change": c.QueryStarted, "state": c.State, "query": c.Query,
			"backend_type": "client backend",
		})
	}
}
