package errs

var DuplicateCursor = register(Entry{
	Code: "TM-DDL-001", SQLState: "42P03", Class: User,
	Message:  "cursor \"{name}\" already exists",
	Meaning:  "the session has an open cursor of this name",
	When:     "DECLARE is run twice without CLOSE",
	Remedies: []string{"`CLOSE ALL;` or use another name"},
})

var UndefinedCursor = register(Entry{
	Code: "TM-DDL-002", SQLState: "34000", Class: User,
	Message:  "cursor \"{name}\" does not exist",
	Meaning:  "the session has no open cursor of this name",
	When:     "it was never declared, was closed, or ended with its transaction",
	Remedies: []string{"`DECLARE c CURSOR WITH HOLD FOR SELECT 1;` makes one that outlives the transaction"},
})

var CursorForward = register(Entry{
	Code: "TM-DDL-003", SQLState: "55000", Class: User,
	Message:  "cursor can only scan forward",
	Meaning:  "the cursor does not keep the rows that it has returned",
	When:     "FETCH asks for a row before the current one",
	Remedies: []string{"declare it with SCROLL: `DECLARE c SCROLL CURSOR FOR SELECT 1;`"},
})

var ReadOnlyTransaction = register(Entry{
	Code: "TM-DDL-004", SQLState: "25006", Class: User,
	Message:  "cannot execute {statement} in a read-only transaction",
	Meaning:  "the transaction was begun READ ONLY, or transaction_read_only is on",
	When:     "a statement that changes data or the catalog runs in it",
	Remedies: []string{"`COMMIT;` and begin again with `BEGIN READ WRITE;`"},
})

var PermissionDenied = register(Entry{
	Code: "TM-DDL-005", SQLState: "42501", Class: User,
	Message:  "permission denied {what}",
	Meaning:  "the user of the session may not do this",
	When:     "the privilege was not granted, or the object belongs to another user",
	Remedies: []string{"as a superuser or the owner: `GRANT SELECT ON t TO u;`"},
})
