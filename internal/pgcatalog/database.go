package pgcatalog

import "github.com/tidemark-db/tidemark/internal/settings"

// databaseFamily is the databases of a store and what surrounds it.
var databaseFamily = map[string]rows{
	"pg_catalog.pg_database":                             databaseRows,
	"pg_catalog.pg_tablespace":                           tablespaceRows,
	"pg_catalog.pg_extension":                            func(*scan) {},
	"pg_catalog.pg_stat_database":                        databaseStatRows,
	"rw_catalog.rw_databases":                            rwDatabaseRows,
	"rw_catalog.rw_resource_groups":                      resourceGroupRows,
	"rw_catalog.rw_worker_nodes":                         workerRows,
	"information_schema.information_schema_catalog_name": func(s *scan) { s.add(row{"catalog_name": s.info.Database}) },
	"information_schema.character_sets":                  characterSetRows,
}

const (
	databaseComment = "default database"
	resourceGroup   = "default"
)

func databaseRows(s *scan) {
	for _, d := range s.info.Catalog.Databases() {
		s.add(row{
			"oid": int(d.ID), "datname": d.Name, "datdba": userOID(d.Owner), "encoding": encodingUTF8,
			"datlocprovider": "c", "datallowconn": true, "datconnlimit": -1, "dattablespace": defaultSpace, "datcollate": "C",
			"datctype": "C", "datacl": acl(d.Owner, d.Grants, databaseRights),
		})
	}
}

func tablespaceRows(s *scan) {
	s.add(row{"oid": defaultSpace, "spcname": "pg_default", "spcowner": bootstrapUserOID})
}

func databaseStatRows(s *scan) {
	s.add(row{"datid": databaseOID, "datname": s.info.Database, "numbackends": len(s.sessions())})
}

func rwDatabaseRows(s *scan) {
	for _, d := range s.info.Catalog.Databases() {
		s.add(row{"id": int(d.ID), "name": d.Name, "owner": userOID(d.Owner), "resource_group": resourceGroup})
	}
}

func resourceGroupRows(s *scan) {
	s.add(row{"name": resourceGroup, "streaming_workers": 1, "parallelism": 1, "databases": 1, "streaming_jobs": len(s.info.Jobs)})
}

// workerRows: a store is one process, which does everything.
func workerRows(s *scan) {
	s.add(row{"id": workerID, "state": "RUNNING", "parallelism": 1, "is_streaming": true, "is_serving": true,
		"rw_version": settings.ServerVersion, "started_at": s.info.Started, "resource_group": resourceGroup, "is_iceberg_compactor": false})
}

const workerID = 1

func characterSetRows(s *scan) {
	s.add(row{"character_set_name": "UTF8", "character_repertoire": "UCS", "form_of_use": "UTF8",
		"default_collate_catalog": s.info.Database, "default_collate_schema": "pg_catalog", "default_collate_name": "C"})
}
