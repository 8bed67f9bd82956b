package tidemark

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"github.com/tidemark-db/tidemark/internal/connector/builtin"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/server"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// DB is an open database. It may be used by many goroutines.
type DB struct {
	opts   Options
	set    *settings.Server
	log    *slog.Logger
	memory *mem.Budget
	inner  *session.Database
	ctx    context.Context // ends when the DB is closed
	end    context.CancelFunc

	mu struct {
		sync.Mutex
		open   map[user]bool
		server *server.Server // made by the first Serve
		closed chan struct{}  // made by the first Close, closed when the DB is
		err    error          // of Close
	}
}

// user is something that must end before the store does.
type user interface{ Close() error }

// Open opens the database in a directory, making it where there is none. Memory, or "" where no setting "data" names a
// directory, keeps everything in memory. A directory is open in one process, and there once, at a time.
func Open(dir string, o Options) (*DB, error) {
	set, err := o.resolve()
	if err != nil {
		return nil, public(err)
	}
	switch dir {
	case "":
		dir = set.Text("data")
	case Memory:
		dir = ""
	}
	db := &DB{opts: o, set: set, log: o.logger(set), memory: memory(set.Int("memory"))}
	started := time.Now()
	db.inner, err = session.Open(session.Options{Dir: dir, Settings: set, Logger: db.log, Now: o.Now, Dedicated: o.Dedicated,
		Memory: db.memory, Systems: builtin.Systems(), Verifier: server.Verifier,
		Fatal: func(err error) {
			if o.OnFatal != nil {
				o.OnFatal(public(err))
			}
		}})
	if err != nil {
		return nil, public(err)
	}
	db.log.Info("open", "dir", dir, "took", time.Since(started).Round(time.Millisecond).String())
	db.ctx, db.end = context.WithCancel(context.Background())
	db.mu.open = map[user]bool{}
	return db, nil
}

// memory is the account of a database's buffers: of the limit given, or of half of what the process may use.
func memory(limit int64) *mem.Budget {
	if limit == 0 {
		limit = mem.Machine(os.DirFS("/"), mem.RAM()) / 2
	}
	return mem.New("process", limit)
}

// Memory is how many bytes the database's state, caches and queries may use together, as the setting "memory" says.
func (db *DB) Memory() int64 { return db.memory.Limit() }

// Setting returns the value of a setting of the server.
func (db *DB) Setting(name string) string { return db.set.Text(name) }

// Serve lets clients of PostgreSQL's protocol connect through a listener, which it closes. It returns nil after Close.
func (db *DB) Serve(ln net.Listener) error {
	srv, err := db.wire()
	if err != nil {
		return errors.Join(public(err), ln.Close())
	}
	db.log.Info("ready", "listen", ln.Addr().String())
	err = srv.Serve(ln)
	if db.ctx.Err() != nil {
		return nil
	}
	return err
}

// wire is the server of all listeners.
func (db *DB) wire() (*server.Server, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.ctx.Err() != nil {
		return nil, errs.ShuttingDown.New()
	}
	if db.mu.server == nil {
		srv, err := server.New(db.inner, db.set, db.log)
		if err != nil {
			return nil, err
		}
		db.mu.server = srv
	}
	return db.mu.server, nil
}

// goodbye bounds how long clients of Serve may take to end.
const goodbye = 30 * time.Second

// Close cancels what is running, makes all that was written durable, and closes the store. Rows, connections and
// subscriptions that are open end with it.
func (db *DB) Close() error {
	db.mu.Lock()
	if closed := db.mu.closed; closed != nil {
		db.mu.Unlock()
		<-closed
		return db.mu.err
	}
	db.mu.closed = make(chan struct{})
	db.end()
	srv, open := db.mu.server, db.mu.open
	db.mu.open = nil
	db.mu.Unlock()
	defer close(db.mu.closed)

	var err error
	if srv != nil {
		ctx, cancel := context.WithTimeout(context.Background(), goodbye)
		err = srv.Shutdown(ctx)
		cancel()
	}
	for u := range open {
		err = errors.Join(err, u.Close())
	}
	db.mu.err = errors.Join(err, public(db.inner.Close(context.Background())))
	return db.mu.err
}

// keep remembers a user until it is forgotten.
func (db *DB) keep(u user) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.mu.open == nil {
		return public(errs.ShuttingDown.New())
	}
	db.mu.open[u] = true
	return nil
}

func (db *DB) forget(u user) {
	db.mu.Lock()
	defer db.mu.Unlock()
	delete(db.mu.open, u)
}

// within makes the context of a call end with the DB, too.
func (db *DB) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(db.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}
