package errs

// UniqueViolation: a key is there already.
var UniqueViolation = register(Entry{
	Code: "TM-DM-001", SQLState: "23505", Class: User,
	Message:  "duplicate key value violates unique constraint \"{constraint}\"",
	Detail:   "Key ({columns})=({values}) already exists.",
	Meaning:  "a row with this primary key is in the table, so the statement was not carried out",
	When:     "an INSERT or UPDATE gives a key that another row has",
	Remedies: []string{"use `INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING;` or `ON CONFLICT (k) DO UPDATE SET ...`"},
})

// NotNullViolation: a column without NULLs got one.
var NotNullViolation = register(Entry{
	Code: "TM-DM-002", SQLState: "23502", Class: User,
	Message:  "null value in column \"{column}\" of relation \"{table}\" violates not-null constraint",
	Detail:   "Failing row contains ({row}).",
	Meaning:  "the column is declared NOT NULL or is part of the primary key",
	When:     "an INSERT or UPDATE leaves the column out or sets it to NULL",
	Remedies: []string{"give the column a value, or a DEFAULT when the table is created"},
})

// Deadlock: two transactions wait for each other.
var Deadlock = register(Entry{
	Code: "TM-DM-003", SQLState: "40P01", Class: Retry,
	Message:  "deadlock detected",
	Meaning:  "two transactions each wait for a row that the other has written; this one was ended",
	When:     "transactions write the same rows in different orders",
	Remedies: []string{"run the transaction again; write rows in one order everywhere"},
})

// ConflictTwice: ON CONFLICT DO UPDATE met a row of its own statement.
var ConflictTwice = register(Entry{
	Code: "TM-DM-004", SQLState: "21000", Class: User,
	Message:  "ON CONFLICT DO UPDATE command cannot affect row a second time",
	Meaning:  "two rows of the INSERT have the same key",
	When:     "the rows proposed for insertion contain duplicates",
	Remedies: []string{"remove duplicates from the rows, for example with DISTINCT ON"},
})
