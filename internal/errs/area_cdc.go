package errs

// Entries of change data capture: what is wrong with an upstream, and which option or statement puts it right.

// OptionMissing: WITH lacks what the connector can not guess.
var OptionMissing = register(Entry{
	Code: "TM-CD-001", SQLState: "42601", Class: User,
	Message:  "option {option} of connector {connector} is missing",
	Meaning:  "the connector cannot work without this option and has no default for it",
	When:     "CREATE SOURCE or CREATE TABLE with a connector leaves the option out",
	Remedies: []string{"add the option to WITH, for example `CREATE SOURCE pg WITH (connector = 'postgres-cdc', hostname = 'localhost', username = 'u', password = 'p', database.name = 'd');`"},
})

// OptionInvalid: an option is not known, or has a value that it can not have.
var OptionInvalid = register(Entry{
	Code: "TM-CD-002", SQLState: "22023", Class: User,
	Message:  "option {option} of connector {connector}: {problem}",
	Meaning:  "the option is not one of the connector's, or its value is not one that it takes",
	When:     "an option is misspelt, or its value is out of range",
	Remedies: []string{"correct the option named in the message; docs/sources.md lists all of them with their values"},
})

// UpstreamUnreachable: nobody answers at hostname and port.
var UpstreamUnreachable = register(Entry{
	Code: "TM-CD-003", SQLState: "08001", Class: Retry,
	Message:  "cannot connect to {host}:{port} given by options hostname and port",
	Detail:   "{detail}",
	Meaning:  "no PostgreSQL server answered at this address",
	When:     "hostname or port is wrong, the server is down, or a firewall is between",
	Remedies: []string{"check hostname and port from this machine with `psql -h HOST -p PORT`; a running source tries again by itself"},
})

// UpstreamLogin: the upstream refused username or password.
var UpstreamLogin = register(Entry{
	Code: "TM-CD-004", SQLState: "28P01", Class: User,
	Message:  "{host}:{port} refuses the user \"{user}\" given by options username and password",
	Detail:   "{detail}",
	Meaning:  "the server is there but does not let this user in",
	When:     "username or password is wrong, the role may not log in, or pg_hba.conf has no line for it",
	Remedies: []string{"check username and password with `psql -h HOST -U USER`; add a line for the user to pg_hba.conf on the server"},
})

// UpstreamDatabase: database.name does not exist.
var UpstreamDatabase = register(Entry{
	Code: "TM-CD-005", SQLState: "3D000", Class: User,
	Message:  "database \"{database}\" given by option database.name does not exist at {host}:{port}",
	Meaning:  "the server has no database of this name",
	When:     "the name is misspelt; it is matched exactly, upper and lower case included",
	Remedies: []string{"list the databases with `psql -l` and correct database.name"},
})

// UpstreamTLS: the connection is not as sslmode wants it.
var UpstreamTLS = register(Entry{
	Code: "TM-CD-006", SQLState: "08001", Class: User,
	Message:  "no connection to {host}:{port} as options sslmode = {sslmode} and sslrootcert want it",
	Detail:   "{detail}",
	Meaning:  "the server offers no TLS, or a certificate that cannot be verified",
	When:     "sslmode is require, verify-ca or verify-full and the server's TLS is off or its certificate is of another authority or name",
	Remedies: []string{"give the authority's certificate as sslrootcert, or choose another sslmode: disable, prefer, require, verify-ca, verify-full"},
})

// WalLevel: the upstream does not write what logical decoding needs.
var WalLevel = register(Entry{
	Code: "TM-CD-007", SQLState: "55000", Class: User,
	Message:  "wal_level of {host}:{port} is {level}, and change data capture needs logical",
	Meaning:  "the server's log does not hold what is needed to read rows from it",
	When:     "wal_level was never raised; its default is replica",
	Remedies: []string{"on the server run `ALTER SYSTEM SET wal_level = logical;` and restart it"},
})

// ReplicationRight: the role may not read the log.
var ReplicationRight = register(Entry{
	Code: "TM-CD-008", SQLState: "42501", Class: User,
	Message:  "user \"{user}\" given by option username may not {what}",
	Detail:   "{detail}",
	Meaning:  "the role lacks a right that change data capture needs",
	When:     "the role has no REPLICATION attribute, or does not own what is to be published",
	Remedies: []string{"on the server, as a superuser: `ALTER USER u WITH REPLICATION;`, and make the role owner of the tables, or create the publication for it"},
})

// UpstreamTable: table.name names nothing.
var UpstreamTable = register(Entry{
	Code: "TM-CD-009", SQLState: "42P01", Class: User,
	Message:  "table \"{table}\" does not exist in database \"{database}\" of the source",
	Meaning:  "the upstream has no table of this schema and name, or the user may not see it",
	When:     "the name after TABLE, or table.name with schema.name, is misspelt; without a schema schema.name is taken, else public",
	Remedies: []string{"write the name as schema.table: `CREATE TABLE t (*) FROM pg TABLE 'public.t';`"},
})

// UpstreamNoKey: rows of the table can not be told apart.
var UpstreamNoKey = register(Entry{
	Code: "TM-CD-010", SQLState: "42P16", Class: User,
	Message:  "table \"{table}\" has no primary key, so its REPLICA IDENTITY cannot name the rows that change",
	Meaning:  "without a key neither updates and deletes nor ranges of the history can be told apart",
	When:     "the upstream's table was created without PRIMARY KEY",
	Remedies: []string{"on the upstream run `ALTER TABLE t ADD PRIMARY KEY (id);` with the columns that identify a row, or `ALTER TABLE t ADD COLUMN id bigserial PRIMARY KEY;`"},
})

// UpstreamIdentity: the log does not say which row changed.
var UpstreamIdentity = register(Entry{
	Code: "TM-CD-011", SQLState: "55000", Class: User,
	Message: "REPLICA IDENTITY of table \"{table}\" is {identity}, which does not give the primary key of rows that change",
	Meaning: "updates and deletes would come without the key of their row",
	When:    "REPLICA IDENTITY was set to NOTHING or to another index, the primary key is DEFERRABLE, or it was changed while the table was captured",
	Remedies: []string{"on the upstream set REPLICA IDENTITY to DEFAULT, or to FULL where the key is deferrable: ALTER TABLE t REPLICA IDENTITY FULL",
		"then let a captured table be read again, by difference: run `ALTER JOB 1 RESUME;` with the number that `SHOW JOBS;` has for it"},
})

// CapturedColumn: a declared column does not fit the upstream's.
var CapturedColumn = register(Entry{
	Code: "TM-CD-012", SQLState: "42804", Class: User,
	Message:  "column \"{column}\" is declared as {declared}, but is {upstream} in upstream table \"{table}\"",
	Meaning:  "values of the upstream's type cannot be kept in the declared type as they are",
	When:     "a column of CREATE TABLE ... FROM has another type than upstream; integers may be wider here",
	Remedies: []string{"declare the upstream's type, or take all columns as they are: `CREATE TABLE t (*) FROM pg TABLE 'public.t';`"},
})

// CapturedColumnMissing: a declared column is not there.
var CapturedColumnMissing = register(Entry{
	Code: "TM-CD-013", SQLState: "42703", Class: User,
	Message:  "column \"{column}\" does not exist in upstream table \"{table}\"",
	Meaning:  "the upstream's table has no column of this name whose changes are in the log",
	When:     "the name is misspelt, or the column is generated: those are not in the log",
	Remedies: []string{"leave the column out, or take all columns as they are: `CREATE TABLE t (*) FROM pg TABLE 'public.t';`"},
})

// CapturedKey: the declared key is another one.
var CapturedKey = register(Entry{
	Code: "TM-CD-014", SQLState: "42P16", Class: User,
	Message: "primary key ({declared}) differs from primary key ({upstream}) of upstream table \"{table}\"",
	Meaning: "rows are told apart by other columns here than upstream",
	When:    "CREATE TABLE ... FROM declares another key, or leaves out a column of it; or the upstream's table got another key while it was captured",
	Remedies: []string{"declare the upstream's key, or take it with all columns: `CREATE TABLE t (*) FROM pg TABLE 'public.t';`",
		"a table that was captured before is made again: `DROP TABLE t;` first"},
})

// PublicationLacks: the publication can not be used as it is.
var PublicationLacks = register(Entry{
	Code: "TM-CD-015", SQLState: "55000", Class: User,
	Message: "publication \"{publication}\" given by option publication.name {problem}",
	Meaning: "the log's reader would not get all changes",
	When:    "the publication was made by somebody else, without the table, or for some of its rows, columns or kinds of changes; or it was altered while a table was captured",
	Remedies: []string{"on the upstream run ALTER PUBLICATION p ADD TABLE t, without WHERE and without a list of columns, and set its publish parameter to 'insert, update, delete, truncate'",
		"then let the table be read again, by difference: run `ALTER JOB 1 RESUME;` with the number that `SHOW JOBS;` has for it"},
})

// SlotUnusable: slot.name can not be used.
var SlotUnusable = register(Entry{
	Code: "TM-CD-016", SQLState: "55006", Class: User,
	Message:  "replication slot \"{slot}\" given by option slot.name {problem}",
	Meaning:  "the slot belongs to somebody else",
	When:     "another reader uses the slot, or it was made for another plugin or database",
	Remedies: []string{"give another slot.name, which is created if it is missing; or end the slot's other reader"},
})

// SlotLost: the log that is needed is gone.
var SlotLost = register(Entry{
	Code: "TM-CD-017", SQLState: "55000", Class: User,
	Message:  "replication slot \"{slot}\" {problem}: changes since {position} are lost",
	Meaning:  "the upstream has thrown away log that was not read yet, so the tables of the source cannot follow any more; they keep what they have",
	When:     "the slot was dropped, or max_slot_wal_keep_size was passed while the source was stopped",
	Remedies: []string{"give the source a new slot and let its tables be compared with the upstream, which changes only what differs: `REFRESH SOURCE pg;`"},
})

// UpstreamFailed: anything else that the upstream says.
var UpstreamFailed = register(Entry{
	Code: "TM-CD-018", SQLState: "58000", Class: Retry,
	Message:  "upstream {host}:{port}: {what}",
	Meaning:  "the upstream refused a command or ended the connection; nothing was lost, reading goes on from the last confirmed position",
	When:     "the upstream restarts, the network fails, or an object that the source uses was dropped",
	Remedies: []string{"`SHOW JOBS;` tells the source's state; it tries again by itself, at the latest after 30 seconds"},
})

// CapturedTable: rows of captured tables come from upstream only.
var CapturedTable = register(Entry{
	Code: "TM-CD-019", SQLState: "55000", Class: User,
	Message:  "cannot change table \"{table}\": its rows are captured from upstream table \"{upstream}\"",
	Meaning:  "a change made here would be in contradiction with the upstream",
	When:     "INSERT, UPDATE, DELETE, TRUNCATE or COPY names a table with a connector",
	Remedies: []string{"change the row upstream; it follows here at once"},
})

// NotASource: FROM names something that no table can be captured from.
var NotASource = register(Entry{
	Code: "TM-CD-020", SQLState: "42809", Class: User,
	Message:  "\"{name}\" is not a source of change data",
	Meaning:  "only a source with a change data connector has tables",
	When:     "CREATE TABLE ... FROM name TABLE names a view, a table or another kind of source",
	Remedies: []string{"create a source first: `CREATE SOURCE pg WITH (connector = 'postgres-cdc', hostname = 'localhost', username = 'u', password = 'p', database.name = 'd');`"},
})

// UnknownConnector: connector = names none.
var UnknownConnector = register(Entry{
	Code: "TM-CD-021", SQLState: "0A000", Class: User,
	Message:  "connector \"{connector}\" is not supported",
	Meaning:  "this build has no connector of this name",
	When:     "option connector is misspelt, or names a system that is not supported yet",
	Remedies: []string{"use a connector that docs/sources.md lists: postgres-cdc, datagen or nexmark"},
})

// CapturedValue: a value of the upstream does not fit.
var CapturedValue = register(Entry{
	Code: "TM-CD-022", SQLState: "22P02", Class: User,
	Message:  "column \"{column}\" of upstream table \"{table}\" has a value that is no {type}",
	Detail:   "{detail}",
	Meaning:  "the upstream's column has changed its type since the table was created here; the table keeps its rows and does not follow, the other tables of the source do",
	When:     "ALTER TABLE ... ALTER COLUMN TYPE was run upstream",
	Remedies: []string{"where the new type is a wider one, take it over: `ALTER TABLE t REFRESH SCHEMA;`", "else drop the table here and create it again: `DROP TABLE t CASCADE;`"},
})

// StreamCorrupt: a message of the upstream can not be decoded.
var StreamCorrupt = register(Entry{
	Code: "TM-CD-023", SQLState: "08P01", Class: Retry,
	Message:  "a message of the upstream's log cannot be decoded: {what}",
	Meaning:  "the bytes are not what PostgreSQL's pgoutput protocol says",
	When:     "a proxy between breaks the stream, or the server is of a version that is not known yet",
	Remedies: []string{"connect to the server itself, without a proxy; if it goes on, report it with the server's version"},
})

// HistoryMissing: a captured table can not answer yet.
var HistoryMissing = register(Entry{
	Code: "TM-CD-024", SQLState: "55000", Class: Retry,
	Message:  "the history of table \"{table}\" is still being read",
	Detail:   "{rows} rows are there{trouble}.",
	Meaning:  "rows that were in the upstream's table before it was captured are not all here yet",
	When:     "a SELECT names a captured table, or a view on it, that was created in the background",
	Remedies: []string{"`SHOW JOBS;` for its progress, or `SET read_incomplete = on;` to read what there is"},
})

// PublicationLost: the log can not be decoded because its publication is gone.
var PublicationLost = register(Entry{
	Code: "TM-CD-025", SQLState: "55000", Class: User,
	Message:  "publication \"{publication}\" was dropped: changes since {position} are lost",
	Meaning:  "the upstream decodes each change as of its moment and needs the publication to have been there then, so one that is made anew does not help; the tables of the source keep what they have",
	When:     "the publication of a running source was dropped upstream",
	Remedies: []string{"give the source a new publication and slot and let its tables be compared with the upstream, which changes only what differs: `REFRESH SOURCE pg;`"},
})

// UpstreamStandby: the server only replays the log of another one.
var UpstreamStandby = register(Entry{
	Code: "TM-CD-026", SQLState: "25006", Class: Retry,
	Message:  "{host}:{port} given by options hostname and port is a standby, and change data capture needs the primary",
	Meaning:  "a server in recovery makes no publication, and cannot mark its own log, by which history and changes are told apart",
	When:     "the address is that of a replica, or the primary was replaced and now follows another server",
	Remedies: []string{"give the address of the primary, or one that moves with it, as hostname and port", "on the standby, if it is to be the primary, run `SELECT pg_promote();`; a running source goes on by itself then"},
})
