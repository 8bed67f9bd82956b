package session

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/query"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/types"
)

// planned is a query or DML statement bound against one catalog and one set of settings. A prepared statement keeps it
// and runs it for as long as both are the same.
type planned struct {
	catalog *catalog.Snapshot
	vars    uint64
	params  []types.T
	source  plan.Node           // as bound, with parameters in place
	uses    []*catalog.Relation // of a query: what it reads
	origins []plan.Origin       // and where its columns come from
	insert  *plan.Insert        // one of these for DML
	update  *plan.Update
	delete  *plan.Delete
	columns []Column // of the query or of RETURNING
	// ready is the optimised source if it is good for all values of the parameters and takes less to run than to make;
	// nil: the source is optimised for each run. via are the indexes that it reads.
	ready   plan.Node
	via     []*catalog.Relation
	few     bool          // ready reads at most one row for each of its look-ups
	basis   *basis        // of ready
	formats query.Formats // of what runs have read
}

// planned binds a query or DML statement, or finds it bound.
func (s *Session) planned(p *Prepared) (*planned, error) {
	c, v := s.d.engine.Catalog(), s.vars.Version()
	if pl := p.planned; pl != nil && pl.catalog == c && pl.vars == v {
		return pl, nil
	}
	pl := &planned{catalog: c, vars: v, formats: query.Formats{}}
	if err := s.bind(pl, p); err != nil {
		return nil, err
	}
	pl.columns = pl.describe()
	if p.columns != nil && !sameResult(p.columns, pl.columns) {
		return nil, errs.ResultChanged.New() // the client reads rows by the description that it has
	}
	if !openLimit(pl.source) {
		ready := opt.Run(pl.source, s.once(pl.query()))
		if via, ok := lookupsOnly(ready); ok {
			pl.ready, pl.via, pl.few = typedParams(ready, pl.params), via, fewRows(ready)
			pl.basis = basisOf(append(slices.Clip(pl.uses), via...)...)
		}
	}
	p.planned = pl
	return pl, nil
}

// plannedFor is planned for a run with these values of parameters.
func (s *Session) plannedFor(p *Prepared, params []types.Datum) (*planned, error) {
	pl, err := s.planned(p)
	if err == nil && len(params) < len(pl.params) {
		err = errs.NoParameter.New("n", len(params)+1)
	}
	return pl, err
}

// bind fills in what the statement says.
func (s *Session) bind(pl *planned, p *Prepared) (err error) {
	b := s.binder(slices.Clone(p.params))
	defer func() { pl.params = b.Params }()
	switch st := p.stmt.(type) {
	case *ast.Query:
		q, err := b.Query(st)
		if err != nil {
			return err
		}
		pl.source, pl.uses, pl.origins = q.Root, q.Uses, q.Origins
	case *ast.Insert:
		if pl.insert, err = b.Insert(st); err == nil {
			pl.source = pl.insert.Source
		}
	case *ast.Update:
		if pl.update, err = b.Update(st); err == nil {
			pl.source = pl.update.Source
		}
	case *ast.Delete:
		if pl.delete, err = b.Delete(st); err == nil {
			pl.source = pl.delete.Source
		}
	default:
		err = errs.Internal.New("what", "a statement has no plan")
	}
	return err
}

// SettingsVersion is another number after whatever may have changed a setting.
func (s *Session) SettingsVersion() uint64 { return s.vars.Version() }

func (pl *planned) query() bool { return pl.insert == nil && pl.update == nil && pl.delete == nil }

// describe makes the columns of the query or of RETURNING.
func (pl *planned) describe() []Column {
	switch {
	case pl.insert != nil:
		return returningColumns(pl.insert.Returning)
	case pl.update != nil:
		return returningColumns(pl.update.Returning)
	case pl.delete != nil:
		return returningColumns(pl.delete.Returning)
	}
	return columnsOf(pl.source.Schema(), pl.origins)
}

// sameResult reports whether rows of b may be sent to a client that was told of a.
func sameResult(a, b []Column) bool {
	return slices.EqualFunc(a, b, func(x, y Column) bool { return x.Name == y.Name && x.Type.Equal(y.Type) })
}

// plan returns the optimised source and what it reads. A query that was ready finds the values of parameters in the context of
// its run, others have them in the plan.
func (s *Session) plan(pl *planned, params []types.Datum) (root plan.Node, from *basis) {
	indexes := pl.query() && s.seesIndexes()
	if pl.ready != nil && (len(pl.via) == 0 || indexes && s.inStep(pl.via)) {
		if pl.query() {
			return pl.ready, pl.basis
		}
		return bindParams(pl.ready, pl.params, params), pl.basis
	}
	root = opt.Run(bindParams(pl.source, pl.params, params), s.once(indexes))
	via, _ := lookupsOnly(root)
	return root, basisOf(append(slices.Clip(pl.uses), via...)...)
}

// seesIndexes reports whether a query may read indexes: they do not have the transaction's own writes, and a transaction
// that keeps reading an earlier epoch may be older than an index.
func (s *Session) seesIndexes() bool { return s.ownWrites() == nil && !s.oneEpoch() }

// once is how a plan that runs once is optimised. An index does not know rows that are not published: DML, which reads
// the newest, does without.
func (s *Session) once(indexes bool) opt.Options {
	o := opt.Options{Ctx: s.exprCtx(), Once: true}
	if indexes {
		o.Indexes = s.indexesOn
	}
	return o
}

// indexesOn returns the indexes that hold just what the relation holds.
func (s *Session) indexesOn(rel *catalog.Relation) []*catalog.Relation {
	return slices.DeleteFunc(s.d.engine.Catalog().Dependants(rel.ID), func(ix *catalog.Relation) bool {
		return ix.Kind != catalog.KindIndex || ix.Indexed != rel.ID || ix.Shadow != 0 || !s.d.engine.InStep(ix.Job)
	})
}

func (s *Session) inStep(via []*catalog.Relation) bool {
	return !slices.ContainsFunc(via, func(ix *catalog.Relation) bool { return !s.d.engine.InStep(ix.Job) })
}

// lookupsOnly reports whether a plan reads nothing but single values of keys, and which indexes it reads.
func lookupsOnly(n plan.Node) (via []*catalog.Relation, ok bool) {
	ok = true
	var visit func(plan.Node)
	visit = func(n plan.Node) {
		switch n := n.(type) {
		case *plan.Lookup:
			if n.Rel.Kind == catalog.KindIndex {
				via = append(via, n.Rel)
			}
		case *plan.Scan:
			ok = false
		}
		for _, in := range n.Inputs() {
			visit(in)
		}
	}
	visit(n)
	return via, ok
}

// fewRows reports whether every look-up is of a whole key, and nothing makes many rows of one.
func fewRows(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.ProjectSet:
		return false
	case *plan.Lookup:
		return len(n.Key) == len(n.Rel.Key)
	}
	return !slices.ContainsFunc(n.Inputs(), func(in plan.Node) bool { return !fewRows(in) })
}

// openLimit reports whether a LIMIT or OFFSET depends on a parameter: rules look at its value.
func openLimit(n plan.Node) bool {
	if l, ok := n.(*plan.Limit); ok && (l.LimitExpr != nil || l.OffsetExpr != nil) {
		return true
	}
	return slices.ContainsFunc(n.Inputs(), openLimit)
}

// bindParams puts the values of parameters into a plan.
func bindParams(n plan.Node, ts []types.T, params []types.Datum) plan.Node {
	if len(params) == 0 {
		return n
	}
	return plan.MapExprs(n, func(e expr.Expr) expr.Expr { return withParams(e, ts, params) })
}

func withParams(e expr.Expr, ts []types.T, params []types.Datum) expr.Expr {
	return mapParams(e, len(params), func(p *expr.Param) expr.Expr {
		return &expr.Const{Value: params[p.N-1], T: typedParam(p, ts).T}
	})
}

// typedParams gives the parameters of a plan the types that the whole statement tells.
func typedParams(n plan.Node, ts []types.T) plan.Node {
	return plan.MapExprs(n, func(e expr.Expr) expr.Expr {
		return mapParams(e, len(ts), func(p *expr.Param) expr.Expr { return typedParam(p, ts) })
	})
}

func typedParam(p *expr.Param, ts []types.T) *expr.Param {
	if p.T.Kind == types.KindUnknown {
		return &expr.Param{N: p.N, T: ts[p.N-1]}
	}
	return p
}

// mapParams replaces the first parameters.
func mapParams(e expr.Expr, count int, f func(*expr.Param) expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(e expr.Expr) expr.Expr {
		if p, ok := e.(*expr.Param); ok && p.N <= count {
			return f(p)
		}
		return e
	})
}
