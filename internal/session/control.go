package session

import (
	"context"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/types"
)

// transaction runs BEGIN and its kin.
func (s *Session) transaction(ctx context.Context, st ast.Stmt) (Result, error) {
	switch st := st.(type) {
	case *ast.Begin:
		return s.begin(ctx, st)
	case *ast.Commit:
		if s.txn.failed {
			s.rollback()
			return done("ROLLBACK"), nil
		}
		if !s.txn.open {
			s.send(Notice{Severity: "WARNING", SQLState: errs.NoTransaction.SQLState, Message: "there is no transaction in progress"})
		}
		return done("COMMIT"), s.commit(ctx)
	case *ast.Rollback:
		if st.Savepoint != "" {
			return s.rollbackTo(st)
		}
		if !s.txn.open {
			s.send(Notice{Severity: "WARNING", SQLState: errs.NoTransaction.SQLState, Message: "there is no transaction in progress"})
		}
		s.rollback()
		return done("ROLLBACK"), nil
	case *ast.Savepoint:
		if !s.txn.open {
			return nil, errs.NoTransaction.New("statement", "SAVEPOINT")
		}
		s.txn.marks = append(s.txn.marks, savepoint{st.Name, s.writes().Savepoint(), s.vars.Mark()})
		return done("SAVEPOINT"), nil
	case *ast.ReleaseSavepoint:
		if !s.txn.open {
			return nil, errs.NoTransaction.New("statement", "RELEASE SAVEPOINT")
		}
		i := s.savepoint(st.Name)
		if i < 0 {
			return nil, errs.NoSavepoint.New("name", st.Name)
		}
		s.txn.marks = s.txn.marks[:i]
		return done("RELEASE"), nil
	}
	return nil, errs.Internal.New("what", "no transaction statement")
}

// activeTransaction is the SQLSTATE of the warning that a transaction is open.
const activeTransaction = "25001"

func (s *Session) begin(ctx context.Context, st *ast.Begin) (Result, error) {
	tag := "BEGIN"
	if st.Start {
		tag = "START TRANSACTION"
	}
	if s.txn.open {
		s.send(Notice{Severity: "WARNING", SQLState: activeTransaction, Message: "there is already a transaction in progress"})
		return done(tag), nil
	}
	if err := s.commit(ctx); err != nil {
		return nil, err
	}
	s.txn = transaction{open: true, started: s.d.now()}
	s.vars.Begin()
	if err := s.takeDefaults(); err != nil {
		return nil, err
	}
	return done(tag), s.setModes(st.Modes, false)
}

func (s *Session) savepoint(name string) int {
	for i := len(s.txn.marks) - 1; i >= 0; i-- {
		if s.txn.marks[i].name == name {
			return i
		}
	}
	return -1
}

func (s *Session) rollbackTo(st *ast.Rollback) (Result, error) {
	if !s.txn.open {
		return nil, errs.NoTransaction.New("statement", "ROLLBACK TO SAVEPOINT")
	}
	i := s.savepoint(st.Savepoint)
	if i < 0 {
		return nil, errs.NoSavepoint.New("name", st.Savepoint)
	}
	m := s.txn.marks[i]
	s.txn.marks, s.txn.failed = s.txn.marks[:i+1], false
	s.writes().RollbackTo(m.at)
	s.vars.RollbackTo(m.vars)
	return done("ROLLBACK"), nil
}

// variable runs SET, SHOW, RESET and DISCARD.
func (s *Session) variable(st ast.Stmt) (Result, error) {
	switch st := st.(type) {
	case *ast.SetVar:
		if len(st.Values) == 0 {
			return done("SET"), s.vars.Reset(st.Name)
		}
		n, err := s.vars.Set(st.Name, optionText(strings.ToLower(st.Name), st.Values), st.Scope == ast.ScopeLocal || ofTransaction(st.Name))
		if err != nil {
			return nil, err
		}
		s.noticeOf(n)
		return done("SET"), nil
	case *ast.Reset:
		if st.Name == "all" {
			s.vars.ResetAll()
			return done("RESET"), nil
		}
		return done("RESET"), s.vars.Reset(st.Name)
	case *ast.ShowVar:
		return s.showVar(st)
	case *ast.SetTransaction:
		return done("SET"), s.setModes(st.Modes, st.Session)
	case *ast.Discard:
		s.vars.ResetAll()
		clear(s.prepared)
		s.closeCursors(func(*cursor) bool { return true })
		return done("DISCARD " + strings.ToUpper(st.What)), nil
	}
	return done("SET"), nil
}

// optionText joins the values of SET as PostgreSQL does: of search_path each is a name, so that "My schema" stays one.
func optionText(name string, values []ast.OptionValue) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = v.Text
		if name == "search_path" || len(values) > 1 && v.Kind == ast.OptString {
			parts[i] = ast.QuoteIdent(v.Text)
		}
	}
	return strings.Join(parts, ", ")
}

func (s *Session) showVar(st *ast.ShowVar) (Result, error) {
	if st.Name == "all" {
		var rows []types.Row
		for _, r := range s.vars.Rows() {
			rows = append(rows, types.Row{text(r.Name), text(r.Shown), text(r.Doc)})
		}
		return table("SHOW", textColumns("name", "setting", "description"), rows), nil
	}
	name := st.Name
	if !s.txn.open && ofTransaction(name) {
		name = defaultPrefix + name // the transaction of this statement alone
	}
	v, err := s.vars.Show(name)
	if err != nil {
		return nil, err
	}
	return table("SHOW", []Column{{Name: strings.ToLower(st.Name), Type: types.Text}}, []types.Row{{text(v)}}), nil
}

// preparedStatement runs PREPARE, EXECUTE and DEALLOCATE.
func (s *Session) preparedStatement(ctx context.Context, st ast.Stmt) (Result, error) {
	switch st := st.(type) {
	case *ast.Prepare:
		if _, ok := s.prepared[st.Name]; ok {
			return nil, errs.DuplicatePrepared.New("name", st.Name)
		}
		p := &Prepared{stmt: st.Stmt, text: ast.Format(st.Stmt)}
		for _, t := range st.Types {
			pt, err := bind.Type(t)
			if err != nil {
				return nil, err
			}
			p.params = append(p.params, pt)
		}
		if err := s.describe(p); err != nil {
			return nil, err
		}
		s.prepared[st.Name] = p
		return done("PREPARE"), nil
	case *ast.Deallocate:
		if st.Name == "" {
			clear(s.prepared)
			return done("DEALLOCATE ALL"), nil
		}
		if _, ok := s.prepared[st.Name]; !ok {
			return nil, errs.UndefinedPrepared.New("name", st.Name)
		}
		delete(s.prepared, st.Name)
		return done("DEALLOCATE"), nil
	case *ast.Execute:
		p, ok := s.prepared[st.Name]
		if !ok {
			return nil, errs.UndefinedPrepared.New("name", st.Name)
		}
		params, err := s.arguments(st, p)
		if err != nil {
			return nil, err
		}
		return s.run(ctx, p, params)
	}
	return nil, errs.Internal.New("what", "no prepared statement")
}

// arguments evaluates the arguments of EXECUTE.
func (s *Session) arguments(st *ast.Execute, p *Prepared) ([]types.Datum, error) {
	if len(st.Args) != len(p.params) {
		return nil, errs.ExecuteArguments.New("name", st.Name, "want", len(p.params), "got", len(st.Args)).At(int(st.Position()))
	}
	b := s.binder(nil)
	out := make([]types.Datum, len(st.Args))
	for i, a := range st.Args {
		e, err := b.Constant(a)
		if err == nil {
			e, err = s.d.funcs.Cast(e, p.params[i], expr.CastAssignment)
		}
		if err != nil {
			return nil, err
		}
		if out[i], err = expr.EvalConst(s.exprCtx(), e); err != nil {
			return nil, err
		}
	}
	return out, nil
}
