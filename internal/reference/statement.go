// Package reference is the reference of SQL as it is understood: the statements, written down here with an example each,
// and the functions, from their registries. docs/sql.md is generated from it; a test runs every example.
//
//	page := reference.Markdown(supported)
package reference

// Statement is a statement of SQL.
type Statement struct {
	Name    string
	Forms   string // how it is written, a line each; [] is optional, | is a choice
	Doc     string // sentences on what is not obvious from the forms
	Example string // SQL that can be run after the examples before it, for one client
}

// Section is a group of statements.
type Section struct {
	Title      string
	Statements []Statement
}

// Sections returns all statements in the order of the page.
func Sections() []Section {
	return []Section{relations(), rows(), queries(), transactions(), jobs(), catalogs(), sessions(), cursors(), connectors()}
}

func relations() Section {
	return Section{"Tables, views, indexes", []Statement{
		{"CREATE TABLE", "CREATE TABLE [IF NOT EXISTS] name (column type [NOT NULL] [DEFAULT value] [PRIMARY KEY], ... [, PRIMARY KEY (columns)])\n    [APPEND ONLY] [ON CONFLICT DO NOTHING | OVERWRITE]\nCREATE TABLE name [(columns)] AS query",
			"A table without a primary key is a bag of rows. ON CONFLICT says what an INSERT of a key that is there does; without it that is an error. Rows of an APPEND ONLY table are not changed or deleted, and views over it keep less.",
			"CREATE TABLE orders (id int PRIMARY KEY, customer text NOT NULL, amount bigint DEFAULT 0, at timestamp);\nCREATE TABLE customers AS SELECT 'ann' AS name, 'Berlin' AS city;"},
		{"CREATE MATERIALIZED VIEW", "CREATE [OR REPLACE] MATERIALIZED VIEW [IF NOT EXISTS] name [(columns)] AS query",
			"The view is current after every commit. Over rows that exist it is built beside the running stream; the statement returns when the view is complete, or at once after `SET background_ddl = on`. What fails on a row is NULL there and counted in tm_errors. OR REPLACE gives a view that is there another query, in the way of RECREATE; its columns stay as they are, and others may follow them.",
			"CREATE MATERIALIZED VIEW revenue AS\n  SELECT customer, count(*) AS orders, sum(amount) AS total FROM orders GROUP BY customer;"},
		{"Views that look at the time", "CREATE MATERIALIZED VIEW name AS SELECT ... WHERE expression < | <= | = | >= | > now() [+ | - interval '...']",
			"Rows come and go as the time passes, at the barriers: at least once a second. Any combination of such comparisons will do, with BETWEEN, AND, OR and NOT, in WHERE, HAVING and conditions of inner joins; the side of the time is now(), current_date or localtimestamp with constants, date_trunc and AT TIME ZONE around it. The time never goes back: what has passed is forgotten.",
			"CREATE TABLE visit (id int PRIMARY KEY, page text, at timestamptz);\nCREATE MATERIALIZED VIEW recent AS\n  SELECT id, page FROM visit WHERE at > now() - interval '1 hour';"},
		{"Views that look rows up", "CREATE MATERIALIZED VIEW name AS SELECT ...\n    FROM relation [LEFT] JOIN table FOR SYSTEM_TIME AS OF PROCTIME() ON condition",
			"Each row of the left side is joined, when it comes, with what the table holds as of the epoch before; what the table holds later changes nothing. The left side must be append-only, and the condition must equate the table's primary key, or the columns of an index on it, which the view then depends on. In a query it is an ordinary join.",
			"CREATE TABLE hit (id int, visit int) APPEND ONLY;\nCREATE MATERIALIZED VIEW hit_pages AS\n  SELECT h.id, v.page FROM hit h LEFT JOIN visit v FOR SYSTEM_TIME AS OF PROCTIME() ON h.visit = v.id;"},
		{"Views that wait", "CREATE TABLE name (column type, ..., WATERMARK FOR column AS expression) [APPEND ONLY]\nCREATE MATERIALIZED VIEW name AS query EMIT ON WINDOW CLOSE",
			"A watermark is the greatest value that the expression, the column less a delay, has had for a row; it outlives restarts. Rows that an INSERT or COPY brings below it are late: they are left out, counted in tm_watermarks and told in a NOTICE; a row at it, and one without a time, is not late. A view with EMIT ON WINDOW CLOSE shows the rows of its query that no later row can change: a group by a window once the watermark has reached the window's end, a row over a window function ordered by the column once the rows that the function looks at are passed, any other row once its time is. So each row comes once and stays. The view waits for rows, not for the clock: over an input without new rows nothing closes. Watermarks reach through views, projections, groups and joins on equal times.",
			"CREATE TABLE toll (gate int, at timestamp, cents int, WATERMARK FOR at AS at - INTERVAL '5 seconds') APPEND ONLY;\nCREATE MATERIALIZED VIEW per_minute AS\n  SELECT gate, window_start, sum(cents) AS cents FROM tumble(toll, at, INTERVAL '1 minute')\n  GROUP BY gate, window_start EMIT ON WINDOW CLOSE;"},
		{"CREATE VIEW", "CREATE [OR REPLACE] VIEW name [(columns)] AS query", "A name for a query; it stores nothing.",
			"CREATE VIEW large AS SELECT * FROM orders WHERE amount > 100;"},
		{"CREATE INDEX", "CREATE INDEX [name] ON relation (columns) [INCLUDE (columns)]", "An index is kept like a view, and makes look-ups by its columns fast. It may be on a table or a materialized view.",
			"CREATE INDEX orders_customer ON orders (customer);"},
		{"ALTER TABLE, ALTER VIEW, ...", "ALTER TABLE | MATERIALIZED VIEW | VIEW | INDEX name RENAME TO name\nALTER TABLE name RENAME COLUMN column TO column\nALTER TABLE | MATERIALIZED VIEW | VIEW name OWNER TO user | SET SCHEMA schema\nALTER TABLE name ADD COLUMN column type | DROP COLUMN column", "",
			"ALTER TABLE customers RENAME TO clients;"},
		{"DROP", "DROP TABLE | MATERIALIZED VIEW | VIEW | INDEX | SCHEMA | USER [IF EXISTS] names [CASCADE]", "What others depend on is dropped only with CASCADE, which drops them, too.",
			"DROP TABLE clients;\nDROP VIEW large;"},
		{"COMMENT", "COMMENT ON TABLE | COLUMN | MATERIALIZED VIEW name IS 'text' | NULL", "", "COMMENT ON TABLE orders IS 'what was sold';"},
	}}
}

func rows() Section {
	return Section{"Changing rows", []Statement{
		{"INSERT", "INSERT INTO table [(columns)] VALUES (values), ... | query\n    [ON CONFLICT [(columns)] DO NOTHING | DO UPDATE SET column = value, ... [WHERE condition]]\n    [RETURNING expressions]",
			"It is acknowledged when it is durable. In ON CONFLICT, excluded is the row that was to be inserted.",
			"INSERT INTO orders VALUES (1, 'ann', 120, '2024-05-01 10:00'), (2, 'bob', 80, '2024-05-01 11:00');\nINSERT INTO orders VALUES (1, 'ann', 130) ON CONFLICT (id) DO UPDATE SET amount = excluded.amount RETURNING id, amount;"},
		{"UPDATE", "UPDATE table SET column = value, column[subscript] = value, ... [FROM relations] [WHERE condition] [RETURNING expressions]",
			"A part of an array is given with its subscripts, a slice as `[low:high]`.",
			"UPDATE orders SET amount = amount + 1 WHERE customer = 'bob';"},
		{"DELETE", "DELETE FROM table [USING relations] [WHERE condition] [RETURNING expressions]", "", "DELETE FROM orders WHERE id = 2 RETURNING *;"},
		{"TRUNCATE", "TRUNCATE [TABLE] tables", "", "CREATE TABLE scratch (a int);\nTRUNCATE scratch;"},
		{"COPY", "COPY table [(columns)] FROM STDIN [WITH (options)] [WHERE condition]\nCOPY table [(columns)] | (query) TO STDOUT [WITH (options)]", "Data comes from and goes to the client, as psql's \\copy does it; of what comes, rows for which the condition is true are taken. Options are PostgreSQL's: `format` (text, csv, binary), `delimiter`, `null`, `header` (true, match), `quote`, `escape`, `force_quote`, `force_not_null`, `force_null`, `encoding` (utf8).",
			"COPY orders (id, customer) TO STDOUT;"},
	}}
}

func queries() Section {
	return Section{"Queries", []Statement{
		{"SELECT", "[WITH [RECURSIVE] name AS (query), ...]\nSELECT [DISTINCT [ON (expressions)]] expressions\n    [FROM relation | (query) | function(...) [JOIN ... ON condition], ...] [WHERE condition]\n    [GROUP BY expressions | ROLLUP | CUBE | GROUPING SETS] [HAVING condition] [WINDOW name AS (...)]\n    [UNION | INTERSECT | EXCEPT [ALL] query] [ORDER BY expressions] [LIMIT n] [OFFSET n]",
			"A query sees every write that was acknowledged before it began, of whatever session (`freshness`). Subqueries may be correlated; LATERAL, window functions and set operations are there, in views as in queries.",
			"SELECT o.customer, o.amount, rank() OVER (ORDER BY o.amount DESC) FROM orders o\nWHERE EXISTS (SELECT 1 FROM revenue r WHERE r.customer = o.customer);"},
		{"VALUES", "VALUES (values), ...", "", "VALUES (1, 'one'), (2, 'two');"},
		{"Windows in time", "TUMBLE(relation, column, size)\nHOP(relation, column, slide, size)", "They add window_start and window_end to the rows of a relation.",
			"SELECT window_start, sum(amount) FROM TUMBLE(orders, at, INTERVAL '1 hour') GROUP BY window_start;"},
		{"EXPLAIN", "EXPLAIN [ANALYZE] [(option [value], ...)] query | INSERT ... | UPDATE ... | DELETE ... | EXECUTE ... | CREATE MATERIALIZED VIEW | VIEW | INDEX | SINK | TABLE ...",
			"Prints the plan. ANALYZE runs a query and prints the rows that each operator gave and its own time. Options: `analyze`, `timing`, `summary`, `format` (text, json), `logical` (before the rules), `trace` (after each rule); those of PostgreSQL that ask for costs are taken and ignored.",
			"EXPLAIN ANALYZE SELECT * FROM orders WHERE id = 1;"},
		{"EXPLAIN ERROR", "EXPLAIN ERROR 'code'", "Prints the page of an error: cause and remedies, as `tidemark explain` does.", "EXPLAIN ERROR 'TM-SQL-101';"},
	}}
}

func transactions() Section {
	return Section{"Transactions", []Statement{
		{"BEGIN, COMMIT, ROLLBACK", "BEGIN [ISOLATION LEVEL level] [READ ONLY]\nCOMMIT\nROLLBACK", "All rows of a transaction become visible at once. After an error only ROLLBACK goes on. DDL is not part of a transaction.",
			"BEGIN;\nINSERT INTO orders VALUES (3, 'cyd', 5);\nCOMMIT;"},
		{"SAVEPOINT", "SAVEPOINT name\nROLLBACK TO [SAVEPOINT] name\nRELEASE [SAVEPOINT] name", "",
			"BEGIN;\nSAVEPOINT s;\nDELETE FROM orders;\nROLLBACK TO s;\nRELEASE s;\nROLLBACK;"},
		{"SET TRANSACTION", "SET TRANSACTION ISOLATION LEVEL level | READ ONLY", "", "BEGIN;\nSET TRANSACTION READ ONLY;\nROLLBACK;"},
		{"LOCK", "LOCK [TABLE] tables IN mode MODE", "`ACCESS SHARE`, `ROW SHARE` and `ROW EXCLUSIVE` are accepted, and nothing to do: rows that a transaction wrote are locked anyhow. Modes that would hold up others are refused.", "BEGIN;\nLOCK TABLE orders IN ACCESS SHARE MODE;\nROLLBACK;"},
	}}
}
