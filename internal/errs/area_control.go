package errs

// JobRescaled: a job is built anew for another number of actors.
var JobRescaled = register(Entry{
	Code: "TM-JB-008", SQLState: "55000", Class: Retry,
	Message:  "\"{name}\" goes on with other actors",
	Meaning:  "the job's parallelism, or that of something it reads, was changed, or all jobs recover: its actors end at a barrier, and others take over its state and progress; nothing is read again",
	When:     "`ALTER MATERIALIZED VIEW v SET PARALLELISM = 4;`, or the same for what the view reads; `RECOVER;`",
	Remedies: []string{"nothing needs to be done; `SHOW JOBS;` tells when it is in step again"},
})

// JobResting: a paused job holds nothing old.
var JobResting = register(Entry{
	Code: "TM-JB-010", SQLState: "55000", Class: Retry,
	Message:  "\"{name}\" is paused and has let go of the moment it was reading at",
	Meaning:  "a job that stands still for ten minutes ends its actors, so that nothing old is held for it; what it has read stays, and what happens meanwhile is kept for it as long as changelog_retention says",
	When:     "`ALTER BACKFILL v PAUSE;` or a backfill_rate_limit of 0, and then ten minutes",
	Remedies: []string{"`ALTER BACKFILL v RESUME;` lets it go on from where it was"},
})

// AttachUndone: a job took too long to get in step.
var AttachUndone = register(Entry{
	Code: "TM-JB-009", SQLState: "55000", Class: Retry,
	Message:  "\"{name}\" was not in step after {time}",
	Meaning:  "the job held up a barrier while it replayed the rest of what it had missed; it goes on from where it was, by itself, and tries again soon with more time",
	When:     "much is written while the job attaches, or the machine is busy",
	Remedies: []string{"nothing needs to be done; `SHOW JOBS;` shows its lag. One that never gets in step is slower than what it reads: more actors or fewer writes help"},
	Related:  []string{"TM-JB-006"},
})
