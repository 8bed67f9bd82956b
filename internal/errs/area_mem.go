package errs

// OutOfMemory: a reservation does not fit the budget.
var OutOfMemory = register(Entry{
	Code: "TM-MEM-001", SQLState: "53200", Class: Limit,
	Message:  "out of memory",
	Detail:   "{account} uses {used} of {limit} bytes and asks for {bytes} more",
	Meaning:  "the memory budget of the process, or the share of one job or query in it, is used up; nothing was changed",
	When:     "a query sorts, groups or joins more than fits, or too much runs at once",
	Remedies: []string{"run less at once or read fewer rows, or start the server with a larger --memory; `SHOW memory;` prints the budget"},
})
