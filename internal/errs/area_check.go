package errs

// RowMisplaced: a stored row is where no look-up finds it.
var RowMisplaced = register(Entry{
	Code: "TM-CK-001", SQLState: "XX001", Class: Corruption,
	Message:  "a row of \"{relation}\" is not where it belongs: {what}",
	Meaning:  "a scan shows the row and a look-up does not",
	When:     "the store was damaged outside Tidemark, or holds parts of another",
	Remedies: []string{"a view is dropped and created again: `SHOW CREATE MATERIALIZED VIEW v;` prints its definition; a table is brought back from the last backup of the directory"},
})

// OrphanTable: rows that belong to nobody.
var OrphanTable = register(Entry{
	Code: "TM-CK-002", SQLState: "XX001", Class: Corruption,
	Message:  "table {table} has rows, and no job names it",
	Meaning:  "the rows take space and are never read; the control state that named them may be damaged",
	When:     "a job's record was changed or removed outside Tidemark",
	Remedies: []string{"see what else `tidemark check DIR` tells; if it is nothing, the rows do no harm"},
})
