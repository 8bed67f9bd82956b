// Package pgwire is the server side of PostgreSQL's protocol version 3 over a small interface, Session, which whoever
// runs the statements implements. It owns the sockets and their goroutines, logins, limits, cancellation, framing and the
// encoding of rows; it knows no SQL.
//
//	srv, err := pgwire.NewServer(pgwire.Config{NewSession: open})
//	go srv.Serve(listener)
//	defer srv.Shutdown(ctx)
package pgwire
