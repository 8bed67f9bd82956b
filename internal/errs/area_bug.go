package errs

// Internal reports a broken invariant that reached a user.
var Internal = register(Entry{
	Code: "TM-BUG-001", SQLState: "XX000", Class: Bug,
	Message:  "internal error: {what}",
	Meaning:  "an invariant of Tidemark does not hold; the statement or job was stopped before it could do harm",
	When:     "never in a correct build; this is a bug",
	Remedies: []string{"report it with the log lines around it; `SHOW JOBS;` tells whether a job was stopped, `ALTER JOB 1 RESUME;` tries it again"},
})
