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

var DuplicateTableColumn = register(Entry{
	Code: "TM-DDL-006", SQLState: "42701", Class: User,
	Message:  "column \"{column}\" of relation \"{table}\" already exists",
	Meaning:  "the table has a column of this name",
	When:     "ALTER TABLE adds or renames a column",
	Remedies: []string{"`ALTER TABLE t ADD COLUMN IF NOT EXISTS c int;`"},
})

var NullsPresent = register(Entry{
	Code: "TM-DDL-007", SQLState: "23502", Class: User,
	Message:  "column \"{column}\" of relation \"{table}\" contains null values",
	Meaning:  "rows that are there would break NOT NULL",
	When:     "ALTER TABLE adds a NOT NULL column without a default, or sets NOT NULL",
	Remedies: []string{"give a default: `ALTER TABLE t ADD COLUMN c int NOT NULL DEFAULT 0;`, or fill the column first: `UPDATE t SET c = 0 WHERE c IS NULL;`"},
})

var ColumnInUse = register(Entry{
	Code: "TM-DDL-008", SQLState: "2BP01", Class: User,
	Message:  "cannot drop column {column} of table {table} because other objects depend on it",
	Detail:   "{detail}",
	Meaning:  "views or generated columns read the column",
	When:     "ALTER TABLE ... DROP COLUMN without CASCADE",
	Remedies: []string{"drop those first, or all together: `ALTER TABLE t DROP COLUMN c CASCADE;`"},
})

var ColumnOfView = register(Entry{
	Code: "TM-DDL-009", SQLState: "0A000", Class: User,
	Message:  "cannot alter type of a column used by a view or rule",
	Detail:   "{detail}",
	Meaning:  "views keep the types of the columns that they read",
	When:     "ALTER TABLE ... ALTER COLUMN ... TYPE",
	Remedies: []string{"drop the views, alter the column, and create them again"},
})
