package session

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// run starts a statement: the one switch over the kinds of statements.
func (s *Session) run(ctx context.Context, p *Prepared, params []types.Datum) (Result, error) {
	s.statement = ctx
	s.busy(p.text)
	if s.txn.failed && !endsTransaction(p.stmt) {
		return nil, errs.TransactionFailed.New()
	}
	if s.txn.started.IsZero() {
		s.txn.started = s.d.now()
	}
	if err := s.writable(p.stmt); err != nil {
		return nil, err
	}
	if err := s.roomFor(p.stmt); err != nil {
		return nil, err
	}
	switch st := p.stmt.(type) {
	case *ast.Query:
		return s.query(ctx, p, params)
	case *ast.Insert, *ast.Update, *ast.Delete:
		return s.write(ctx, p, params)
	case *ast.Truncate:
		return s.truncate(ctx, st)
	case *ast.Copy:
		return s.copy(ctx, st)
	case *ast.Begin, *ast.Commit, *ast.Rollback, *ast.Savepoint, *ast.ReleaseSavepoint:
		return s.transaction(ctx, st)
	case *ast.SetVar, *ast.SetTransaction, *ast.Reset, *ast.ShowVar, *ast.Discard:
		return s.variable(st)
	case *ast.Show, *ast.Describe:
		return s.show(ctx, st)
	case *ast.Explain, *ast.ExplainError:
		return s.explain(ctx, st)
	case *ast.Prepare, *ast.Execute, *ast.Deallocate:
		return s.preparedStatement(ctx, st)
	case *ast.DeclareCursor:
		return s.declareCursor(ctx, st)
	case *ast.FetchCursor:
		return s.fetchCursor(ctx, st)
	case *ast.CloseCursor:
		return s.closeCursor(st)
	case *ast.Flush, *ast.Wait, *ast.CancelJobs, *ast.AlterJob, *ast.AlterBackfill, *ast.Recover:
		return s.job(ctx, st)
	case *ast.Verify, *ast.Backfill:
		return s.proof(ctx, st)
	case *ast.AlterSystem:
		return s.alterSystem(st)
	case *ast.Refresh:
		return s.refresh(ctx, st)
	case *ast.Unlisten:
		return done("UNLISTEN"), nil
	case *ast.Lock:
		return s.lock(st)
	case *ast.Vacuum:
		if st.Analyze {
			return done("ANALYZE"), nil
		}
		return done("VACUUM"), nil
	}
	return s.ddl(ctx, p)
}

// ddl runs a statement that changes the catalog. A transaction does not hold it: who opened one is told.
func (s *Session) ddl(ctx context.Context, p *Prepared) (Result, error) {
	r, err := s.define(ctx, p)
	if err == nil && s.txn.open {
		s.notice("WARNING", "%s is not part of the transaction: ROLLBACK will not undo it", statementName(p.stmt))
	}
	return r, err
}

// define is the switch over these statements. Outside of a transaction block, what was written before is committed first.
func (s *Session) define(ctx context.Context, p *Prepared) (Result, error) {
	if !s.txn.open {
		if err := s.commit(ctx); err != nil {
			return nil, err
		}
		s.txn.started = s.d.now()
	}
	switch st := p.stmt.(type) {
	case *ast.CreateTable:
		return s.createTable(ctx, st)
	case *ast.CreateSource:
		return s.createSource(ctx, st)
	case *ast.CreateView:
		return s.createView(ctx, st, p.text)
	case *ast.Recreate:
		return s.recreate(ctx, st, p.text)
	case *ast.CreateIndex:
		return s.createIndex(ctx, st, p.text)
	case *ast.CreateSchema:
		return s.createSchema(ctx, st)
	case *ast.CreateUser:
		return s.createUser(ctx, st)
	case *ast.CreateSink:
		return s.createSink(ctx, st, p.text)
	case *ast.CreateFunction:
		return s.createFunction(ctx, st)
	case *ast.CreateSubscription:
		return s.createSubscription(ctx, st)
	case *ast.Grant:
		return s.grant(ctx, st)
	case *ast.AlterDefaultPrivileges:
		return s.alterDefaults(ctx, st)
	case *ast.Drop:
		return s.drop(ctx, st)
	case *ast.Alter:
		return s.alter(ctx, st)
	case *ast.Comment:
		return s.comment(ctx, st)
	}
	return nil, errs.Unsupported.New("feature", statementName(p.stmt)).At(int(p.stmt.Position()))
}

// describe finds the parameters and columns of a statement without running it.
func (s *Session) describe(p *Prepared) error {
	switch st := p.stmt.(type) {
	case *ast.Query, *ast.Insert, *ast.Update, *ast.Delete:
		pl, err := s.planned(p)
		if err != nil {
			return err
		}
		p.params, p.columns = pl.params, pl.columns
	case *ast.FetchCursor:
		if c, ok := s.cursors[st.Cursor]; ok && !st.Move {
			p.columns = c.columns
		}
	case *ast.Verify:
		p.columns = differenceColumns()
	case *ast.Backfill:
		p.columns = findingColumns()
	case *ast.ShowVar:
		p.columns = []Column{{Name: st.Name, Type: types.Text}}
	case *ast.Explain, *ast.ExplainError:
		p.columns = planColumn
	case *ast.Show, *ast.Describe:
		r, err := s.run(context.Background(), p, nil)
		if err != nil {
			return err
		}
		p.columns = r.Columns()
		r.Close()
	}
	return nil
}
