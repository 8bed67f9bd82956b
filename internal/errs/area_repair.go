package errs

// RepairCreated: a job that has been attached is asked to begin anew.
var RepairCreated = register(Entry{
	Code: "TM-BF-009", SQLState: "55000", Class: User,
	Message:  "job {job} has been attached, so it cannot begin anew under those who read it",
	Meaning:  "what the job has made is being read; to lose it would show a view that lacks rows",
	When:     "REPAIR BACKFILL v FROM SCRATCH names a view that has answered already",
	Remedies: []string{"`SHOW CREATE MATERIALIZED VIEW v;` prints its definition; `DROP MATERIALIZED VIEW v;` and create it again"},
})

// RepairRunning: a job runs while it is to begin anew.
var RepairRunning = register(Entry{
	Code: "TM-BF-010", SQLState: "55000", Class: Retry,
	Message:  "job {job} runs, or others stand and fall with it, so it cannot begin anew",
	Meaning:  "only a job that has stopped can lose what it has made and begin again",
	When:     "REPAIR BACKFILL comes while the job is still stopping, or was asked of one that is well",
	Remedies: []string{"`CHECK BACKFILL v;` tells whether anything is wrong; a build that is not wanted any more is dropped: `DROP MATERIALIZED VIEW v;`"},
	Related:  []string{"TM-BF-009"},
})
