package session

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/pgcatalog"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Startup is what a client says of itself.
type Startup struct {
	User, Database string
	Client         string // its address; empty: inside this process
	PID            uint32
	Notice         func(Notice)
	Signal         Signal // nil: sessions can not be cancelled from others
	Settings       map[string]string
}

// Notice is a message to the client that is not an error.
type Notice struct {
	Severity, SQLState, Message, Detail, Hint string
}

// Session is one client. One goroutine at a time uses it; the context of a call ends it.
type Session struct {
	d        *Database
	startup  Startup
	vars     *settings.Session
	prepared map[string]*Prepared
	cursors  map[string]*cursor
	txn      transaction
	memory   *mem.Budget // account of what its statements hold
	activity activity
	// statement is the context of the running statement, for functions that wait.
	statement context.Context
	base      base
}

// base is in what all expressions are evaluated, but for the time, while the catalog and the settings are the same.
type base struct {
	catalog *catalog.Snapshot
	vars    uint64
	ctx     expr.Ctx
}

// transaction is where a session stands between statements.
type transaction struct {
	open    bool // BEGIN was run
	failed  bool // waits for ROLLBACK
	writes  *dml.Txn
	started time.Time
	marks   []savepoint
	seen    kv.View // what a transaction reads that sees one epoch only; nil before its first query
}

type savepoint struct {
	name string
	at   int
	vars settings.Mark
}

// NewSession opens a session.
func (d *Database) NewSession(s Startup) (*Session, error) {
	out := &Session{d: d, startup: s, vars: settings.NewSession(d.settings), prepared: map[string]*Prepared{},
		cursors: map[string]*cursor{}}
	for name, value := range s.Settings {
		if _, err := out.vars.Startup(name, value); err != nil {
			return nil, err
		}
	}
	if out.startup.User == "" {
		out.startup.User = "root"
	}
	if out.startup.PID == 0 {
		out.startup.PID = d.pids.Add(1)
	}
	out.memory = d.memory.session(out.startup.PID)
	if out.startup.Database == "" {
		out.startup.Database = d.engine.Catalog().Database
	}
	out.activity.started = d.now()
	out.rest()
	d.mu.Lock()
	d.mu.sessions[out] = true
	d.mu.Unlock()
	return out, nil
}

// Close ends the session; an open transaction is rolled back.
func (s *Session) Close() {
	s.rollback()
	s.closeCursors(func(*cursor) bool { return true })
	s.d.locks.release(s, false)
	s.memory.Close()
	s.d.mu.Lock()
	delete(s.d.mu.sessions, s)
	s.d.mu.Unlock()
}

// Setting returns the value of a setting.
func (s *Session) Setting(name string) (string, bool) {
	v, err := s.vars.Show(name)
	return v, err == nil
}

// StatementTimeout is how long a statement may take; 0 for ever.
func (s *Session) StatementTimeout() time.Duration { return s.vars.Duration("statement_timeout") }

// TextContext is what the text form of values depends on now.
func (s *Session) TextContext() types.Ctx {
	ctx := s.baseCtx().Ctx
	ctx.Now = s.now()
	return ctx
}

// object answers for the text forms of regclass and its like.
func (s *Session) object(fn string, arg types.Datum) (types.Datum, error) {
	return s.catalogCall(fn, types.Row{arg})
}

// now is the start of the transaction, as in PostgreSQL.
func (s *Session) now() time.Time {
	if !s.txn.started.IsZero() {
		return s.txn.started
	}
	return s.d.now()
}

// exprCtx is the context in which the session's expressions are evaluated.
func (s *Session) exprCtx() *expr.Ctx {
	ctx := *s.baseCtx()
	ctx.Now = s.now()
	ctx.Ctx.Now = ctx.Now
	return &ctx
}

// baseCtx makes the context of expressions without the time, or finds it made.
func (s *Session) baseCtx() *expr.Ctx {
	c, v := s.d.engine.Catalog(), s.vars.Version()
	if s.base.catalog != c || s.base.vars != v {
		text := types.Ctx{Loc: s.vars.Location(), RWCompat: s.vars.Bool("rw_compat"), Objects: s.object}
		s.base = base{c, v, expr.Ctx{Ctx: text, Random: rand.Uint64, Mark: s.d.mark, Session: expr.Session{
			User: s.startup.User, Database: c.Database, SearchPath: slices.Clip(s.path()), BackendPID: int32(s.startup.PID),
			Setting: s.Setting, Catalog: s.catalogCall,
		}}}
	}
	return &s.base.ctx
}

// path is the schemas of search_path that exist.
func (s *Session) path() []string {
	c := s.d.engine.Catalog()
	var path []string
	for _, p := range s.vars.Path() {
		if p == "$user" {
			p = s.startup.User
		}
		if _, ok := c.Schema(p); ok || pgcatalog.SystemSchema(p) {
			path = append(path, p)
		}
	}
	return path
}

// schema is where unqualified names are created.
func (s *Session) schema(name string) (string, error) {
	c := s.d.engine.Catalog()
	if name != "" {
		if _, ok := c.Schema(name); !ok {
			return "", errs.UndefinedSchema.New("name", name)
		}
		return name, nil
	}
	for _, p := range s.path() {
		if _, ok := c.Schema(p); ok {
			return p, nil
		}
	}
	return "", errs.UndefinedSchema.New("name", "public")
}

// binder binds one statement against the catalog of now.
func (s *Session) binder(params []types.T) *bind.Binder {
	return &bind.Binder{Catalog: s.d.engine.Catalog(), Path: s.path(), Funcs: s.d.funcs, Aggs: s.d.aggs,
		Access: s.access, System: s.systemRelation, Ctx: s.exprCtx(), Params: params}
}

func (s *Session) notice(severity, format string, args ...any) {
	s.send(Notice{Severity: severity, Message: sprintf(format, args)})
}

// send gives the client a message, unless client_min_messages asks for graver ones only.
func (s *Session) send(n Notice) {
	least := s.vars.Text("client_min_messages")
	if s.startup.Notice == nil || least == "error" || least == "warning" && n.Severity == "NOTICE" {
		return
	}
	s.startup.Notice(n)
}

// noticeOf sends an entry of the catalogue as a notice.
func (s *Session) noticeOf(e *errs.Error) {
	if e != nil {
		s.send(Notice{Severity: "NOTICE", SQLState: e.Entry.SQLState, Message: e.Message, Detail: e.Detail, Hint: e.Hint})
	}
}

// rowsResult is a result of rows that are at hand.
type rowsResult struct {
	columns []Column
	rows    *chunk.Chunk
	tag     Tag
}

func (r *rowsResult) Columns() []Column { return r.columns }

func (r *rowsResult) Next(context.Context) (*chunk.Chunk, error) {
	c := r.rows
	r.rows = nil
	return c, nil
}

func (r *rowsResult) Finish(context.Context) (Tag, error) { return r.tag, nil }
func (r *rowsResult) Close()                              {}
