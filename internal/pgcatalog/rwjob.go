package pgcatalog

import (
	"fmt"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/catalog"
)

// rwJobs is the streaming jobs under RisingWave's names. As there, what is a job by its number in progress and fragments is a
// relation by its own in the lists of tables.
var rwJobs = map[string]rows{
	"rw_catalog.rw_ddl_progress":               ddlProgressRows,
	"rw_catalog.rw_fragment_backfill_progress": fragmentProgressRows,
	"rw_catalog.rw_backfill_info":              backfillRows,
	"rw_catalog.rw_cdc_progress":               cdcProgressRows,
	"rw_catalog.rw_table_fragments":            tableFragmentRows,
	"rw_catalog.rw_streaming_jobs":             func(s *scan) { streamingJobRows(s, row{"database_id": databaseOID}) },
	"rw_catalog.rw_streaming_job_info":         func(s *scan) { streamingJobRows(s, row{"database_name": s.info.Database}) },
	"rw_catalog.rw_streaming_parallelism":      streamingParallelismRows,
	"rw_catalog.rw_fragments":                  fragmentRows,
	"rw_catalog.rw_fragment_parallelism":       fragmentParallelismRows,
	"rw_catalog.rw_actors":                     actorRows,
	"rw_catalog.rw_parallel_units":             func(s *scan) { s.add(row{"id": 1, "worker_id": workerID}) },
	"rw_catalog.rw_recovery_info":              recoveryRows,
	"rw_catalog.rw_internal_table_info":        internalTableRows,
}

const backfillKind = "SNAPSHOT_BACKFILL"

// target is the relation that a job maintains; nil when it is being dropped.
func (l *lookup) target(j JobInfo) *catalog.Relation {
	rel, _ := l.info.Catalog.Relation(j.Relation)
	return rel
}

func targetName(rel *catalog.Relation) string {
	if rel == nil {
		return ""
	}
	return rel.Name
}

func percent(p float64) string { return strconv.FormatFloat(p, 'f', 2, 64) + "%" }

func (l *lookup) unfinished() []JobInfo {
	var out []JobInfo
	for _, j := range l.info.Jobs {
		if !j.Finished {
			out = append(out, j)
		}
	}
	return out
}

func ddlProgressRows(s *scan) {
	for _, j := range s.unfinished() {
		progress := fmt.Sprintf("%s (%d/%d rows)", percent(j.Progress), j.RowsScanned, j.RowsTotal)
		kind := "BACKGROUND"
		if j.Foreground {
			kind = "FOREGROUND"
		}
		s.add(row{"ddl_id": int(j.ID), "ddl_statement": shown(j.SQL, s.target(j)), "create_type": kind, "progress": progress,
			"initialized_at": j.Created, "backfill_type": backfillKind})
	}
}

// vnodes is how many parts the job's work may be split into.
func (l *lookup) vnodes(j JobInfo) int {
	if rel := l.target(j); rel != nil {
		return rel.Vnodes
	}
	return 0
}

func tableFragmentRows(s *scan) {
	for _, j := range s.info.Jobs {
		s.add(row{"table_id": int(j.Relation), "status": jobStatus(j), "parallelism": j.Parallelism, "max_parallelism": s.vnodes(j)})
	}
}

// jobStatus is RisingWave's word for a job that is there, or not yet.
func jobStatus(j JobInfo) string {
	if j.Finished {
		return "CREATED"
	}
	return "CREATING"
}

// streamingJobRows gives the database by its id or by its name.
func streamingJobRows(s *scan, database row) {
	for _, j := range s.info.Jobs {
		r := row{"id": int(j.Relation), "name": targetName(s.target(j)), "status": jobStatus(j), "parallelism": j.Parallelism,
			"max_parallelism": s.vnodes(j), "resource_group": resourceGroup}
		for k, v := range database {
			r[k] = v
		}
		s.add(r)
	}
}

func (l *lookup) targetKind(j JobInfo) string {
	if rel := l.target(j); rel != nil {
		return kindWord(rel.Kind)
	}
	return ""
}

func streamingParallelismRows(s *scan) {
	for _, j := range s.info.Jobs {
		s.add(row{"id": int(j.Relation), "name": targetName(s.target(j)), "relation_type": s.targetKind(j), "parallelism": j.Parallelism,
			"max_parallelism": s.vnodes(j)})
	}
}

func recoveryRows(s *scan) {
	s.add(row{"database_id": databaseOID, "database_name": s.info.Database, "recovery_state": "RUNNING", "in_global_running": true})
}

// internalTableRows is the tables in which jobs keep how far they have read what they read. They are no relations: nothing
// can be made of them.
func internalTableRows(s *scan) {
	for _, rel := range s.info.Catalog.Relations() {
		if rel.Job == 0 {
			continue
		}
		for i := range rel.DependsOn {
			s.add(row{"id": int(rel.ID)*internalTablesMax + i, "name": "__internal_" + rel.Name + "_" + strconv.Itoa(int(rel.Job)) + "_streamscan_" + strconv.Itoa(i),
				"schema_name": rel.Schema, "job_id": int(rel.Job), "job_name": rel.Name, "job_type": kindWord(rel.Kind)})
		}
	}
}

// internalTablesMax is the room for the numbers of one job's internal tables.
const internalTablesMax = 64
