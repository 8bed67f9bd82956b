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

var NotOwner = register(Entry{
	Code: "TM-DDL-010", SQLState: "42501", Class: User,
	Message:  "must be owner of {kind} {name}",
	Meaning:  "only its owner and superusers may change or drop an object",
	When:     "another user runs ALTER, DROP or COMMENT",
	Remedies: []string{"as its owner or a superuser: `ALTER TABLE t OWNER TO u;`"},
})

var InvalidPrivilege = register(Entry{
	Code: "TM-DDL-011", SQLState: "0LP01", Class: User,
	Message:  "invalid privilege type {privilege} for {kind}",
	Meaning:  "there is no such privilege on objects of this kind",
	When:     "GRANT or REVOKE names it",
	Remedies: []string{"grant what there is: `GRANT ALL ON t TO u;`"},
})

var InvalidGrant = register(Entry{
	Code: "TM-DDL-012", SQLState: "0LP01", Class: User,
	Message:  "{what}",
	Meaning:  "the parts of the GRANT or REVOKE do not go together",
	When:     "ALTER DEFAULT PRIVILEGES names schemas in a schema",
	Remedies: []string{"leave IN SCHEMA out: `ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO u;`"},
})

var UndefinedDatabase = register(Entry{
	Code: "TM-DDL-013", SQLState: "3D000", Class: User,
	Message:  "database \"{name}\" does not exist",
	Meaning:  "there is no database of this name",
	When:     "the name is mistyped, or the database was dropped",
	Remedies: []string{"`SHOW DATABASES;` lists them"},
})

var UserInUse = register(Entry{
	Code: "TM-DDL-014", SQLState: "2BP01", Class: User,
	Message:  "role \"{name}\" cannot be dropped because some objects depend on it",
	Detail:   "{detail}",
	Meaning:  "the user owns objects, or has rights on some",
	When:     "DROP USER",
	Remedies: []string{"`ALTER TABLE t OWNER TO root;` for what the user owns, `REVOKE ALL ON t FROM u;` for rights"},
})

var UnknownPrivilege = register(Entry{
	Code: "TM-DDL-015", SQLState: "22023", Class: User,
	Message:  "unrecognized privilege type: \"{privilege}\"",
	Meaning:  "the text names no privilege on objects of this kind",
	When:     "has_table_privilege and its kin get a text that is no list of privileges",
	Remedies: []string{"`SELECT has_table_privilege('t', 'SELECT, INSERT');`"},
})

var NoSuchSubscription = register(Entry{
	Code: "TM-DDL-016", SQLState: "42704", Class: User,
	Message:  "the subscription does not exist any more",
	Meaning:  "it was dropped while a cursor was declared for it",
	When:     "DECLARE ... SUBSCRIPTION CURSOR and DROP SUBSCRIPTION run at the same time",
	Remedies: []string{"`CREATE SUBSCRIPTION s FROM t WITH (retention = '1 day');` makes it again"},
})

var SubscriptionRange = register(Entry{
	Code: "TM-DDL-017", SQLState: "22023", Class: User,
	Message:  "the subscription does not keep the changes since {epoch}; it has those from {from} to {to}",
	Meaning:  "the changes are older than the retention, or have not happened yet",
	When:     "DECLARE ... SUBSCRIPTION CURSOR FOR s SINCE n",
	Remedies: []string{"read what there is with SINCE begin(), or the whole relation with FULL", "keep changes longer: `ALTER SUBSCRIPTION s SET retention = '7 days';`"},
})

var InvalidSince = register(Entry{
	Code: "TM-DDL-018", SQLState: "22023", Class: User,
	Message:  "SINCE takes now(), begin() or a value of rw_timestamp",
	Meaning:  "the text tells no place in the history of the relation",
	When:     "DECLARE ... SUBSCRIPTION CURSOR FOR s SINCE x",
	Remedies: []string{"SINCE begin() for all that the subscription keeps"},
})

var InvalidRetention = register(Entry{
	Code: "TM-DDL-019", SQLState: "22023", Class: User,
	Message:  "a subscription needs a retention, a positive interval",
	Meaning:  "it tells how long changes are kept for readers who come late",
	When:     "CREATE SUBSCRIPTION without it, or with one that is no interval",
	Remedies: []string{"`CREATE SUBSCRIPTION s FROM t WITH (retention = '1 day');`"},
})

var ReturnType = register(Entry{
	Code: "TM-DDL-020", SQLState: "42P13", Class: User,
	Message:  "return type mismatch in function declared to return {want}: actual return type is {have}",
	Meaning:  "what the body computes can not be stored as the type that the function returns",
	When:     "CREATE FUNCTION",
	Remedies: []string{"cast the result in the body, or declare the type that it has"},
})

var InvalidFunction = register(Entry{
	Code: "TM-DDL-021", SQLState: "42P13", Class: User,
	Message:  "{what}",
	Meaning:  "the definition of the function is not complete",
	When:     "CREATE FUNCTION without AS or RETURN",
	Remedies: []string{"`CREATE FUNCTION twice(int) RETURNS int LANGUAGE SQL AS 'SELECT $1 * 2';`"},
})

var DuplicateFunction = register(Entry{
	Code: "TM-DDL-022", SQLState: "42723", Class: User,
	Message:  "function \"{name}\" already exists with same argument types",
	Meaning:  "the schema has a function of this name and these types",
	When:     "CREATE FUNCTION without OR REPLACE",
	Remedies: []string{"use OR REPLACE, or drop it first: `DROP FUNCTION f(int);`"},
})

var FunctionNotUnique = register(Entry{
	Code: "TM-DDL-023", SQLState: "42725", Class: User,
	Message:  "function name \"{name}\" is not unique",
	Meaning:  "several functions have the name, with other argument types",
	When:     "DROP FUNCTION names none of the types",
	Remedies: []string{"name the types: `DROP FUNCTION f(int);`"},
})

var SystemColumn = register(Entry{
	Code: "TM-DDL-024", SQLState: "42701", Class: User,
	Message:  "column name \"{name}\" conflicts with a system column name",
	Meaning:  "PostgreSQL's tables have hidden columns of these names, which tools ask for",
	When:     "CREATE TABLE or CREATE MATERIALIZED VIEW",
	Remedies: []string{"use another name: `CREATE TABLE t (c_min int);`"},
})

var RepeatedOption = register(Entry{
	Code: "TM-DDL-025", SQLState: "22023", Class: User,
	Message:  "parameter \"{name}\" specified more than once",
	Meaning:  "WITH names an option twice, and it is not clear which value counts",
	When:     "CREATE MATERIALIZED VIEW ... WITH (...)",
	Remedies: []string{"name it once"},
})

var UnknownOption = register(Entry{
	Code: "TM-DDL-026", SQLState: "22023", Class: User,
	Message:  "unrecognized parameter \"{name}\"",
	Meaning:  "the statement takes no option of this name",
	When:     "CREATE MATERIALIZED VIEW or CREATE TABLE ... WITH (...)",
	Remedies: []string{"`CREATE MATERIALIZED VIEW v WITH (backfill_rate_limit = 1000) AS SELECT 1 AS a;`", "name the connector whose option it is"},
})

// ReservedName is a name that only the system gives.
var ReservedName = register(Entry{
	Code: "TM-DDL-027", SQLState: "42939", Class: User,
	Message:  "{what}",
	Detail:   "{why}",
	Meaning:  "names that begin with pg_ are the system's, so that its relations can not be hidden",
	When:     "CREATE SCHEMA, ALTER SCHEMA ... RENAME TO or CREATE ROLE with such a name",
	Remedies: []string{"choose another name: `CREATE SCHEMA shop;`"},
})

// ColumnInDefault is a column that a default would have to read.
var ColumnInDefault = register(Entry{
	Code: "TM-DDL-028", SQLState: "0A000", Class: User,
	Message:  "cannot use column reference in DEFAULT expression",
	Meaning:  "a default is computed before there is a row, so it can not depend on the row's other columns",
	When:     "CREATE TABLE, ALTER TABLE ... ADD COLUMN or SET DEFAULT",
	Remedies: []string{"let the column be computed from the others: `CREATE TABLE t (a int, b int GENERATED ALWAYS AS (a + 1) STORED);`"},
})

// ColumnContradiction is a column that is declared in two ways at once.
var ColumnContradiction = register(Entry{
	Code: "TM-DDL-029", SQLState: "42601", Class: User,
	Message:  "{what} for column \"{column}\" of table \"{table}\"",
	Meaning:  "a column either takes NULL or not, and has one default at most",
	When:     "CREATE TABLE, ALTER TABLE ... ADD COLUMN",
	Remedies: []string{"say it once: `CREATE TABLE t (a int NOT NULL DEFAULT 0);`"},
})

// UnknownAccessMethod is a kind of index that nobody has.
var UnknownAccessMethod = register(Entry{
	Code: "TM-DDL-030", SQLState: "42704", Class: User,
	Message:  "access method \"{name}\" does not exist",
	Meaning:  "USING names a kind of index that is none of PostgreSQL's or RisingWave's",
	When:     "CREATE INDEX ... USING",
	Remedies: []string{"leave it out: `CREATE INDEX i ON t (a);`"},
})
