package session

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// sharedModes are the modes of LOCK TABLE that hold up neither readers nor writers of rows. There is nothing to do for
// them: rows that a transaction has written are locked anyhow.
var sharedModes = map[string]bool{"ACCESS SHARE": true, "ROW SHARE": true, "ROW EXCLUSIVE": true}

// lock runs LOCK TABLE: what would have to hold up others is refused, because nothing does.
func (s *Session) lock(st *ast.Lock) (Result, error) {
	for _, t := range st.Tables {
		if _, err := s.binder(nil).Relation(t.Name); err != nil {
			return nil, err
		}
	}
	if !s.txn.open {
		return nil, errs.NoTransaction.New("statement", "LOCK TABLE")
	}
	if !sharedModes[st.Mode] {
		return nil, errs.Unsupported.New("feature", "a table lock that holds up others").At(int(st.Pos))
	}
	return done("LOCK TABLE"), nil
}
