package session

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-db/tidemark/internal/pgcatalog"
)

// activity is what others see of a session, in pg_stat_activity. It is a copy made when a statement begins and ends: what
// the session itself holds belongs to the goroutine that uses it.
type activity struct {
	started time.Time // of the session
	mu      struct {
		sync.Mutex
		query, application, state string
		since                     time.Time // of the query, or of its end
	}
}

// busy notes that a statement begins.
func (s *Session) busy(query string) {
	a := &s.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mu.query, a.mu.application, a.mu.state, a.mu.since = query, s.vars.Text("application_name"), "active", s.d.now()
}

// rest notes that the client has to speak next.
func (s *Session) rest() {
	a := &s.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mu.application, a.mu.since = s.vars.Text("application_name"), s.d.now()
	switch s.TxStatus() {
	case 'T':
		a.mu.state = "idle in transaction"
	case 'E':
		a.mu.state = "idle in transaction (aborted)"
	default:
		a.mu.state = "idle"
	}
}

// sessions are all that are open, by the order in which they began.
func (d *Database) sessions() []pgcatalog.SessionInfo {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]pgcatalog.SessionInfo, 0, len(d.mu.sessions))
	for s := range d.mu.sessions {
		out = append(out, s.activity.info(s.startup))
	}
	slices.SortFunc(out, func(a, b pgcatalog.SessionInfo) int { return cmp.Compare(a.PID, b.PID) })
	return out
}

func (a *activity) info(st Startup) pgcatalog.SessionInfo {
	a.mu.Lock()
	defer a.mu.Unlock()
	return pgcatalog.SessionInfo{PID: int32(st.PID), User: st.User, Database: st.Database, Client: st.Client, Started: a.started,
		Application: a.mu.application, State: a.mu.state, Query: a.mu.query, QueryStarted: a.mu.since}
}
