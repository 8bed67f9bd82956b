package reference

func jobs() Section {
	return Section{"Jobs", []Statement{
		{"SHOW JOBS", "SHOW JOBS", "The views and indexes that are being built, that have failed or that catch up: what share of the history is read, how many rows a second, the time left, how old the rows are, what the job waits for, and why it failed. tm_jobs and rw_ddl_progress tell the same to programs.", "SHOW JOBS;"},
		{"SHOW BACKFILL", "SHOW BACKFILL name [BY RANGE]", "How far a build is with each relation that it reads, or with each range of their keys.", "SHOW BACKFILL revenue;\nSHOW BACKFILL revenue BY RANGE;"},
		{"WAIT", "WAIT [ALL | MATERIALIZED VIEW name | INDEX name]", "Waits until what is being built is complete, and sinks into tables have passed on what there is then. What is paused or quarantined is not waited for.", "WAIT;"},
		{"FLUSH", "FLUSH", "Waits until every view shows every write that was acknowledged.", "FLUSH;"},
		{"CANCEL JOBS", "CANCEL JOBS numbers", "Drops what is being built, with what was built on it: all of the jobs, or none when one is not being built. Ctrl-C in a CREATE that waits does the same to its own job.", "SET backfill_rate_limit = 0;\nSET background_ddl = on;\nCREATE MATERIALIZED VIEW stopped AS SELECT count(*) FROM orders;\nRESET backfill_rate_limit;\nRESET background_ddl;\nDROP MATERIALIZED VIEW stopped;\nCANCEL JOBS 999999;"},
		{"ALTER ... BACKFILL_RATE_LIMIT", "ALTER MATERIALIZED VIEW name SET BACKFILL_RATE_LIMIT TO n | DEFAULT", "Rows a second that the history is read with; 0 pauses. It is obeyed at once and kept over restarts.",
			"ALTER MATERIALIZED VIEW revenue SET BACKFILL_RATE_LIMIT TO DEFAULT;"},
		{"ALTER ... ON_LAG", "ALTER MATERIALIZED VIEW name SET ON_LAG TO detach | slow | DEFAULT", "Whether a view that holds up the others is let go of, to catch up by itself, or waited for.",
			"ALTER MATERIALIZED VIEW revenue SET ON_LAG TO DEFAULT;"},
		{"ALTER JOB", "ALTER JOB number PAUSE | RESUME | SET parameter = value", "The parameters are those of ALTER MATERIALIZED VIEW. RESUME lets a job that was quarantined try again, from where it was.", "ALTER JOB 999999 RESUME;"},
		{"ALTER BACKFILL", "ALTER BACKFILL relation PAUSE | RESUME", "Stops and resumes reading the history.", "ALTER BACKFILL revenue RESUME;"},
		{"CHECK BACKFILL, REPAIR BACKFILL", "CHECK BACKFILL name\nREPAIR BACKFILL name [FROM SCRATCH]", "CHECK tells what is wrong with the progress records of a job and what REPAIR would do, and changes nothing. REPAIR writes a record anew where that is sure, or lets a build that has not answered yet begin again.", "CHECK BACKFILL revenue;\nREPAIR BACKFILL revenue;"},
		{"VERIFY", "VERIFY MATERIALIZED VIEW | INDEX name [SAMPLE n PERCENT]", "Computes the view's query afresh as of one epoch and compares it with the stored rows, while the stream goes on. A row for each of the first 100 differences: its vnode, how many times more often the view has it than its query gives (negative: it lacks it), and the row. A sample compares that share of the view's vnodes, others each time.", "VERIFY MATERIALIZED VIEW revenue;\nVERIFY MATERIALIZED VIEW revenue SAMPLE 10 PERCENT;"},
		{"RECREATE", "RECREATE MATERIALIZED VIEW | INDEX name", "Makes a view anew beside the one that is there, which goes on and answers meanwhile, and puts it in its place once it is up to date. What reads the view goes on from the difference between the two, and has taken it when the statement returns, unless it is paused, limited or stopped. It is a job as any other: SHOW JOBS, its rate, its parallelism and background_ddl are as for CREATE; CANCEL JOBS leaves the view as it was.", "RECREATE MATERIALIZED VIEW revenue;"},
		{"REFRESH", "REFRESH MATERIALIZED VIEW name", "Accepted: a view is always current.", "REFRESH MATERIALIZED VIEW revenue;"},
		{"EXPLAIN of a job", "EXPLAIN ANALYZE MATERIALIZED VIEW name", "", "EXPLAIN ANALYZE MATERIALIZED VIEW revenue;"},
		{"RECOVER", "RECOVER", "Recovery is automatic; this lets a superuser have it now. All jobs go on with other actors from what they have published, as after a restart of the server, and those that have failed, quarantined ones too, try again. Nothing is read again and no session ends. It returns when all that were in step are again, but for those that do not get on. One that has lagged out is made anew by ALTER JOB RESUME alone.", "RECOVER;"},
	}}
}

func catalogs() Section {
	return Section{"Schemas, users, privileges", []Statement{
		{"CREATE SCHEMA", "CREATE SCHEMA [IF NOT EXISTS] name", "", "CREATE SCHEMA archive;\nCREATE TABLE archive.old (a int);\nDROP TABLE archive.old;\nDROP SCHEMA archive;"},
		{"CREATE USER", "CREATE USER name [SUPERUSER] [CREATEDB] [PASSWORD 'text']", "Passwords are stored as SCRAM-SHA-256 verifiers. A user without one may log in from the server's machine.", "CREATE USER ann;"},
		{"GRANT, REVOKE", "GRANT privileges ON relations TO users\nREVOKE privileges ON relations FROM users", "", "GRANT SELECT ON orders TO ann;\nREVOKE SELECT ON orders FROM ann;"},
		{"ALTER DEFAULT PRIVILEGES", "ALTER DEFAULT PRIVILEGES [IN SCHEMA schema] GRANT privileges ON TABLES TO user", "", "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO ann;"},
		{"CREATE DATABASE", "CREATE DATABASE name", "", "CREATE DATABASE another;"},
		{"SHOW", "SHOW TABLES | VIEWS | MATERIALIZED VIEWS | INDEXES FROM table | SOURCES | SCHEMAS | DATABASES\nSHOW COLUMNS FROM relation\nSHOW CREATE TABLE | VIEW | MATERIALIZED VIEW name", "pg_catalog and information_schema tell the same to programs.", "SHOW TABLES;\nSHOW CREATE MATERIALIZED VIEW revenue;"},
		{"DESCRIBE", "DESCRIBE relation", "", "DESCRIBE orders;"},
	}}
}

func sessions() Section {
	return Section{"Settings", []Statement{
		{"SET", "SET [LOCAL] name = value | DEFAULT\nRESET name | ALL\nSHOW name | ALL", "[configuration.md](configuration.md) lists the names. SET LOCAL lasts until the end of the transaction.", "SET TimeZone = 'Europe/Berlin';\nSHOW TimeZone;\nRESET TimeZone;"},
		{"ALTER SYSTEM", "ALTER SYSTEM SET name = value\nALTER SYSTEM RESET name", "The value is stored and counts for new sessions, and after a restart.", "ALTER SYSTEM SET barrier_interval = '50ms';\nALTER SYSTEM RESET barrier_interval;"},
		{"UNLISTEN", "UNLISTEN { channel | * }", "Does nothing, since there is no LISTEN; pools of connections send it.", "UNLISTEN *;"},
		{"DISCARD", "DISCARD ALL", "Makes the session what a new one is.", "DISCARD ALL;"},
		{"KILL", "KILL number", "Ends another session; SELECT pg_terminate_backend(number) does, too.", "KILL 999999;"},
		{"USE", "USE database", "", "USE dev;"},
		{"VACUUM, ANALYZE", "VACUUM [relations]\nANALYZE [relations]", "Accepted: there is nothing to do.", "VACUUM;"},
	}}
}

func cursors() Section {
	return Section{"Prepared statements and cursors", []Statement{
		{"PREPARE, EXECUTE, DEALLOCATE", "PREPARE name [(types)] AS statement\nEXECUTE name [(values)]\nDEALLOCATE name | ALL", "Drivers prepare by the protocol; a prepared statement is planned once.",
			"PREPARE by_id AS SELECT * FROM orders WHERE id = $1;\nEXECUTE by_id (1);\nDEALLOCATE by_id;"},
		{"DECLARE, FETCH, MOVE, CLOSE", "DECLARE name CURSOR [WITH HOLD] FOR query\nFETCH [NEXT | n | ALL] FROM name\nMOVE n FROM name\nCLOSE name | ALL", "A cursor reads one epoch.",
			"BEGIN;\nDECLARE c CURSOR FOR SELECT * FROM orders ORDER BY id;\nFETCH 1 FROM c;\nCLOSE c;\nCOMMIT;"},
	}}
}

func connectors() Section {
	return Section{"The world outside", []Statement{
		{"CREATE SOURCE", "CREATE SOURCE name WITH (connector = 'postgres-cdc', hostname = ..., ...)\nCREATE TABLE name (columns) FROM source TABLE 'schema.table'", "Tables that follow those of a PostgreSQL server.", ""},
		{"CREATE SOURCE of generated rows", "CREATE SOURCE | TABLE name (columns) [APPEND ONLY] WITH (connector = 'datagen' | 'nexmark', ...)\n    [FORMAT PLAIN ENCODE JSON]", "Rows made by rule, to try things out; docs/sources.md has the options. A source is read like a table and written by its generator alone.",
			"CREATE SOURCE ticks (n int, word text) WITH (connector = 'datagen', fields.n.kind = 'sequence', fields.n.end = '9');"},
		{"CREATE SUBSCRIPTION", "CREATE SUBSCRIPTION name FROM relation WITH (retention = '1 day')\nDECLARE cursor SUBSCRIPTION CURSOR FOR name\nFETCH n FROM cursor", "The changes of a relation as rows. Programs in Go use Subscribe.", "CREATE SUBSCRIPTION changes FROM revenue WITH (retention = '1 day');"},
		{"CREATE SINK", "CREATE SINK name INTO table [(columns)] FROM relation | AS query\n    [WITH (type = 'upsert' | 'append-only', force_append_only, snapshot, ignore_delete = true | false, primary_key = 'columns')]\nCREATE SINK name FROM relation | AS query WITH (connector = 'blackhole')",
			"What happens to the query's rows goes on into the table, each epoch once: by the table's primary key, its ON CONFLICT deciding what a row does that meets another, or by inserts alone. A row that goes takes its key's row along as long as that shows what the sink wrote: what a statement or another sink has made of it since stays. So a key should be of one row of the query: of several the table has one, and when it goes the others do not come back. Columns filled by other sinks go with the row; `ignore_delete` keeps it. A row that the table does not take (NULL in a NOT NULL column, a key that an APPEND ONLY table has) is left out and counted in tm_errors, or stops the sink if it was made after `SET on_row_error = stop`; a sink that does not get on is in SHOW JOBS with the reason. Several sinks may fill one table, in circles they may not. FLUSH waits for them. Rows are in the table about a checkpoint_interval later. A sink is dropped with its table.",
			"CREATE TABLE best (customer text PRIMARY KEY, total numeric);\nCREATE SINK fill_best INTO best AS SELECT customer, total FROM revenue WHERE total > 100;\nCREATE SINK out FROM revenue WITH (connector = 'blackhole');"},
		{"CREATE CONNECTION", "CREATE CONNECTION name WITH (...)", "", "CREATE CONNECTION c WITH (type = 'kafka');"},
		{"CREATE SECRET", "CREATE SECRET name WITH (backend = 'meta') AS 'text'", "", "CREATE SECRET s WITH (backend = 'meta') AS 'text';"},
		{"CREATE FUNCTION", "CREATE FUNCTION name(arguments) RETURNS type LANGUAGE SQL AS 'body'", "", "CREATE FUNCTION twice(int) RETURNS int LANGUAGE SQL AS 'SELECT $1 * 2';"},
	}}
}
