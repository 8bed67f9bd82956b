package errs

var InvalidRecursion = register(Entry{
	Code: "TM-RC-001", SQLState: "42P19", Class: User,
	Message:  "{problem}",
	Meaning:  "a query of WITH RECURSIVE refers to itself in a way that has no meaning row by row",
	When:     "the query is not a UNION whose right side alone, and once, reads the query itself, outside of subqueries, aggregates and the padded side of joins",
	Remedies: []string{"write it as in `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT * FROM r;`"},
})

var RecursionType = register(Entry{
	Code: "TM-RC-002", SQLState: "42804", Class: User,
	Message:  "recursive query \"{name}\" column {n} has type {base} in non-recursive term but type {overall} overall",
	Meaning:  "the rows of the first round have another type than those of the later ones",
	When:     "the right side of the UNION computes a wider type than the left side starts with",
	Remedies: []string{"cast the output of the non-recursive term to the correct type, as in `SELECT 1::numeric;`"},
})

var RecursionStreaming = register(Entry{
	Code: "TM-RC-003", SQLState: "0A000", Class: User,
	Message:  "WITH RECURSIVE is not supported in a materialized view",
	Meaning:  "a recursive query can be run once, but not be kept up to date",
	When:     "a materialized view, sink or index is defined with WITH RECURSIVE, or over a view that has it",
	Remedies: []string{"run the recursion in the query that reads the view; or join as many times as there are levels, with `UNION ALL`"},
})
