package errs

// NtileArgument: ntile(0) and below.
var NtileArgument = register(Entry{
	Code: "TM-OP-001", SQLState: "22014", Class: User,
	Message:  "argument of ntile must be greater than zero",
	Meaning:  "ntile divides the rows of a window into as many buckets as its argument says; there must be at least one",
	When:     "a query calls ntile with 0 or a negative number; in a running view the value is NULL instead",
	Remedies: []string{"give ntile a positive number, for instance by `SELECT ntile(4) OVER (ORDER BY v) FROM t;`"},
	Related:  []string{"TM-OP-002"},
})

// NthValueArgument: nth_value(x, 0) and below.
var NthValueArgument = register(Entry{
	Code: "TM-OP-002", SQLState: "22016", Class: User,
	Message:  "argument of nth_value must be greater than zero",
	Meaning:  "nth_value counts the rows of a window frame from 1",
	When:     "a query calls nth_value with 0 or a negative number; in a running view the value is NULL instead",
	Remedies: []string{"count from 1, for instance by `SELECT nth_value(v, 1) OVER (ORDER BY v) FROM t;`"},
	Related:  []string{"TM-OP-001"},
})
