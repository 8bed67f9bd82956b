package pgcdc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// connectTimeout bounds one attempt to connect.
const connectTimeout = 10 * time.Second

// parameters make the text form of values the one that types.Parse reads, whatever the server's defaults. A read waits for
// no standby and no other session.
var parameters = map[string]string{"client_encoding": "UTF8", "DateStyle": "ISO", "IntervalStyle": "postgres", "TimeZone": "UTC",
	"extra_float_digits": "3", "bytea_output": "hex", "standard_conforming_strings": "on", "synchronous_commit": "local",
	"statement_timeout": "0", "lock_timeout": "0", "idle_in_transaction_session_timeout": "0", "application_name": "tidemark"}

// connect opens a session; a replication session takes the commands of the log as well.
func (o *options) connect(ctx context.Context, replication bool) (*pgconn.PgConn, error) {
	cfg, err := pgconn.ParseConfig(o.dsn())
	if err != nil {
		return nil, errs.UpstreamTLS.New("host", o.host, "port", o.port, "sslmode", o.sslMode, "detail", err.Error())
	}
	for k, v := range parameters {
		cfg.RuntimeParams[k] = v
	}
	if replication {
		cfg.RuntimeParams["replication"] = "database"
	}
	dialer := &net.Dialer{KeepAlive: 15 * time.Second, Control: refuseLinkLocal}
	cfg.DialFunc = dialer.DialContext
	cfg.ConnectTimeout = connectTimeout
	c, err := pgconn.ConnectConfig(ctx, cfg)
	if err != nil {
		return nil, o.connectError(err)
	}
	return c, nil
}

// dsn spells everything out, so that no variable or file of this machine changes where the connection goes.
func (o *options) dsn() string {
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	parts := map[string]string{"host": o.host, "port": strconv.Itoa(int(o.port)), "user": o.user, "password": o.password,
		"dbname": o.database, "sslmode": o.sslMode, "passfile": "/dev/null", "target_session_attrs": "any"}
	if o.rootCert != "" {
		parts["sslrootcert"] = o.rootCert
	}
	var b strings.Builder
	for k, v := range parts {
		fmt.Fprintf(&b, "%s='%s' ", k, quote.Replace(v))
	}
	return b.String()
}

// refuseLinkLocal keeps a user's address from reaching the metadata services of cloud machines.
func refuseLinkLocal(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLinkLocalUnicast() {
		return errors.New("link-local addresses are not allowed")
	}
	return nil
}

// connectError finds the option that is at fault.
func (o *options) connectError(err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch {
		case strings.HasPrefix(pg.Code, "28"):
			return errs.UpstreamLogin.New("host", o.host, "port", o.port, "user", o.user, "detail", pg.Message).Wrap(err)
		case pg.Code == "3D000":
			return errs.UpstreamDatabase.New("host", o.host, "port", o.port, "database", o.database).Wrap(err)
		case pg.Code == "42501" || strings.Contains(pg.Message, "replication"):
			return errs.ReplicationRight.New("user", o.user, "what", "start replication", "detail", pg.Message).Wrap(err)
		}
		return o.failed(err)
	}
	text := err.Error()
	for _, sign := range []string{"tls", "certificate", "x509", "SSL"} {
		if strings.Contains(text, sign) {
			return errs.UpstreamTLS.New("host", o.host, "port", o.port, "sslmode", o.sslMode, "detail", text).Wrap(err)
		}
	}
	return errs.UpstreamUnreachable.New("host", o.host, "port", o.port, "detail", text).Wrap(err)
}

// failed is any other error of the upstream.
func (o *options) failed(err error) error {
	if _, ok := errs.As(err); ok {
		return err
	}
	what := err.Error()
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		what = pg.Message
	}
	return errs.UpstreamFailed.New("host", o.host, "port", o.port, "what", what).Wrap(err)
}

// closeTimeout bounds how long saying good-bye may take.
const closeTimeout = 2 * time.Second

func closeConn(c *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = c.Close(ctx) // nothing is lost with the connection
}

// session is a connection for statements.
type session struct {
	o    *options
	conn *pgconn.PgConn
}

func (o *options) session(ctx context.Context) (*session, error) {
	c, err := o.connect(ctx, false)
	if err != nil {
		return nil, err // not a session without a connection: whoever keeps it would close that
	}
	return &session{o, c}, nil
}

func (s *session) close() { closeConn(s.conn) }

// rows runs statements in the simple protocol and returns the last one's rows as texts; nil is NULL.
func (s *session) rows(ctx context.Context, sql string) ([][][]byte, error) {
	results, err := s.conn.Exec(ctx, sql).ReadAll()
	if err != nil {
		return nil, s.o.failed(err)
	}
	if len(results) == 0 {
		return nil, nil
	}
	return results[len(results)-1].Rows, nil
}

// one returns the first row of a query, nil for none.
func (s *session) one(ctx context.Context, sql string) ([][]byte, error) {
	rows, err := s.rows(ctx, sql)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}
