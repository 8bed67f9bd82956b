package errs

// JobRescaled: a job is built anew for another number of actors.
var JobRescaled = register(Entry{
	Code: "TM-JB-008", SQLState: "55000", Class: Retry,
	Message:  "\"{name}\" goes on with other actors",
	Meaning:  "the job's parallelism, or that of something it reads, was changed: its actors end at a barrier, and others take over its state and progress; nothing is read again",
	When:     "`ALTER MATERIALIZED VIEW v SET PARALLELISM = 4;`, or the same for what the view reads",
	Remedies: []string{"nothing needs to be done; `SHOW JOBS;` tells when it is in step again"},
})
