package pgserver

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Dial opens a connection of the superuser.
func (s *Server) Dial() (*pgconn.PgConn, error) {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	return pgconn.Connect(ctx, s.DSN())
}

// CloseConn ends a connection.
func CloseConn(c *pgconn.PgConn) {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	_ = c.Close(ctx)
}
