package pgwire

import (
	"context"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// farewellGrace is how long the last message may take to write: a client that does not read shall not hold up a shutdown.
const farewellGrace = 2 * time.Second

// connection is one client: a goroutine that runs serve, and one that fills the inbox.
type connection struct {
	srv    *Server
	cfg    *Config
	log    *slog.Logger
	socket net.Conn // as accepted
	conn   net.Conn // socket or TLS over it
	ctx    context.Context
	stop   context.CancelCauseFunc
	reader sync.WaitGroup

	in     *inbox
	frames frames
	out    outbox

	pid     uint32
	secret  []byte
	session Session // nil until logged in
	told    settings
	portals map[string]*portal
	// skipping is set by an error in the extended protocol: everything up to the next Sync is ignored.
	skipping bool

	commit struct { // context of Sync, used again until somebody ends it: most have nothing to do
		ctx    context.Context
		cancel context.CancelCauseFunc
	}

	watch *time.Timer // looks after a statement that takes long
	mu    struct {
		sync.Mutex
		cancel  context.CancelCauseFunc // of the running statement, nil between statements
		watched bool                    // watch is set
	}
}

// watchAfter is how long a statement takes, or many short ones take together, before the reader is sent to see whether the
// client is still there: a hand-over costs about as much as a statement that reads one row.
const watchAfter = 50 * time.Millisecond

func newConnection(s *Server, socket net.Conn) *connection {
	c := &connection{
		srv: s, cfg: &s.cfg, socket: socket, conn: socket,
		log:     s.cfg.Logger.With("remote", remote(socket)),
		portals: map[string]*portal{},
	}
	c.ctx, c.stop = context.WithCancelCause(context.Background())
	return c
}

func remote(conn net.Conn) string {
	if a := conn.RemoteAddr(); a != nil {
		return a.String()
	}
	return ""
}

// serve runs the connection from its first byte to its last.
func (c *connection) serve() {
	defer c.srv.leave(c)
	defer c.close()
	if err := c.protected(c.run); err != nil {
		c.farewell(err)
	}
}

// run logs the client in and answers its messages; nil after Terminate or a cancel request.
func (c *connection) run() error {
	deadline := time.Now().Add(c.cfg.StartupTimeout)
	_ = c.socket.SetDeadline(deadline)
	if c.ctx.Err() != nil { // Shutdown came before the deadline was set
		return context.Cause(c.ctx)
	}
	hello, err := c.greet()
	if err != nil || hello == nil {
		return err
	}
	_ = c.socket.SetDeadline(time.Time{})
	c.startReader()
	if err := c.login(hello, deadline); err != nil {
		return err
	}
	return c.converse()
}

// startReader lets the inbox fill from here on; nothing else may read the connection any more.
func (c *connection) startReader() {
	c.in = newInbox()
	c.frames = frames{in: c.in, conn: c.conn, ctx: c.ctx, limit: c.limit}
	c.watch = time.AfterFunc(watchAfter, c.lookAfter)
	c.reader.Add(1)
	go func() {
		defer c.reader.Done()
		c.in.fill(c.conn, func() { c.stop(errClientGone) })
	}()
}

// protected turns a panic into an error that ends this connection only.
func (c *connection) protected(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("a session panicked", "code", errs.Internal.Code, "panic", p, "stack", string(debug.Stack()))
			err = errs.Internal.New("what", p)
		}
	}()
	return f()
}

// farewell tells the client why the connection ends, unless it is gone.
func (c *connection) farewell(err error) {
	e, ok := errs.As(err)
	switch {
	case ok:
	case err == errShutdown:
		e = errs.ShuttingDown.New()
	default:
		c.log.Debug("connection lost", "err", err)
		return
	}
	_ = c.socket.SetWriteDeadline(time.Now().Add(farewellGrace))
	if c.out.w == nil {
		c.out.w = c.conn
	}
	c.out.send(errorResponse("FATAL", e))
	_ = c.out.flush() // the client may be gone: nobody is left to tell
}

// close ends the session and both goroutines. It runs in the connection's goroutine.
func (c *connection) close() {
	c.stop(errClientGone)
	if c.session != nil {
		_ = c.protected(func() error {
			c.closePortals()
			c.session.Close()
			return nil
		})
	}
	if c.in != nil {
		c.watch.Stop()
		close(c.in.done)
	}
	_ = c.conn.Close()
	c.reader.Wait()
}

// end asks the connection to finish, from any goroutine.
func (c *connection) end(cause error) {
	c.stop(cause)
	now := time.Now()
	_ = c.socket.SetReadDeadline(now)
	_ = c.socket.SetWriteDeadline(now.Add(farewellGrace))
}

// begin makes the context of a statement, which cancelStatement ends; the returned function must be called after it.
func (c *connection) begin() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(c.ctx)
	over := c.running(cancel)
	return ctx, func() {
		over()
		cancel(nil)
	}
}

// beginCommit is begin for what Sync does.
func (c *connection) beginCommit() (ctx context.Context, over func()) {
	if c.commit.ctx == nil || c.commit.ctx.Err() != nil {
		c.commit.ctx, c.commit.cancel = context.WithCancelCause(c.ctx)
	}
	return c.commit.ctx, c.running(c.commit.cancel)
}

// running tells what ends the statement that runs now: cancelStatement, and statement_timeout when it has passed. The
// returned function must be called after it.
func (c *connection) running(cancel context.CancelCauseFunc) (over func()) {
	c.setCancel(cancel)
	limit := c.session.StatementTimeout()
	if limit <= 0 {
		return func() { c.setCancel(nil) }
	}
	timer := time.AfterFunc(limit, func() { cancel(errTimeout) })
	return func() {
		timer.Stop()
		c.setCancel(nil)
	}
}

func (c *connection) setCancel(cancel context.CancelCauseFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mu.cancel = cancel
	if cancel != nil && !c.mu.watched {
		c.mu.watched = true
		c.watch.Reset(watchAfter)
	}
}

// lookAfter sends the reader, again and again while statements run.
func (c *connection) lookAfter() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mu.watched = c.mu.cancel != nil; c.mu.watched {
		signal(c.in.wanted)
		c.watch.Reset(watchAfter)
	}
}

// cancelStatement cancels what runs now, from any goroutine; between statements it does nothing, as in PostgreSQL.
func (c *connection) cancelStatement() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mu.cancel != nil {
		c.mu.cancel(errCanceled)
	}
}

// Notice implements Client.
func (c *connection) Notice(n Notice) {
	c.out.send(noticeResponse(n))
	_ = c.out.flush() // kept in out.err
}

// fail reports an error of a statement. It returns an error when the connection can not go on.
func (c *connection) fail(ctx context.Context, err error) error {
	c.closePortals()
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	if c.out.err != nil {
		return c.out.err
	}
	e := catalogued(ctx, err)
	if e.Entry == errs.Internal {
		c.log.Error("a statement met a bug", "code", e.Entry.Code, "err", err)
	}
	c.out.send(errorResponse("ERROR", e))
	c.session.Abort()
	return nil
}

// ready ends the answer to a simple query or Sync.
func (c *connection) ready() error {
	c.told.report(&c.out, c.session)
	c.out.send(&pgproto3.ReadyForQuery{TxStatus: c.session.TxStatus()})
	return c.out.flush()
}
