package session

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Simple runs a text of any number of statements, in one implicit transaction unless it says otherwise.
func (s *Session) Simple(ctx context.Context, sql string, send func(Result) error) error {
	stmts, err := parser.ParseAll(sql, parser.Options{Notice: s.noticeOf})
	if err != nil {
		return err
	}
	for i, st := range stmts {
		r, err := s.run(ctx, &Prepared{stmt: st.Stmt, text: sql[st.Start:st.End]}, nil)
		if err != nil {
			return err
		}
		if i == len(stmts)-1 {
			r = &lastResult{r, s}
		}
		err = send(r)
		r.Close()
		if err != nil {
			return err
		}
	}
	return s.Sync(ctx)
}

// lastResult commits the implicit transaction before the client hears of success.
type lastResult struct {
	Result
	s *Session
}

func (r *lastResult) Finish(ctx context.Context) (Tag, error) {
	tag, err := r.Result.Finish(ctx)
	if err == nil {
		err = r.s.Sync(ctx)
	}
	return tag, err
}

// Next passes the rows on.
func (r *lastResult) Next(ctx context.Context) (*chunk.Chunk, error) { return r.Result.Next(ctx) }

// Prepare parses a statement and finds the types of its parameters and columns.
func (s *Session) Prepare(ctx context.Context, name, sql string, paramOIDs []uint32) error {
	stmts, err := parser.ParseAll(sql, parser.Options{Notice: s.noticeOf})
	if err != nil {
		return err
	}
	if len(stmts) > 1 {
		return errs.ManyStatements.New()
	}
	if _, ok := s.prepared[name]; ok && name != "" {
		return errs.DuplicatePrepared.New("name", name)
	}
	p := &Prepared{text: sql}
	for _, oid := range paramOIDs {
		t, ok := types.FromOID(oid)
		if !ok {
			t = types.Unknown
		}
		p.params = append(p.params, t)
	}
	if len(stmts) == 1 {
		p.stmt = stmts[0].Stmt
		if s.txn.failed && !endsTransaction(p.stmt) {
			return errs.TransactionFailed.New()
		}
		if err := s.describe(p); err != nil {
			return err
		}
	}
	s.prepared[name] = p
	return nil
}

// Statement finds a prepared statement.
func (s *Session) Statement(name string) (*Prepared, bool) {
	p, ok := s.prepared[name]
	return p, ok
}

// Deallocate forgets a prepared statement.
func (s *Session) Deallocate(name string) { delete(s.prepared, name) }

// Execute starts a prepared statement.
func (s *Session) Execute(ctx context.Context, p *Prepared, params []types.Datum) (Result, error) {
	if p.stmt == nil {
		return nil, nil
	}
	return s.run(ctx, p, params)
}

// Sync commits what is not in a BEGIN block.
func (s *Session) Sync(ctx context.Context) error {
	defer s.rest()
	if s.txn.open {
		return nil
	}
	return s.commit(ctx)
}

// Abort follows every error: an implicit transaction is rolled back, a BEGIN block waits for its ROLLBACK.
func (s *Session) Abort() {
	defer s.rest()
	if s.txn.open {
		s.txn.failed = true
		return
	}
	s.rollback()
}

// TxStatus is 'I' outside of a BEGIN block, 'T' inside, 'E' inside one that failed.
func (s *Session) TxStatus() byte {
	switch {
	case s.txn.failed:
		return 'E'
	case s.txn.open:
		return 'T'
	}
	return 'I'
}

// writes is the transaction that the statement's changes go to.
func (s *Session) writes() *dml.Txn {
	if s.txn.writes == nil {
		s.txn.writes = dml.Begin(s.memory)
	}
	return s.txn.writes
}

// commit makes the transaction's changes durable.
func (s *Session) commit(ctx context.Context) error {
	w := s.txn.writes
	if s.txn.open {
		s.vars.Commit()
	}
	s.endTransaction()
	if w == nil {
		return nil
	}
	e, err := s.commitWrites(w)
	if err != nil || e == 0 {
		return err
	}
	if !s.vars.Bool("rw_implicit_flush") {
		return nil
	}
	if err := s.d.engine.WaitVisible(ctx, e); err != nil {
		return err
	}
	return s.d.sinks.flush(ctx, e)
}

// endTransaction gives up what lasts as long as a transaction.
func (s *Session) endTransaction() {
	if s.txn.open {
		s.endCursors()
	}
	s.d.locks.release(s, true)
	s.txn.release()
	s.txn = transaction{}
}

// rollback forgets the transaction's changes.
func (s *Session) rollback() {
	if s.txn.writes != nil {
		s.d.seq.Rollback(s.txn.writes)
	}
	if s.txn.open {
		s.vars.Rollback()
	}
	s.endTransaction()
}

// endsTransaction is true for the statements that a failed transaction takes.
func endsTransaction(st ast.Stmt) bool {
	switch st.(type) {
	case *ast.Rollback, *ast.Commit:
		return true
	}
	return false
}

// Unwrap returns the result of the statement itself, without what the end of a text adds to it.
func Unwrap(r Result) Result {
	if l, ok := r.(*lastResult); ok {
		return l.Result
	}
	return r
}
