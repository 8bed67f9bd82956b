package session

import (
	"fmt"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/pgcatalog"
	"github.com/tidemark-db/tidemark/internal/query"
)

// memory divides what a database may use. The store has taken its part before; state drops what it can read back once it
// is over its limit, which it notices at barriers; statements are refused what does not fit in their own part.
type memory struct {
	root, state, statements *mem.Budget
	changes                 *mem.Budget // what was staged, until it is durable
	writes                  *mem.Budget // below statements: what was committed and is not visible yet
	captures                *mem.Budget // below statements: what was read of upstreams and is not written
}

// The parts of the whole. A session may use half of what all statements have, so that one cannot shut out the others.
const (
	stateShare      = 5.0 / 16
	changesShare    = 1.0 / 16
	statementsLeast = 1.0 / 8
	sessionsShare   = 2
)

// divide makes the accounts below the root; nil and a root without a limit bound nothing. state is the part of state, 0
// for the usual one.
func divide(root *mem.Budget, state int64) (memory, error) {
	m := memory{root: root}
	limit := root.Limit()
	part := func(share float64) int64 { return int64(share * float64(limit)) }
	if state == 0 {
		state = part(stateShare)
	}
	taken := root.Used() + state + part(changesShare)
	statements := limit - taken
	if least := part(statementsLeast); statements < least {
		return m, errs.OutOfMemory.New("account", root.Name(), "used", taken, "limit", limit, "bytes", least)
	}
	m.changes = root.Child("changes", part(changesShare))
	m.state, m.statements = root.Child("state", state), root.Share("statements", statements)
	m.writes = m.statements.Child("writes", 0)
	m.captures = m.statements.Child("captures", m.statements.Limit()/sessionsShare)
	return m, nil
}

// info lists the accounts.
func (m memory) info() (out []pgcatalog.MemoryInfo) {
	for _, a := range m.root.Accounts() {
		i := pgcatalog.MemoryInfo{Account: a.Name(), Bytes: a.Used(), Peak: a.Peak(), Limit: a.Limit()}
		if p := a.Parent(); p != nil {
			i.Parent = p.Name()
		}
		out = append(out, i)
	}
	return out
}

// session makes the account of a session's statements.
func (m memory) session(pid uint32) *mem.Budget {
	return m.statements.Child(fmt.Sprintf("session %d", pid), m.statements.Limit()/sessionsShare)
}

// env is what a query of the session reads, and the account of what it holds.
func (s *Session) env(r kv.Reader) query.Env {
	return query.Env{Reader: r, Ctx: s.exprCtx(), System: s.systemRows, Current: s.current(r), Memory: s.memory, Spill: s.d.spill}
}
