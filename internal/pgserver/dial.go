package pgserver

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Dial opens a connection of the superuser.
func (s *Server) Dial() (*pgconn.PgConn, error) {
	ctx, stop := context.WithTimeout(context.Background(), waitMax)
	defer stop()
	return s.dial(ctx)
}

func (s *Server) dial(ctx context.Context) (*pgconn.PgConn, error) {
	return pgconn.Connect(ctx, s.DSN())
}

// CloseConn ends a connection.
func CloseConn(c *pgconn.PgConn) {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	_ = c.Close(ctx)
}
