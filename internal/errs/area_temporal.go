package errs

var TemporalJoinKind = register(Entry{
	Code: "TM-SQL-180", SQLState: "0A000", Class: User,
	Message:  "FOR SYSTEM_TIME AS OF PROCTIME() stands in an inner or left join only",
	Meaning:  "each row of the left side is looked up when it comes; no row is made for one of the right side that has no match",
	When:     "RIGHT, FULL or ASOF JOIN names a table AS OF PROCTIME()",
	Remedies: []string{"`SELECT o.id, c.name FROM orders o LEFT JOIN customer c FOR SYSTEM_TIME AS OF PROCTIME() ON o.customer = c.id;`"},
})

var TemporalJoinInput = register(Entry{
	Code: "TM-SQL-181", SQLState: "0A000", Class: User,
	Message: "the left side of a join with FOR SYSTEM_TIME AS OF PROCTIME() must be append-only",
	Meaning: "what was looked up for a row is not kept, so the row could not be taken back",
	When:    "a view joins a table that is not APPEND ONLY, or a query over one, with a table AS OF PROCTIME()",
	Remedies: []string{"make the table of the left side append-only: `CREATE TABLE orders (id int, customer int) APPEND ONLY;`",
		"leave out FOR SYSTEM_TIME: the view then follows changes of both sides"},
})

var TemporalJoinKey = register(Entry{
	Code: "TM-SQL-182", SQLState: "0A000", Class: User,
	Message: "a join with FOR SYSTEM_TIME AS OF PROCTIME() needs the key of a table or of an index",
	Meaning: "rows are looked up in the stored relation: the right side must be a table, materialized view or index by name, and the condition must equate its primary key, or all columns of an index on it, with columns of the left side",
	When:    "the right side is a subquery, a view or a WITH item, or no index has the columns",
	Remedies: []string{"make an index on the columns first: `CREATE INDEX customer_by_name ON customer (name);`",
		"store the rows: `CREATE MATERIALIZED VIEW customers AS SELECT id, name FROM customer;`"},
})
