package errs

var UndefinedSchema = register(Entry{
	Code: "TM-SS-001", SQLState: "3F000", Class: User,
	Message:  "schema \"{name}\" does not exist",
	Meaning:  "the database has no schema of this name",
	When:     "a qualified name or search_path names it",
	Remedies: []string{"`CREATE SCHEMA s;` or `SHOW SCHEMAS;` to see what is there"},
})

var DuplicatePrepared = register(Entry{
	Code: "TM-SS-002", SQLState: "42P05", Class: User,
	Message:  "prepared statement \"{name}\" already exists",
	Meaning:  "the session has a prepared statement of this name",
	When:     "PREPARE is run twice without DEALLOCATE",
	Remedies: []string{"`DEALLOCATE ALL;` or use another name"},
})

var UndefinedPrepared = register(Entry{
	Code: "TM-SS-003", SQLState: "26000", Class: User,
	Message:  "prepared statement \"{name}\" does not exist",
	Meaning:  "the session has no prepared statement of this name",
	When:     "EXECUTE or DEALLOCATE names one that was never prepared, or in another session",
	Remedies: []string{"`PREPARE q AS SELECT 1;` first"},
})

var TransactionFailed = register(Entry{
	Code: "TM-SS-004", SQLState: "25P02", Class: User,
	Message:  "current transaction is aborted, commands ignored until end of transaction block",
	Meaning:  "an earlier statement of the transaction failed, so nothing of it will be kept",
	When:     "a statement follows an error inside BEGIN",
	Remedies: []string{"`ROLLBACK;` and start again"},
})

var DuplicateSchema = register(Entry{
	Code: "TM-SS-005", SQLState: "42P06", Class: User,
	Message:  "schema \"{name}\" already exists",
	Meaning:  "the database has a schema of this name",
	When:     "CREATE SCHEMA is run twice",
	Remedies: []string{"`CREATE SCHEMA IF NOT EXISTS s;`"},
})

var DependentObjects = register(Entry{
	Code: "TM-SS-006", SQLState: "2BP01", Class: User,
	Message:  "cannot drop {what} because other objects depend on it",
	Detail:   "{detail}",
	Meaning:  "views read the object",
	When:     "DROP without CASCADE names something that others use",
	Remedies: []string{"drop those first, or all together: `DROP TABLE t CASCADE;`"},
})

var StatementCancelled = register(Entry{
	Code: "TM-SS-007", SQLState: "57014", Class: User,
	Message:  "canceling statement due to {reason}",
	Meaning:  "the statement was stopped and changed nothing",
	When:     "the client cancelled it, or statement_timeout has passed",
	Remedies: []string{"run it again; `SET statement_timeout = 0;` lifts the limit"},
})

var NoTransaction = register(Entry{
	Code: "TM-SS-008", SQLState: "25P01", Class: User,
	Message:  "{statement} can only be used in transaction blocks",
	Meaning:  "the statement needs a BEGIN before it",
	When:     "SAVEPOINT or ROLLBACK TO stands outside of a transaction",
	Remedies: []string{"`BEGIN;` first"},
})

var NoSavepoint = register(Entry{
	Code: "TM-SS-009", SQLState: "3B001", Class: User,
	Message:  "savepoint \"{name}\" does not exist",
	Meaning:  "the transaction has no savepoint of this name",
	When:     "ROLLBACK TO or RELEASE names one that was released or never made",
	Remedies: []string{"`SAVEPOINT a;` makes one"},
})

var DuplicateUser = register(Entry{
	Code: "TM-SS-010", SQLState: "42710", Class: User,
	Message:  "role \"{name}\" already exists",
	Meaning:  "there is a user of this name",
	When:     "CREATE USER is run twice",
	Remedies: []string{"`ALTER USER u PASSWORD 'new';` changes one"},
})

var UndefinedUser = register(Entry{
	Code: "TM-SS-011", SQLState: "42704", Class: User,
	Message:  "role \"{name}\" does not exist",
	Meaning:  "there is no user of this name",
	When:     "ALTER USER or DROP USER names one that is not there",
	Remedies: []string{"`CREATE USER u;` makes one"},
})

var UndefinedObject = register(Entry{
	Code: "TM-SS-012", SQLState: "42704", Class: User,
	Message:  "{kind} \"{name}\" does not exist",
	Meaning:  "there is no object of this kind and name",
	When:     "the name is mistyped or the object was dropped",
	Remedies: []string{"`SHOW TABLES;` lists tables, `SHOW MATERIALIZED VIEWS;` views, `SHOW INDEXES FROM t;` indexes"},
})

var CopyFormat = register(Entry{
	Code: "TM-SS-013", SQLState: "22P04", Class: User,
	Message:  "{what}",
	Meaning:  "a line of COPY data does not have the columns of the table; nothing was copied",
	When:     "the delimiter or the number of columns differs",
	Remedies: []string{"name the columns: `COPY t (a, b) FROM STDIN;` and check the delimiter"},
})

var ResultChanged = register(Entry{
	Code: "TM-SS-014", SQLState: "0A000", Class: User,
	Message:  "cached plan must not change result type",
	Meaning:  "a prepared statement would now have other columns than the client was told",
	When:     "a table was altered, or search_path was set, after the statement was prepared",
	Remedies: []string{"forget it and prepare it again: `DEALLOCATE ALL;`, or name the columns in place of *"},
})

var ExecuteArguments = register(Entry{
	Code: "TM-SS-015", SQLState: "42601", Class: User,
	Message:  "wrong number of parameters for prepared statement \"{name}\"",
	Detail:   "Expected {want} parameters but got {got}.",
	Meaning:  "EXECUTE has more or fewer arguments than the statement has parameters",
	When:     "an argument was forgotten, or the statement was prepared anew",
	Remedies: []string{"pass one argument for each parameter: `PREPARE p AS SELECT $1::integer;`, then `EXECUTE p (1);`"},
})

var CopyDelimiter = register(Entry{
	Code: "TM-SS-016", SQLState: "0A000", Class: User,
	Message:  "COPY delimiter must be a single one-byte character",
	Meaning:  "what separates the columns is one byte that ends no line",
	When:     "DELIMITER is empty, longer, not ASCII, or the end of a line",
	Remedies: []string{"`COPY t FROM STDIN WITH (DELIMITER ';');`, or leave it out for a tab"},
})

var NoParameter = register(Entry{
	Code: "TM-SS-030", SQLState: "42P02", Class: User,
	Message:  "there is no parameter ${n}",
	Meaning:  "a statement that is run without arguments cannot have parameters",
	When:     "a query with parameters is sent as plain text, as psql does",
	Remedies: []string{"prepare it: `PREPARE p AS SELECT $1::integer;`, then `EXECUTE p (1);`, or pass arguments by the driver"},
})
