package errs

var ExplainOption = register(Entry{
	Code: "TM-XP-001", SQLState: "42601", Class: User,
	Message:  "{problem}",
	Meaning:  "EXPLAIN does not have the option, or not with this value",
	When:     "the word in parentheses is none of analyze, timing, summary, format, logical, trace and those of PostgreSQL",
	Remedies: []string{"`EXPLAIN (ANALYZE, FORMAT json) SELECT 1;`"},
})

var ExplainValue = register(Entry{
	Code: "TM-XP-002", SQLState: "22023", Class: User,
	Message:  "unrecognized value for EXPLAIN option \"{option}\": \"{value}\"",
	Meaning:  "the option has no such value",
	When:     "FORMAT is neither text nor json",
	Remedies: []string{"`EXPLAIN (FORMAT text) SELECT 1;`"},
})
