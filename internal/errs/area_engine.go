package errs

// ShuttingDown: the engine is closing.
var ShuttingDown = register(Entry{
	Code: "TM-EN-001", SQLState: "57P01", Class: Retry,
	Message:  "terminating connection due to administrator command",
	Meaning:  "the server is stopping; what was acknowledged is kept",
	When:     "SIGTERM was sent, or the embedding program called Close",
	Remedies: []string{"connect again when the server runs"},
})

// StoreFailed: a write to the store failed, so the engine has stopped.
var StoreFailed = register(Entry{
	Code: "TM-EN-002", SQLState: "58030", Class: Retry,
	Message:  "the store cannot be written: {what}",
	Meaning:  "a commit or log write failed; Tidemark stopped rather than acknowledge what might be lost",
	When:     "the disk is full or broken",
	Remedies: []string{"free disk space or mend the disk, then start the server again; nothing that was acknowledged is lost"},
})

// TableFailed: the actor of a table ended, so the engine has stopped.
var TableFailed = register(Entry{
	Code: "TM-EN-003", SQLState: "XX000", Class: Bug,
	Message:  "table \"{name}\" has failed: {what}",
	Meaning:  "rows that were acknowledged are in the log but no more in the table; Tidemark stopped rather than answer without them",
	When:     "an invariant of the table's storage is broken, which is a bug of Tidemark",
	Remedies: []string{"start the server again: everything acknowledged is fed to its tables again; report the message if it comes back"},
})

// JobNotReady: a relation is still being created.
var JobNotReady = register(Entry{
	Code: "TM-JB-001", SQLState: "55000", Class: Retry,
	Message:  "materialized view \"{name}\" is still being created",
	Detail:   "{progress}",
	Meaning:  "the view's history is being read, so that it cannot answer yet",
	When:     "a SELECT names a view whose CREATE runs in the background",
	Remedies: []string{"`WAIT;` until it is there, `SHOW JOBS;` for its progress, or `SET read_incomplete = on;` to read what there is"},
})

// JobQuarantined: a job was stopped after repeated failures.
var JobQuarantined = register(Entry{
	Code: "TM-JB-002", SQLState: "55000", Class: User,
	Message:  "job {job} is quarantined: {reason}",
	Meaning:  "the job failed three times in a row and was stopped; other jobs go on",
	When:     "an operator of the job fails on every attempt",
	Remedies: []string{"`SHOW JOBS;` for the reason; mend it, then `ALTER JOB 1 RESUME;` with the job's number"},
})

// JobCancelled: a creation was cancelled.
var JobCancelled = register(Entry{
	Code: "TM-JB-003", SQLState: "57014", Class: User,
	Message:  "the creation was ended by another session, with DROP or CANCEL JOBS",
	Meaning:  "what was being created was dropped, or its job cancelled; everything it had made is removed",
	When:     "another session drops the object, or what it reads with CASCADE, while CREATE or WAIT waits for it",
	Remedies: []string{"create it again, with `SET background_ddl = true;` to have the session free meanwhile"},
})

// JobCreated: a job that is there can not be cancelled.
var JobCreated = register(Entry{
	Code: "TM-JB-005", SQLState: "55000", Class: User,
	Message:  "job {job} is not being created",
	Meaning:  "only a creation can be cancelled; this one has ended",
	When:     "CANCEL JOB names the job of a table, view or index that answers",
	Remedies: []string{"drop what the job maintains: `DROP MATERIALIZED VIEW v;`"},
	Related:  []string{"TM-JB-004"},
})

// NoSuchJob: a statement names a job that is not there.
var NoSuchJob = register(Entry{
	Code: "TM-JB-004", SQLState: "42704", Class: User,
	Message:  "job {job} does not exist",
	Meaning:  "no job has this number",
	When:     "the job was dropped, cancelled, or the number is mistyped",
	Remedies: []string{"`SHOW JOBS;` lists the numbers"},
})

// JobLate: a job held up the others.
var JobLate = register(Entry{
	Code: "TM-JB-006", SQLState: "55000", Class: Retry,
	Message: "\"{name}\" held up a barrier for {time}",
	Meaning: "the job needs longer for its changes than `detach_after` allows, so it goes on by itself and attaches again when it has caught up; the others do not wait for it",
	When:    "a change makes very many rows of a view change, or a view is too slow for what its tables receive",
	Remedies: []string{"`SHOW JOBS;` tells how far it is behind; a condition that the join can look up, or fewer rows per key, makes it faster",
		"`ALTER MATERIALIZED VIEW v SET on_lag = slow;` has the others wait for it instead"},
})
