// Package tidemark is a streaming SQL database in the process of its user: write SQL, and materialized views are current
// after every commit.
//
//	db, err := tidemark.Open("data", tidemark.Options{}) // or ":memory:"
//	defer db.Close()
//	_, err = db.Exec(ctx, "CREATE TABLE orders (id int PRIMARY KEY, customer text, amount bigint)")
//	_, err = db.Exec(ctx, "CREATE MATERIALIZED VIEW revenue AS SELECT customer, sum(amount) AS total FROM orders GROUP BY customer")
//	_, err = db.Exec(ctx, "INSERT INTO orders VALUES ($1, $2, $3)", 1, "ann", 10)
//	rows, err := db.Query(ctx, "SELECT customer, total FROM revenue") // shows the insert
//	sub, err := db.Subscribe(ctx, "revenue")                         // the rows, then every change with its epoch
//	err = db.Serve(listener)                                         // psql and drivers of PostgreSQL connect, too
//
// # Shapes
//
// A [DB] is one open directory, or one database in memory; a process may have several, and they share nothing. Its
// methods run each statement in a session of its own; a [Conn] is a session that stays, for transactions and SET.
// [Rows] are read like those of database/sql; CopyFrom writes many rows at once. A [Subscription] yields events: the rows of the view as of one epoch, then what
// each later epoch added and removed.
//
// Importing the package also registers the driver "tidemark" of database/sql: sql.Open("tidemark", "data"), or
// sql.OpenDB(db.Connector()) on a DB that is open already.
//
// # Values
//
// SQL values are Go values of these types; NULL is nil. Arguments may be of the same types and of any Go number, a slice
// for an array, a driver.Valuer, or a string with the text form of any type.
//
//	boolean                              bool
//	smallint, integer, bigint, oid       int64
//	real, double precision               float64
//	bytea                                []byte
//	date, timestamp with or without zone time.Time; infinity is a string
//	arrays                               []any
//	all others                           string, their text form
//
// # Errors
//
// An error of SQL or of the store is an *[Error]: it has PostgreSQL's SQLSTATE and words, a code of Tidemark's
// catalogue, and a hint that says what to do. When the context of a call ends, the call returns the context's error.
package tidemark
