package session

import (
	"context"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// Settings of a transaction, each from a default of its session.
const (
	isolationSetting = "transaction_isolation"
	readOnlySetting  = "transaction_read_only"
	defaultPrefix    = "default_"
)

// takeDefaults begins a transaction with the modes that its session has as defaults.
func (s *Session) takeDefaults() error {
	for _, name := range []string{isolationSetting, readOnlySetting} {
		if _, err := s.vars.Set(name, s.vars.Text(defaultPrefix+name), true); err != nil {
			return err
		}
	}
	return nil
}

// ofTransaction reports whether a setting ends with its transaction, however it is set.
func ofTransaction(name string) bool {
	return strings.EqualFold(name, isolationSetting) || strings.EqualFold(name, readOnlySetting)
}

// setModes applies the modes of BEGIN and SET TRANSACTION to the open transaction, or those of SET SESSION CHARACTERISTICS
// to the ones to come.
func (s *Session) setModes(modes []ast.TxnMode, session bool) error {
	for _, m := range modes {
		name, value := "", ""
		switch word := strings.ToLower(string(m)); {
		case word == "read only":
			name, value = readOnlySetting, "on"
		case word == "read write":
			name, value = readOnlySetting, "off"
		case strings.HasPrefix(word, "isolation level "):
			name, value = isolationSetting, strings.TrimPrefix(word, "isolation level ")
		default:
			continue // DEFERRABLE: nothing waits for a safe snapshot
		}
		if session {
			name = defaultPrefix + name
		}
		if _, err := s.vars.Set(name, value, !session); err != nil {
			return err
		}
	}
	return nil
}

// writable refuses what changes data or the catalog in a read-only transaction.
func (s *Session) writable(st ast.Stmt) error {
	if !s.readOnly() {
		return nil
	}
	switch st := st.(type) {
	case *ast.Insert, *ast.Update, *ast.Delete, *ast.Truncate, *ast.Grant, *ast.Drop, *ast.Alter, *ast.Comment,
		*ast.CreateTable, *ast.CreateView, *ast.CreateIndex, *ast.CreateSchema, *ast.CreateUser, *ast.CreateSource, *ast.CreateSink,
		*ast.CreateFunction, *ast.CreateSubscription, *ast.CreateDatabase, *ast.CreateSecret, *ast.CreateConnection:
		return errs.ReadOnlyTransaction.New("statement", statementName(st))
	}
	return nil
}

func (s *Session) readOnly() bool {
	if s.txn.open {
		return s.vars.Bool(readOnlySetting)
	}
	return s.vars.Bool(defaultPrefix + readOnlySetting)
}

// oneEpoch reports whether all queries of the transaction read the same epoch.
func (s *Session) oneEpoch() bool {
	if !s.txn.open {
		return false
	}
	switch s.vars.Text(isolationSetting) {
	case "repeatable read", "serializable":
		return true
	}
	return false
}

// view is what a query reads: fresh, or what the transaction read before.
func (s *Session) view(ctx context.Context, r *basis) (kv.View, error) {
	if !s.oneEpoch() {
		return s.fresh(ctx, r)
	}
	if s.txn.seen == nil {
		v, err := s.fresh(ctx, r)
		if err != nil {
			return nil, err
		}
		s.txn.seen = v
	}
	return sharedView{s.txn.seen}, nil
}

// sharedView is a view of the transaction; a result does not close it.
type sharedView struct{ kv.View }

// Close leaves the view to the transaction.
func (sharedView) Close() error { return nil }

// release gives up the view of a transaction that ends.
func (t *transaction) release() {
	if t.seen != nil {
		t.seen.Close()
	}
}
