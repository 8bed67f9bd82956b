package errs

// ProtocolViolation is a message that the protocol does not allow.
var ProtocolViolation = register(Entry{
	Code: "TM-WIRE-001", SQLState: "08P01", Class: User,
	Message:  "{problem}",
	Meaning:  "the client sent bytes that are no message of PostgreSQL's protocol, or a message where it has no place",
	When:     "a driver has a bug, a proxy changed the bytes, or something else than a PostgreSQL client connected to the port",
	Remedies: []string{"check that the client speaks PostgreSQL's protocol version 3 and is up to date, then connect again"},
})

// ConnectionLimit is a connection beyond max_connections.
var ConnectionLimit = register(Entry{
	Code: "TM-WIRE-002", SQLState: "53300", Class: Limit,
	Message:  "sorry, too many clients already",
	Meaning:  "as many clients are connected as the server allows",
	When:     "connection pools are larger than the limit together, or clients do not close their connections",
	Remedies: []string{"close idle connections, or start the server with a larger max_connections; `SHOW max_connections;` prints it"},
})

// PasswordFailed is a login with a wrong password or user.
var PasswordFailed = register(Entry{
	Code: "TM-WIRE-003", SQLState: "28P01", Class: User,
	Message:  "password authentication failed for user \"{user}\"",
	Meaning:  "the user does not exist, has no password, or the password is another one; which of them is not told on purpose",
	When:     "the connection's user or password is mistyped",
	Remedies: []string{"correct the password; a superuser sets a new one by `ALTER USER name PASSWORD 'new';`"},
})

// LoginRejected is a login that the server's rules do not allow.
var LoginRejected = register(Entry{
	Code: "TM-WIRE-004", SQLState: "28000", Class: User,
	Message:  "connection rejected for host \"{host}\", user \"{user}\", database \"{database}\", {encryption}",
	Meaning:  "the server does not accept this user from this address in this way",
	When:     "the user may not log in, the address is not allowed, or the server wants an encrypted connection",
	Remedies: []string{"connect with sslmode=require and a user that has a password, or from the server's own machine"},
	Related:  []string{"TM-WIRE-003"},
})

// QueryCanceled is a statement that was cancelled.
var QueryCanceled = register(Entry{
	Code: "TM-WIRE-005", SQLState: "57014", Class: User,
	Message:  "canceling statement due to user request",
	Meaning:  "the statement was stopped because its client asked for it; it changed nothing",
	When:     "Ctrl-C in psql, or a driver's timeout or cancel function",
	Remedies: []string{"run the statement again; a long creation runs in the background after `SET background_ddl = true;`"},
	Related:  []string{"TM-WIRE-006"},
})

// StatementTimeout is a statement that took longer than statement_timeout.
var StatementTimeout = register(Entry{
	Code: "TM-WIRE-006", SQLState: "57014", Class: Limit,
	Message:  "canceling statement due to statement timeout",
	Meaning:  "the statement took longer than statement_timeout and was stopped; it changed nothing",
	When:     "the statement reads much, or waits for a view that lags behind",
	Remedies: []string{"allow more time: `SET statement_timeout = '60s';`, or 0 for no limit"},
	Related:  []string{"TM-WIRE-005"},
})

// IdleSession is a connection that was silent for too long.
var IdleSession = register(Entry{
	Code: "TM-WIRE-007", SQLState: "57P05", Class: Limit,
	Message:  "terminating connection due to idle-session timeout",
	Meaning:  "the client sent nothing for longer than the server's limit for idle sessions",
	When:     "a pool keeps connections longer than the server does",
	Remedies: []string{"connect again; let the pool close idle connections earlier than the server, or raise the server's limit"},
	Related:  []string{"TM-WIRE-008"},
})

// IdleInTransaction is an open transaction that was silent for too long.
var IdleInTransaction = register(Entry{
	Code: "TM-WIRE-008", SQLState: "25P03", Class: Limit,
	Message:  "terminating connection due to idle-in-transaction timeout",
	Meaning:  "a transaction stayed open without a statement for longer than the server's limit; it was rolled back",
	When:     "a program waits for something else between BEGIN and COMMIT, or forgets the COMMIT",
	Remedies: []string{"connect again and keep transactions short: `BEGIN;`, the statements, `COMMIT;` without waiting between"},
	Related:  []string{"TM-WIRE-007"},
})

// NoSuchStatement names a prepared statement that is not there.
var NoSuchStatement = register(Entry{
	Code: "TM-WIRE-009", SQLState: "26000", Class: User,
	Message:  "prepared statement \"{name}\" does not exist",
	Meaning:  "no statement was prepared under this name in this session, or it was deallocated",
	When:     "a pool in transaction mode hands a client's statement to another session, or after DEALLOCATE or DISCARD ALL",
	Remedies: []string{"prepare it again in the same session: `PREPARE p AS SELECT 1;`"},
	Related:  []string{"TM-WIRE-024"},
})

// NoUnnamedStatement is a use of the unnamed statement before it was parsed.
var NoUnnamedStatement = register(Entry{
	Code: "TM-WIRE-010", SQLState: "26000", Class: User,
	Message:  "unnamed prepared statement does not exist",
	Meaning:  "the unnamed statement is used before it was parsed, or after a simple query, which discards it",
	When:     "a driver has a bug",
	Remedies: []string{"update the driver; it has to send Parse before Bind or Describe"},
})

// NoSuchPortal names a portal that is not there.
var NoSuchPortal = register(Entry{
	Code: "TM-WIRE-011", SQLState: "34000", Class: User,
	Message:  "portal \"{name}\" does not exist",
	Meaning:  "the portal was not bound, or it ended with its transaction",
	When:     "a driver fetches further rows after the transaction has ended",
	Remedies: []string{"fetch all parts of a result in one transaction: `BEGIN;` first, `COMMIT;` after the last row"},
	Related:  []string{"TM-WIRE-012"},
})

// DuplicatePortal names a portal that is there already.
var DuplicatePortal = register(Entry{
	Code: "TM-WIRE-012", SQLState: "42P03", Class: User,
	Message:  "cursor \"{name}\" already exists",
	Meaning:  "a portal of this name is open in the session",
	When:     "a driver binds the same named portal twice without closing it",
	Remedies: []string{"close the portal first; `ROLLBACK;` or `COMMIT;` closes all"},
	Related:  []string{"TM-WIRE-011"},
})

// ParameterCount is a Bind with too few or too many parameters.
var ParameterCount = register(Entry{
	Code: "TM-WIRE-013", SQLState: "08P01", Class: User,
	Message:  "bind message supplies {got} parameters, but prepared statement \"{name}\" requires {want}",
	Meaning:  "the number of values does not match the number of parameters in the statement",
	When:     "a program passes too few or too many arguments",
	Remedies: []string{"pass one argument for each parameter of the statement, as in `SELECT $1::integer + $2::integer;` with two"},
})

// FormatCount is a Bind whose format codes do not fit.
var FormatCount = register(Entry{
	Code: "TM-WIRE-014", SQLState: "08P01", Class: User,
	Message:  "bind message has {got} {kind} formats but {values}",
	Meaning:  "a Bind message has no format code, one for all, or one for each; this one has another number",
	When:     "a driver has a bug, or the table changed between preparing and binding",
	Remedies: []string{"prepare the statement again, as in `DEALLOCATE ALL;` followed by the query; update the driver"},
})

// FormatCode is a format other than text and binary.
var FormatCode = register(Entry{
	Code: "TM-WIRE-015", SQLState: "22023", Class: User,
	Message:  "unsupported format code: {code}",
	Meaning:  "values travel as text (0) or binary (1)",
	When:     "a driver has a bug",
	Remedies: []string{"update the driver"},
})

// MessageTooLong is a message beyond the server's limit.
var MessageTooLong = register(Entry{
	Code: "TM-WIRE-016", SQLState: "54000", Class: Limit,
	Message:  "{what} is too long",
	Detail:   "It has {size} bytes; the limit is {limit}.",
	Meaning:  "the statement, its parameters or a piece of COPY data is larger than the server takes in one message",
	When:     "generated SQL holds very many literals, or one value is huge",
	Remedies: []string{"send many rows with `COPY t FROM STDIN;`, or in several statements; statement_size_max raises the limit"},
})

// CopyFailed is a COPY that its client gave up.
var CopyFailed = register(Entry{
	Code: "TM-WIRE-017", SQLState: "57014", Class: User,
	Message:  "COPY from stdin failed: {reason}",
	Meaning:  "the client ended the copy with an error of its own; no row was stored",
	When:     "the client could not read its file, or was interrupted",
	Remedies: []string{"mend what the reason names and run `COPY t FROM STDIN;` again"},
})

// StartupPacket is a first packet without what is needed.
var StartupPacket = register(Entry{
	Code: "TM-WIRE-018", SQLState: "28000", Class: User,
	Message:  "no PostgreSQL user name specified in startup packet",
	Meaning:  "a connection names its user in the first packet",
	When:     "a driver is set up without a user",
	Remedies: []string{"name a user in the connection string, as in postgres://root@127.0.0.1:4566/dev"},
})

// StartupTimeout is a login that took too long.
var StartupTimeout = register(Entry{
	Code: "TM-WIRE-019", SQLState: "57014", Class: Limit,
	Message:  "canceling authentication due to timeout",
	Meaning:  "the client connected but did not finish logging in in time",
	When:     "a port scanner or health check opens the port, or a person is slow to type a password",
	Remedies: []string{"connect again; health checks should log in and run `SELECT 1;`"},
})

// ProtocolVersion is a protocol that the server does not speak.
var ProtocolVersion = register(Entry{
	Code: "TM-WIRE-020", SQLState: "0A000", Class: User,
	Message:  "unsupported frontend protocol {major}.{minor}: server supports 3.0 to 3.0",
	Meaning:  "the client speaks another major version of the protocol",
	When:     "the client is older than 2003, or no PostgreSQL client at all",
	Remedies: []string{"use a client of PostgreSQL 9 or later"},
})

// StartupOptions is text in the options parameter that is not understood.
var StartupOptions = register(Entry{
	Code: "TM-WIRE-021", SQLState: "42601", Class: User,
	Message:  "invalid command-line argument for server process: {argument}",
	Meaning:  "the options parameter of a connection holds settings as -c name=value or --name=value",
	When:     "PGOPTIONS or options in a connection string has another form",
	Remedies: []string{"write it as options='-c statement_timeout=5s', or use `SET statement_timeout = '5s';` after connecting"},
})

// PortalLimit is a portal beyond those that one session may hold.
var PortalLimit = register(Entry{
	Code: "TM-WIRE-022", SQLState: "53400", Class: Limit,
	Message:  "too many portals are open in this session",
	Detail:   "the limit is {limit}",
	Meaning:  "each open portal holds part of a result; a session holds a bounded number of them",
	When:     "a program opens cursors in one transaction and does not close them",
	Remedies: []string{"close results that are no longer read; `COMMIT;` closes all"},
})

// CopyInProtocol is a message other than COPY data while the server waits for it.
var CopyInProtocol = register(Entry{
	Code: "TM-WIRE-023", SQLState: "08P01", Class: User,
	Message:  "unexpected message type {type} during COPY from stdin",
	Meaning:  "while COPY reads from the client, only data, its end or its failure may come",
	When:     "a driver sends the next statement before it has ended the copy",
	Remedies: []string{"let the driver end the copy before the next statement; in psql `\\.` on a line of its own ends the data"},
})

// DuplicateStatement names a prepared statement that is there already.
var DuplicateStatement = register(Entry{
	Code: "TM-WIRE-024", SQLState: "42P05", Class: User,
	Message:  "prepared statement \"{name}\" already exists",
	Meaning:  "a statement of this name is prepared in the session",
	When:     "a pool in transaction mode shares a session between clients that choose the same names",
	Remedies: []string{"remove it first: `DEALLOCATE ALL;`, or let the driver use unnamed statements"},
	Related:  []string{"TM-WIRE-009"},
})

// PortalDone is an Execute of a portal whose statement has run.
var PortalDone = register(Entry{
	Code: "TM-WIRE-025", SQLState: "55000", Class: User,
	Message:  "portal \"{name}\" cannot be run",
	Meaning:  "a statement without rows runs once for each Bind",
	When:     "a driver executes the same portal again",
	Remedies: []string{"let the driver bind again before each execution; a cursor is read by `FETCH 10 FROM c;`"},
	Related:  []string{"TM-WIRE-011"},
})
