package errs

var SinkCycle = register(Entry{
	Code: "TM-SK-001", SQLState: "42P17", Class: User,
	Message:  "sink \"{sink}\" into table \"{table}\" would feed itself",
	Meaning:  "the sink reads, directly or through views and other sinks, the table that it writes to, so its rows would go round for ever",
	When:     "CREATE SINK ... INTO a table that its query reads",
	Remedies: []string{"write to another table: `CREATE SINK s INTO archive FROM v;`"},
})

var SinkNeedsKey = register(Entry{
	Code: "TM-SK-002", SQLState: "0A000", Class: User,
	Message: "Only append-only sinks can sink to a table without primary keys",
	Meaning: "rows of the sink's query may change and go, and without a primary key that the sink fills nothing tells which row of the table that is",
	When:    "CREATE SINK ... INTO a table without a primary key, or one whose primary key the sink gives no values for",
	Remedies: []string{"give the table a primary key: `CREATE TABLE target (id int PRIMARY KEY, total int);`",
		"pass on the inserts alone: `CREATE SINK s INTO target FROM v WITH (type = 'append-only', force_append_only = 'true');`"},
})

var SinkNotAppendOnly = register(Entry{
	Code: "TM-SK-003", SQLState: "0A000", Class: User,
	Message:  "the query of append-only sink \"{sink}\" takes rows back",
	Meaning:  "it reads a table that is not APPEND ONLY, or groups, ranks or joins in a way that changes rows that were there",
	When:     "CREATE SINK ... WITH (type = 'append-only')",
	Remedies: []string{"leave out what takes rows back: `CREATE SINK s INTO target FROM v WITH (type = 'append-only', force_append_only = 'true');`"},
})

var SinkOption = register(Entry{
	Code: "TM-SK-004", SQLState: "22023", Class: User,
	Message:  "invalid value for option \"{name}\" of a sink into a table: \"{value}\"",
	Meaning:  "type is append-only or upsert, primary_key is the primary key of the table, the others are true or false",
	When:     "CREATE SINK ... INTO ... WITH (...)",
	Remedies: []string{"`CREATE SINK s INTO target FROM v WITH (type = 'upsert');`"},
})

var SinkFormat = register(Entry{
	Code: "TM-SK-005", SQLState: "42601", Class: User,
	Message:  "a sink into a table takes no FORMAT and no connector",
	Meaning:  "its rows go into the table as they are",
	When:     "CREATE SINK ... INTO ... FORMAT ... ENCODE ..., or WITH (connector = ...)",
	Remedies: []string{"`CREATE SINK s INTO target FROM v;`"},
})

var AppendOnlyTable = register(Entry{
	Code: "TM-SK-006", SQLState: "0A000", Class: User,
	Message:  "table \"{table}\" is append-only: its rows do not change",
	Meaning:  "the table was made APPEND ONLY, and views over it keep less because they rely on that",
	When:     "UPDATE, DELETE, TRUNCATE or ON CONFLICT DO UPDATE names an append-only table, or CREATE TABLE gives one a policy that replaces rows",
	Remedies: []string{"make a table without APPEND ONLY and move the rows: `CREATE TABLE t2 (a int PRIMARY KEY); INSERT INTO t2 SELECT a FROM t;`"},
})

var SinkIntoAppendOnly = register(Entry{
	Code: "TM-SK-007", SQLState: "0A000", Class: User,
	Message: "upsert sink \"{sink}\" cannot write to append-only table \"{table}\"",
	Meaning: "rows of the sink's query may change and go; a table that is APPEND ONLY takes rows and never changes them",
	When:    "CREATE SINK ... INTO an append-only table WITH (type = 'upsert'), or of a query that takes rows back without a type",
	Remedies: []string{"pass on the inserts alone: `CREATE SINK s INTO target FROM v WITH (type = 'append-only', force_append_only = 'true');`",
		"make the table without APPEND ONLY: `CREATE TABLE target (id int PRIMARY KEY, total int);`"},
	Related: []string{"TM-SK-006"},
})
