package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"regexp"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"

	"github.com/tidemark-db/tidemark"
)

// client is a connection to a server, or to a directory that is open in this process.
type client struct {
	conn *pgconn.PgConn
	db   *tidemark.DB
}

// result is what came of one statement.
type result struct {
	columns []pgconn.FieldDescription
	rows    [][][]byte // in text form; nil is NULL
	tag     string
	copied  []byte // the data of COPY TO STDOUT
}

// goodbye bounds how long the end of a connection may take.
const goodbye = 5 * time.Second

// connect opens the directory or connects to the server that the options name.
func connect(ctx context.Context, o sqlOptions, notice func(*pgconn.Notice)) (*client, error) {
	c, dsn := &client{}, o.dsn
	if o.data != "" {
		dsn = defaultDSN
	}
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	if o.data != "" {
		if c.db, err = tidemark.Open(o.data, tidemark.Options{Environ: os.LookupEnv}); err != nil {
			return nil, err
		}
		p := newPipes()
		go c.db.Serve(p) // it ends with the database
		cfg.DialFunc, cfg.TLSConfig, cfg.Fallbacks, cfg.User, cfg.Database = p.dial, nil, nil, "root", "dev"
	}
	cfg.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notice(n) }
	cfg.BuildContextWatcherHandler = cancelFirst
	if c.conn, err = pgconn.ConnectConfig(ctx, cfg); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// cancelFirst asks the server to cancel a statement whose context has ended, before it gives up the connection.
func cancelFirst(conn *pgconn.PgConn) ctxwatch.Handler {
	return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: goodbye}
}

var (
	copyFromStdin = regexp.MustCompile(`(?is)^\s*copy\b.*\bfrom\s+stdin\b`)
	copyToStdout  = regexp.MustCompile(`(?is)^\s*copy\b.*\bto\s+stdout\b`)
)

// run runs a statement and hands over its results.
func (c *client) run(ctx context.Context, sql string, show func(result) error) error {
	switch {
	case copyFromStdin.MatchString(sql):
		return errors.New("COPY FROM STDIN needs a client that sends data: psql, or a driver")
	case copyToStdout.MatchString(sql):
		var data bytes.Buffer
		tag, err := c.conn.CopyTo(ctx, &data, sql)
		if err != nil {
			return err
		}
		return show(result{tag: tag.String(), copied: data.Bytes()})
	}
	all := c.conn.Exec(ctx, sql)
	for all.NextResult() {
		res, err := read(all.ResultReader())
		if err == nil {
			err = show(res)
		}
		if err != nil {
			return errors.Join(err, all.Close())
		}
	}
	return all.Close()
}

func read(r *pgconn.ResultReader) (result, error) {
	res := result{columns: r.FieldDescriptions()}
	for r.NextRow() {
		row := make([][]byte, len(r.Values()))
		for i, v := range r.Values() {
			row[i] = bytes.Clone(v)
		}
		res.rows = append(res.rows, row)
	}
	tag, err := r.Close()
	res.tag = tag.String()
	return res, err
}

func (c *client) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	var err error
	if c.conn != nil {
		err = c.conn.Close(ctx)
	}
	if c.db != nil {
		err = errors.Join(err, c.db.Close())
	}
	return err
}

// pipes is a listener inside of the process.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

// dial is the client's side.
func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- localConn{far}:
		return near, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close is called once, by the server.
func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

// localConn comes from this machine, as the server's rule for logins asks.
type localConn struct{ net.Conn }

func (localConn) RemoteAddr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }
