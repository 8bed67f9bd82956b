package errs

// Internal reports a broken invariant that reached a user.
var Internal = register(Entry{
	Code: "TM-BUG-001", SQLState: "XX000", Class: Bug,
	Message:  "internal error: {what}",
	Meaning:  "an invariant of Tidemark does not hold; the statement or job was stopped before it could do harm",
	When:     "never in a correct build; this is a bug",
	Remedies: []string{"report it with the log lines around it; `SHOW JOBS;` tells whether a job was stopped, `ALTER JOB 1 RESUME;` tries it again"},
})

// Unsupported names a feature that Tidemark does not have.
var Unsupported = register(Entry{
	Code: "TM-SQL-001", SQLState: "0A000", Class: User,
	Message:  "{feature} is not supported",
	Meaning:  "the statement is understood, but Tidemark does not have this feature",
	When:     "a statement of PostgreSQL's or RisingWave's dialect goes beyond what the SQL reference lists",
	Remedies: []string{"see docs/sql.md for what is supported, and rewrite the statement without it"},
})
