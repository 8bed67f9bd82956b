package errs

// SubscribeName is text that is no name.
var SubscribeName = register(Entry{
	Code: "TM-EM-001", SQLState: "42602", Class: User,
	Message:  "invalid name syntax: \"{name}\"",
	Meaning:  "a subscription takes the name of a relation, with its schema where that is needed",
	When:     "a query or expression is given in place of a name",
	Remedies: []string{"create a view of the query, `CREATE MATERIALIZED VIEW v AS SELECT 1 AS a;`, and subscribe to its name"},
	Related:  []string{"TM-EM-002"},
})

// SubscribeKind is a relation without a changelog.
var SubscribeKind = register(Entry{
	Code: "TM-EM-002", SQLState: "42809", Class: User,
	Message:  "cannot subscribe to \"{name}\": it is a {kind}",
	Meaning:  "only what is stored has changes to tell: tables, materialized views and indexes",
	When:     "a plain view, a source or a system relation is named",
	Remedies: []string{"create a materialized view of it, `CREATE MATERIALIZED VIEW v AS SELECT * FROM t;`, and subscribe to that"},
	Related:  []string{"TM-EM-001"},
})

// SubscriptionDropped: what was followed is gone.
var SubscriptionDropped = register(Entry{
	Code: "TM-EM-003", SQLState: "42P01", Class: User,
	Message:  "the subscription has ended: relation \"{name}\" was dropped",
	Meaning:  "what the subscription followed does not exist any more; all events before that were delivered",
	When:     "DROP or the cancellation of a job removes a relation that is being followed",
	Remedies: []string{"create the relation again and subscribe anew"},
})

// SubscriptionReplaced: what was followed was made anew.
var SubscriptionReplaced = register(Entry{
	Code: "TM-EM-013", SQLState: "55000", Class: User,
	Message:  "the subscription has ended: relation \"{name}\" was made anew",
	Meaning:  "other rows have taken the place of those that were followed, and how these became those is no event of the subscription",
	When:     "RECREATE, CREATE OR REPLACE MATERIALIZED VIEW or the RESUME of a job that had lagged out replaces what is being followed",
	Remedies: []string{"subscribe anew, or declare the cursor again with FULL, which begins with a snapshot of the new rows"},
	Related:  []string{"TM-EM-003"},
})

// SubscriptionLagged: a reader was away for too long.
var SubscriptionLagged = register(Entry{
	Code: "TM-EM-004", SQLState: "55000", Class: Limit,
	Message:  "the subscription to \"{name}\" has fallen behind: the changes after epoch {epoch} are not kept any more",
	Meaning:  "the reader did not ask for events for longer than changelog_retention, so the changes that it has not seen were given up",
	When:     "the program that reads the events was busy or blocked for very long",
	Remedies: []string{"subscribe anew, which begins with a snapshot; `ALTER SYSTEM SET changelog_retention = '2d';` keeps changes longer"},
})

// ConnectionBusy is a call while the rows of an earlier one are open.
var ConnectionBusy = register(Entry{
	Code: "TM-EM-005", SQLState: "55006", Class: User,
	Message:  "the connection is in use by the rows of an earlier query",
	Meaning:  "one connection runs one statement at a time, and its rows have not been read to their end or closed",
	When:     "a program queries inside of a loop over rows, or forgets to close them",
	Remedies: []string{"close the rows first, or use another connection for the inner query"},
})

// ArgumentType is an argument of a Go type that no SQL type takes.
var ArgumentType = register(Entry{
	Code: "TM-EM-006", SQLState: "42804", Class: User,
	Message:  "argument ${n}: cannot use a Go {go} as {sql}",
	Meaning:  "the value has no form that the parameter's type could be read from",
	When:     "a struct, channel or function is passed where a value is expected",
	Remedies: []string{"pass a bool, number, string, []byte, time.Time, slice of these, or a driver.Valuer; the text form in a string always works"},
})

// ArgumentCount is a call with too few or too many arguments.
var ArgumentCount = register(Entry{
	Code: "TM-EM-007", SQLState: "08P01", Class: User,
	Message:  "the statement has {want} parameters, but {got} arguments were given",
	Meaning:  "there must be one argument for each parameter of the statement",
	When:     "a program passes too few or too many arguments",
	Remedies: []string{"pass one argument for each parameter, as in `SELECT $1::integer + $2::integer;` with two"},
	Related:  []string{"TM-WIRE-013"},
})

// ScanTarget is a destination that can not take a value.
var ScanTarget = register(Entry{
	Code: "TM-EM-008", SQLState: "42804", Class: User,
	Message:  "column \"{column}\" of type {sql} cannot be read into a Go {go}",
	Detail:   "{why}",
	Meaning:  "the destination's type does not hold values of the column's type, or not this value",
	When:     "a NULL meets a destination that is no pointer, a number does not fit, or the types differ",
	Remedies: []string{"use a destination of the column's type, a pointer to one (**T) for NULL, *string for the text form, or *any"},
})

// ScanCount is a Scan with the wrong number of destinations.
var ScanCount = register(Entry{
	Code: "TM-EM-009", SQLState: "42804", Class: User,
	Message:  "the row has {want} columns, but {got} destinations were given",
	Meaning:  "there must be one destination for each column",
	When:     "Scan is called with too few or too many pointers, or before Next",
	Remedies: []string{"name the columns in the SELECT instead of * and pass one pointer for each"},
})

// IsolationUnsupported is a level that a transaction can not have.
var IsolationUnsupported = register(Entry{
	Code: "TM-EM-010", SQLState: "0A000", Class: User,
	Message:  "isolation level {level} is not supported",
	Meaning:  "transactions are READ COMMITTED; stricter ones are not offered in silence",
	When:     "database/sql's BeginTx asks for repeatable read, snapshot or serializable",
	Remedies: []string{"use sql.LevelDefault or sql.LevelReadCommitted"},
})

// CopyData is a COPY where no data can go.
var CopyData = register(Entry{
	Code: "TM-EM-011", SQLState: "0A000", Class: User,
	Message:  "COPY needs a reader or writer for its data",
	Meaning:  "the statement moves data that an ordinary call has no place for",
	When:     "COPY FROM STDIN or TO STDOUT is given to Exec or Query, or to database/sql",
	Remedies: []string{"call CopyFrom or CopyTo of the DB or Conn, which take a reader and a writer"},
	Related:  []string{"TM-EM-012"},
})

// CopyExpected is another statement than a COPY of the right direction.
var CopyExpected = register(Entry{
	Code: "TM-EM-012", SQLState: "42601", Class: User,
	Message:  "the statement is no COPY {direction}",
	Meaning:  "CopyFrom takes the statement that reads the data, CopyTo the one that writes it",
	When:     "another statement is given, or the two are mixed up",
	Remedies: []string{"`COPY t FROM STDIN;` goes with CopyFrom, `COPY t TO STDOUT;` with CopyTo"},
	Related:  []string{"TM-EM-011"},
})
