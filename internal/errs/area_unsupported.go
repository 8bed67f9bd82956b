package errs

// Unsupported names a feature that Tidemark does not have. Instead has a way out for those that people come with most.
var Unsupported = register(Entry{
	Code: "TM-SQL-001", SQLState: "0A000", Class: User,
	Message:  "{feature} is not supported",
	Meaning:  "the statement is understood, but Tidemark does not have this feature",
	When:     "a statement of PostgreSQL's or RisingWave's dialect goes beyond what the SQL reference lists",
	Remedies: []string{"see docs/sql.md for what is supported, and rewrite the statement without it"},
	Instead: []Substitute{
		{"a UNIQUE constraint", "only a primary key is unique: `CREATE TABLE t (a int PRIMARY KEY, b text);`"},
		{"a unique index", "only a primary key is unique: `CREATE TABLE t (a int PRIMARY KEY, b text);`"},
		{"a CHECK constraint", "let a view show the rows that break the rule: `CREATE MATERIALIZED VIEW wrong AS SELECT * FROM t WHERE a <= 0;`"},
		{"a FOREIGN KEY constraint", "let a view show the rows without a parent: `CREATE MATERIALIZED VIEW orphans AS SELECT * FROM t WHERE NOT EXISTS (SELECT 1 FROM p WHERE p.id = t.parent);`"},
		{"an IDENTITY column", noNumbering},
		{"CREATE SEQUENCE", noNumbering},
		{"type serial", noNumbering},
		{"type bigserial", noNumbering},
		{"type smallserial", noNumbering},
		{"a temporary table", "make an ordinary one and drop it: `CREATE TABLE t AS SELECT 1 AS a;`"},
		{"a temporary view", "make an ordinary one and drop it: `CREATE VIEW v AS SELECT 1 AS a;`"},
		{"an index on a part of the rows", "index a view that has these rows: `CREATE MATERIALIZED VIEW part AS SELECT * FROM t WHERE a > 0;`"},
		{"a partitioned table", "leave PARTITION BY away: rows are spread over all processors by the primary key"},
		{"CREATE TABLE LIKE", "name the columns, or take them from a query: `CREATE TABLE n AS SELECT * FROM t WHERE false;`"},
		{"SELECT INTO", "`CREATE TABLE n AS SELECT * FROM t;`"},
		{"MERGE", "`INSERT INTO t VALUES (1, 'a') ON CONFLICT (id) DO UPDATE SET name = excluded.name;`"},
		{"TABLESAMPLE", "`SELECT * FROM t WHERE random() < 0.1;`"},
		{"a SELECT that locks rows", "leave the clause away: rows that an open transaction has written are locked until it ends"},
		{"a table lock that holds up others", "rows that an open transaction has written are locked until it ends; for more, let all agree on a number: `SELECT pg_advisory_lock(7);`"},
		{"LISTEN", noListening},
		{"NOTIFY", noListening},
		{"CREATE TRIGGER", "let a materialized view compute what follows from a change, and a subscription tell of it: `CREATE SUBSCRIPTION s FROM v WITH (retention = '1 day');`"},
		{"CREATE EVENT TRIGGER", "events are in the log; `SHOW JOBS;` and tm_errors tell of jobs"},
		{"CREATE RULE", "write to the table, and read from a view"},
		{"CREATE TYPE", "use struct<a int, b text> for a composite and text for an enum"},
		{"CREATE DOMAIN", "use the type that the domain is over"},
		{"CREATE EXTENSION", "leave it away; the functions that exist are built in: `SELECT proname FROM pg_proc;`"},
		{"CREATE POLICY", "let users read a view of the rows they may see: `GRANT SELECT ON v TO u;`"},
		{"ROW LEVEL SECURITY", "let users read a view of the rows they may see: `GRANT SELECT ON v TO u;`"},
		{"CREATE PUBLICATION", "let readers follow a subscription: `CREATE SUBSCRIPTION s FROM v WITH (retention = '1 day');`"},
		{"CREATE PROCEDURE", noProcedures},
		{"CALL", noProcedures},
		{"DO", noProcedures},
		{"a function that is not in SQL, or returns a table", "write it as one expression: `CREATE FUNCTION twice(a int) RETURNS int LANGUAGE sql AS 'SELECT a * 2';`"},
		{"PREPARE TRANSACTION", "`COMMIT;` ends the transaction here; two systems cannot commit as one"},
		{"COMMIT PREPARED", "`COMMIT;` ends the transaction here; two systems cannot commit as one"},
		{"ROLLBACK PREPARED", "`ROLLBACK;` ends the transaction here; two systems cannot commit as one"},
		{"CHECKPOINT", "leave it away: what is acknowledged is durable"},
		{"CLUSTER", "leave it away: rows lie in the order of the primary key"},
		{"REINDEX", "leave it away; an index that is in doubt is made anew: `DROP INDEX i;`, then `CREATE INDEX i ON t (a);`"},
		{"SET ROLE", "connect as the user who has the rights"},
		{"membership in roles", "grant to each user: `GRANT SELECT ON t TO u;`"},
		{"COPY with a file or program of the server", "send the rows: \\copy of psql, or `COPY t FROM STDIN;`"},
		{"a constraint that is added to a table", "make a table with the key and fill it: `INSERT INTO n SELECT * FROM t;`, then `ALTER TABLE n SWAP WITH t;`"},
	},
})

const (
	noNumbering  = "let each row bring its key, or take a random one: `CREATE TABLE t (id uuid DEFAULT gen_random_uuid() PRIMARY KEY, a text);`"
	noListening  = "read changes from a subscription: `CREATE SUBSCRIPTION s FROM v WITH (retention = '1 day');`, then `DECLARE c SUBSCRIPTION CURSOR FOR s;`"
	noProcedures = "send the statements from the client, between `BEGIN;` and `COMMIT;`"
)
