package session

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/types"
)

// progressEvery is how often a statement that waits for a job tells how far it is.
const progressEvery = 5 * time.Second

// createTable runs CREATE TABLE.
func (s *Session) createTable(ctx context.Context, st *ast.CreateTable) (Result, error) {
	schema, err := s.schema(st.Name.Schema())
	if err != nil {
		return nil, err
	}
	if generates(st.Options) {
		return done("CREATE TABLE"), s.createGenerated(ctx, st, catalog.KindTable, ast.Format(st))
	}
	if st.Upstream != nil || hasConnector(st.Options) {
		return s.createCaptured(ctx, st, schema)
	}
	if err := checkTableOptions(st); err != nil {
		return nil, err
	}
	if optedAppendOnly(st) {
		made := *st
		made.AppendOnly, st = true, &made
	}
	if st.Temporary {
		return nil, errs.Unsupported.New("feature", "a temporary table").At(int(st.Pos))
	}
	if st.Query != nil {
		return s.createTableAs(ctx, st, schema)
	}
	rel, err := s.binder(nil).CreateTable(st, schema)
	if err != nil {
		return nil, err
	}
	rel.Owner = s.startup.User
	settings, err := s.tableSettings(catalog.KindTable, st.Options)
	if err != nil {
		return nil, err
	}
	_, err = s.create(ctx, engine.Definition{Relation: rel, SQL: rel.Definition, Settings: settings}, st.IfNotExists)
	return done("CREATE TABLE"), err
}

func hasConnector(opts []ast.Option) bool {
	return slices.ContainsFunc(opts, func(o ast.Option) bool { return o.Key == "connector" })
}

// createTableAs makes a table of a query's columns and fills it.
func (s *Session) createTableAs(ctx context.Context, st *ast.CreateTable, schema string) (Result, error) {
	q, err := s.binder(nil).Query(st.Query)
	if err != nil {
		return nil, err
	}
	def := *st
	def.Query, def.Columns = nil, nil
	for i, f := range q.Root.Schema() {
		name := f.Name
		if i < len(st.Columns) {
			name = st.Columns[i].Name
		}
		def.Columns = append(def.Columns, &ast.ColumnDef{Pos: st.Pos, Name: name, Type: typeName(f.Type)})
	}
	rel, err := s.binder(nil).CreateTable(&def, schema)
	if err != nil {
		return nil, err
	}
	for i, f := range q.Root.Schema() {
		rel.Columns[i].Type = f.Type
	}
	rel.Owner = s.startup.User
	settings, err := s.tableSettings(catalog.KindTable, st.Options)
	if err != nil {
		return nil, err
	}
	made, err := s.create(ctx, engine.Definition{Relation: rel, SQL: rel.Definition, Settings: settings}, st.IfNotExists)
	if err != nil || made == nil || st.WithNoData {
		return done("CREATE TABLE"), err
	}
	ins := &ast.Insert{Pos: st.Pos, Table: &ast.TableRef{Name: ast.Name{Parts: []string{schema, rel.Name}}}, Query: st.Query}
	if _, err := s.write(ctx, &Prepared{stmt: ins}, nil); err != nil {
		return nil, err
	}
	return done("CREATE TABLE"), nil
}

// typeName spells a type for a definition; its parts are replaced by the type itself afterwards.
func typeName(t types.T) *ast.TypeName { return &ast.TypeName{Name: types.BaseName(t)} }

// create makes a relation; nil without an error when it is there and IF NOT EXISTS was said.
func (s *Session) create(ctx context.Context, def engine.Definition, ifNotExists bool) (*catalog.Relation, error) {
	exists := errs.DuplicateTable.New("name", def.Relation.Name)
	def.Relation.Grants = s.d.engine.Catalog().DefaultsFor(def.Relation.Owner, def.Relation.Schema, objectOf(def.Relation.Kind))
	rel, err := s.d.engine.Create(ctx, def, func(c *catalog.Snapshot) error {
		if _, ok := c.Find(def.Relation.Schema, def.Relation.Name); ok {
			return exists
		}
		if def.Relation.Kind != catalog.KindIndex { // an index is its table's
			return s.mayCreate(def.Relation.Schema)
		}
		return nil
	})
	if errors.Is(err, exists) && ifNotExists {
		s.notice("NOTICE", "relation \"%s\" already exists, skipping", def.Relation.Name)
		return nil, nil
	}
	return rel, err
}

// createView runs CREATE VIEW and CREATE MATERIALIZED VIEW.
func (s *Session) createView(ctx context.Context, st *ast.CreateView, sql string) (Result, error) {
	schema, err := s.schema(st.Name.Schema())
	if err != nil {
		return nil, err
	}
	if st.Temporary {
		return nil, errs.Unsupported.New("feature", "a temporary view").At(int(st.Pos))
	}
	if st.Materialized {
		return s.createMaterialized(ctx, st, schema, sql)
	}
	rel, _, err := s.binder(nil).CreateView(st, schema)
	if err != nil {
		return nil, err
	}
	rel.Owner = s.startup.User
	if st.OrReplace {
		if there, err := s.replaceView(ctx, rel); there || err != nil {
			return done("CREATE VIEW"), err
		}
	}
	_, err = s.create(ctx, engine.Definition{Relation: rel, SQL: sql}, st.IfNotExists)
	return done("CREATE VIEW"), err
}

// createMaterialized runs CREATE MATERIALIZED VIEW.
func (s *Session) createMaterialized(ctx context.Context, st *ast.CreateView, schema, sql string) (Result, error) {
	tag := done("CREATE MATERIALIZED VIEW")
	def, err := s.materialized(st, schema, sql)
	if err != nil {
		return nil, err
	}
	if st.OrReplace {
		if there, err := s.replaceMaterialized(ctx, def); there || err != nil {
			return tag, err
		}
	}
	made, err := s.create(ctx, def, st.IfNotExists)
	if err != nil || made == nil {
		return tag, err
	}
	return tag, s.waitCreated(ctx, made)
}

// materialized is what the statement defines.
func (s *Session) materialized(st *ast.CreateView, schema, sql string) (def engine.Definition, err error) {
	made := *st
	made.OrReplace = false // the definition is what makes the view where there is none
	rel, n, err := s.binder(nil).CreateView(&made, schema)
	if err != nil {
		return def, err
	}
	rel.Owner = s.startup.User
	def = engine.Definition{Relation: rel, SQL: sql, Settings: s.jobSettings(rel.Kind)}
	def.Settings[meta.ModeSetting] = s.vars.Text(meta.ModeSetting)
	if err := s.withOptions(def.Settings, st.Options); err != nil {
		return def, err
	}
	if def.Settings[engine.TallySetting], err = s.stateHash(st.Options); err != nil {
		return def, err
	}
	if def.Settings[orderOption], err = s.scanOrder(rel, st.Options); err != nil {
		return def, err
	}
	if def.Plan, err = s.viewPlan(n); err != nil {
		return def, err
	}
	rel.Key = plan.UniqueKey(def.Plan)
	dependOnLookups(rel, def.Plan)
	return def, checkHistory(def.Settings, def.Plan)
}

// viewPlan optimises the plan of what keeps running, and refuses what would fail on every row.
func (s *Session) viewPlan(n plan.Node) (plan.Node, error) {
	n, err := opt.View(n, s.viewRules())
	if err != nil {
		return nil, err
	}
	plan.MapExprs(n, func(e expr.Expr) expr.Expr {
		if err == nil {
			err = expr.CheckRegexps(e)
		}
		return e
	})
	return n, err
}

// viewRules are the rules for what keeps running.
func (s *Session) viewRules() opt.Options {
	return opt.Options{Ctx: s.exprCtx(), Funcs: s.d.funcs, Indexes: s.indexesOn}
}

// dependOnLookups makes a view depend on the indexes that it looks rows up in.
func dependOnLookups(rel *catalog.Relation, n plan.Node) {
	if l, ok := n.(*plan.LookupJoin); ok && !slices.Contains(rel.DependsOn, l.Rel.ID) {
		rel.DependsOn = append(rel.DependsOn, l.Rel.ID)
		slices.Sort(rel.DependsOn)
	}
	for _, in := range n.Inputs() {
		dependOnLookups(rel, in)
	}
}

// jobSettings are the settings that shape the job of a kind of relations.
func (s *Session) jobSettings(kind catalog.RelationKind) map[string]string {
	out := map[string]string{engine.ParallelismSetting: s.parallelismFor(kind)}
	for _, name := range []string{"background_ddl", "backfill_rate_limit", "on_row_error", meta.LagSetting, "TimeZone", engine.TallySetting} {
		out[name] = s.vars.Text(name)
	}
	return out
}

// waitCreated waits for a job to be attached, unless the session wants it in the background. A statement that is
// cancelled, or whose job fails for good, takes the job with it: a statement that fails changes nothing.
func (s *Session) waitCreated(ctx context.Context, rel *catalog.Relation) error {
	if rel.Job == 0 {
		return nil
	}
	return s.waitMade(ctx, rel, func(step context.Context) error { return s.d.engine.WaitJob(step, rel.Job) })
}

// waitSwapped is waitCreated for what is to take the place of a relation. What reads that has taken the difference when the
// statement ends; if it is cancelled before, the change is made all the same, and the readers go on by themselves.
func (s *Session) waitSwapped(ctx context.Context, shadow *catalog.Relation) error {
	err := s.waitMade(ctx, shadow, func(step context.Context) error {
		return s.d.engine.WaitSwapped(step, shadow.Job, shadow.Shadow)
	})
	if err != nil || s.vars.Bool("background_ddl") {
		return err
	}
	if err := s.d.engine.WaitReaders(ctx, shadow.Shadow); ctx.Err() == nil {
		return err
	}
	return nil
}

func (s *Session) waitMade(ctx context.Context, rel *catalog.Relation, wait func(step context.Context) error) error {
	if s.d.engine.Jobs()[rel.Job].State == job.Queued {
		s.noticeJob(rel.Job)
	}
	if s.vars.Bool("background_ddl") {
		return nil
	}
	for {
		step, cancel := context.WithTimeout(ctx, progressEvery)
		err := wait(step)
		cancel()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			if drop := s.cancelJob(context.WithoutCancel(ctx), rel); drop != nil {
				return drop
			}
			return err
		}
		s.noticeJob(rel.Job)
	}
}

// noticeJob tells the client how far a job is.
func (s *Session) noticeJob(j id.Job) {
	if st, ok := s.d.engine.Jobs()[j]; ok {
		s.notice("NOTICE", "job %d: %s", j, s.d.engine.Situation(st))
	}
}

// cancelJob drops what a creation has made.
func (s *Session) cancelJob(ctx context.Context, rel *catalog.Relation) error {
	return s.dropRelations(ctx, func(c *catalog.Snapshot) ([]*catalog.Relation, error) {
		if r, ok := c.Relation(rel.ID); ok && r.Job == rel.Job { // nobody has put another in its place
			return dependants(c, r), nil
		}
		return nil, nil
	})
}

// indexMethods are the kinds of index of PostgreSQL, and RisingWave's for vectors. Every index is kept in order all the same.
var indexMethods = []string{"btree", "hash", "gist", "gin", "spgist", "brin", "flat", "hnsw"}

// createIndex makes an index: a view of the table keyed by the indexed columns.
func (s *Session) createIndex(ctx context.Context, st *ast.CreateIndex, sql string) (Result, error) {
	switch {
	case st.Unique:
		return nil, errs.Unsupported.New("feature", "a unique index").At(int(st.Pos))
	case st.Where != nil:
		return nil, errs.Unsupported.New("feature", "an index on a part of the rows").At(int(st.Pos))
	}
	b := s.binder(nil)
	on, err := b.Relation(st.Table)
	if err != nil {
		return nil, err
	}
	if err := s.owns(kindName(on.Kind), on.Name, on.Owner); err != nil {
		return nil, err
	}
	if st.Method != "" && !slices.Contains(indexMethods, st.Method) {
		return nil, errs.UnknownAccessMethod.New("name", st.Method)
	}
	if on.Job == 0 {
		return nil, errs.WrongObject.New("what", "\""+on.Name+"\" cannot be indexed").At(int(st.Table.Pos))
	}
	rel := &catalog.Relation{Schema: on.Schema, Name: st.Name.Last(), Kind: catalog.KindIndex, Definition: sql, Indexed: on.ID,
		DependsOn: []id.Relation{on.ID}, Owner: s.startup.User}
	if rel.Name == "" {
		rel.Name = on.Name + "_" + indexName(st) + "_idx"
	}
	scan, err := indexScan(on, st)
	if err != nil {
		return nil, err
	}
	for _, i := range scan.Cols {
		rel.Columns = append(rel.Columns, on.Columns[i])
	}
	if key := plan.UniqueKey(scan); key != nil {
		for i := range st.Columns {
			rel.Key = append(rel.Key, i)
		}
		rel.DistKey = rel.Key // equality on the indexed columns finds one vnode
		rel.Key = append(slices.Clip(rel.Key), slices.DeleteFunc(key, func(c int) bool { return c < len(st.Columns) })...)
	}
	settings, err := s.indexSettings(st)
	if err != nil {
		return nil, err
	}
	made, err := s.create(ctx, engine.Definition{Relation: rel, Plan: scan, SQL: sql, Settings: settings}, st.IfNotExists)
	if err != nil || made == nil {
		return done("CREATE INDEX"), err
	}
	return done("CREATE INDEX"), s.waitCreated(ctx, made)
}

// indexScan reads the indexed columns first, then all others.
func indexScan(on *catalog.Relation, st *ast.CreateIndex) (*plan.Scan, error) {
	scan := &plan.Scan{Rel: on}
	for _, c := range st.Columns {
		ref, ok := c.Expr.(*ast.ColumnRef)
		if !ok {
			return nil, errs.Unsupported.New("feature", "an index on an expression").At(int(c.Pos))
		}
		i := slices.IndexFunc(on.Columns, func(c catalog.Column) bool { return c.Name == ref.Parts[len(ref.Parts)-1] })
		if i < 0 {
			return nil, errs.UndefinedColumn.New("name", "\""+ref.Parts[len(ref.Parts)-1]+"\"").At(int(ref.Pos))
		}
		scan.Cols = append(scan.Cols, i)
	}
	for i := range on.Columns {
		if !slices.Contains(scan.Cols, i) {
			scan.Cols = append(scan.Cols, i)
		}
	}
	return scan, nil
}

func indexName(st *ast.CreateIndex) string {
	if ref, ok := st.Columns[0].Expr.(*ast.ColumnRef); ok {
		return ref.Parts[len(ref.Parts)-1]
	}
	return strconv.Itoa(len(st.Columns))
}
