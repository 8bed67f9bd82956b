package errs

// OutOfMemory: a reservation does not fit the budget.
var OutOfMemory = register(Entry{
	Code: "TM-MEM-001", SQLState: "53200", Class: Limit,
	Message: "out of memory",
	Detail:  "{account} uses {used} of {limit} bytes and asks for {bytes} more",
	Meaning: "the memory budget of the process, or the share of one session or job in it, is used up; nothing was changed and what the statement held is free again",
	When:    "a statement holds more than fits and cannot write it to files, or too much runs at once",
	Remedies: []string{
		"read fewer rows with WHERE or LIMIT, change rows in several statements, or let a materialized view keep the groups: its state may be larger than memory",
		"start the server with a larger --memory; `SHOW memory;` prints the budget, `SELECT * FROM tm_memory;` who uses it",
	},
})

// RowTooLarge: a row that would be stored is larger than the setting row_size_max.
var RowTooLarge = register(Entry{
	Code: "TM-MEM-002", SQLState: "54000", Class: Limit,
	Message:  "row of table \"{table}\" has {size} bytes, more than the {limit} that a row may have",
	Meaning:  "rows are refused above the size that the setting row_size_max names, wherever they come from",
	When:     "a value is very large, in INSERT, UPDATE, COPY or a change captured from an upstream",
	Remedies: []string{"store large values outside of the row or in several rows, or raise the limit: `ALTER SYSTEM SET row_size_max = '256MB';`"},
})
