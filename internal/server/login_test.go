package server

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A login names a user and a database that exist; a user with a password needs it.
func TestLogin(t *testing.T) {
	to := serve(t)
	login := func(user, database string) error {
		conn, err := pgx.Connect(t.Context(), fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", user, to, database))
		if err != nil {
			return err
		}
		_, err = conn.Exec(t.Context(), "create user ann password 'secret'")
		return errors.Join(err, conn.Close(t.Context()))
	}
	for _, c := range []struct{ user, database, state, message string }{
		{"root", "dev", "", ""},
		{"nobody", "dev", "28000", `role "nobody" does not exist`},
		{"root", "nowhere", "3D000", `database "nowhere" does not exist`},
		{"nobody", "nowhere", "28000", `role "nobody" does not exist`},
		{"ann:wrong", "nowhere", "28P01", `password authentication failed for user "ann"`},
		{"ann:secret", "nowhere", "3D000", `database "nowhere" does not exist`},
	} {
		err := login(c.user, c.database)
		var e *pgconn.PgError
		if !errors.As(err, &e) {
			e = &pgconn.PgError{}
		}
		if e.Code != c.state || e.Message != c.message {
			t.Errorf("%s at %s: %v", c.user, c.database, err)
		}
	}
}
