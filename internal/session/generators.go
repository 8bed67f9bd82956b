package session

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/generate"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// generators are the relations of a database whose rows are made by rule.
type generators struct {
	d  *Database
	mu struct {
		sync.Mutex
		run    map[id.Relation]*generator
		closed bool
	}
}

// generates reports whether the options of a table or source name a generator of rows.
func generates(options []ast.Option) bool {
	return slices.ContainsFunc(options, func(o ast.Option) bool { return o.Key == "connector" && generate.Is(o.Value.Text) })
}

// openGenerators lets the generators of the catalog go on where they stopped.
func (d *Database) openGenerators() error {
	d.generators = &generators{d: d}
	d.generators.mu.run = map[id.Relation]*generator{}
	made, err := meta.LoadMade(d.store.Meta())
	if err != nil {
		return err
	}
	for _, rel := range d.engine.Catalog().Relations() {
		if !generate.Is(rel.With["connector"]) {
			continue
		}
		d.generators.start(rel, made[rel.ID])
	}
	return nil
}

// start lets a generator run that has made some rows already.
func (g *generators) start(rel *catalog.Relation, made int64) *generator {
	ctx, cancel := context.WithCancel(context.Background())
	run := &generator{d: g.d, of: rel, made: made, cancel: cancel, begun: make(chan struct{}), ended: make(chan struct{})}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.mu.closed {
		cancel()
		close(run.ended)
		return run
	}
	g.mu.run[rel.ID] = run
	go func() {
		run.run(ctx)
		g.forget(run)
	}()
	return run
}

// failing are the generators that do not get on, by job.
func (g *generators) failing() map[id.Job]error {
	out := map[id.Job]error{}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, run := range g.mu.run {
		if err := run.failure(); err != nil {
			out[run.of.Job] = err
		}
	}
	return out
}

// forget takes a generator away that has ended.
func (g *generators) forget(run *generator) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.mu.run, run.of.ID)
}

// close ends all generators; they go on when the database is opened again.
func (g *generators) close() {
	g.mu.Lock()
	g.mu.closed = true
	run := slices.Collect(maps.Values(g.mu.run))
	g.mu.Unlock()
	for _, r := range run {
		r.cancel()
		<-r.ended
	}
}

// createGenerated runs CREATE TABLE and CREATE SOURCE of a generator. It returns once the first rows are there.
func (s *Session) createGenerated(ctx context.Context, st *ast.CreateTable, kind catalog.RelationKind, definition string) error {
	schema, err := s.schema(st.Name.Schema())
	if err != nil {
		return err
	}
	if err := generatedOnly(st); err != nil {
		return err
	}
	rel, err := s.binder(nil).CreateTable(st, schema)
	if err != nil {
		return err
	}
	rel.Kind, rel.Owner, rel.Definition, rel.With = kind, s.startup.User, definition, map[string]string{}
	for _, o := range st.Options {
		rel.With[strings.ToLower(o.Key)] = o.Value.Text
	}
	if rate, given := rel.With[sourceRateOption]; !given {
		rel.With[sourceRateOption] = s.vars.Text(sourceRateOption)
	} else if _, err := parseRate(sourceRateOption, rate, st.Pos); err != nil {
		return err
	}
	if rel.OnConflict == catalog.ConflictError && !rel.RowID { // a key may be made twice
		rel.OnConflict = catalog.ConflictOverwrite
		if rel.AppendOnly {
			rel.OnConflict = catalog.ConflictIgnore
		}
	}
	_, columns := madeColumns(rel)
	_, unused, err := generate.New(rel.With["connector"], rel.With, columns)
	if err != nil {
		return err
	}
	for _, o := range st.Options {
		switch key := strings.ToLower(o.Key); {
		case !slices.Contains(unused, key) || slices.Contains(tableOptions, key):
		case strings.HasPrefix(key, "fields."): // a rule for a column that is not there harms nobody
			s.notice("NOTICE", "option \"%s\" has no effect", o.Key)
		default:
			return errs.UnknownOption.New("name", o.Key).At(int(o.Pos))
		}
	}
	settings, err := s.tableSettings(kind, nil)
	if err != nil {
		return err
	}
	made, err := s.create(ctx, engine.Definition{Relation: rel, SQL: rel.Definition, Settings: settings}, st.IfNotExists)
	if err != nil || made == nil {
		return err
	}
	failed, err := s.d.generators.start(made, 0).waitBegun(ctx)
	if failed != nil {
		s.notice("WARNING", "no rows are made: %v", failed)
	}
	return err
}

// createGeneratedSource runs CREATE SOURCE of a generator: its rows are kept, and nothing but the generator writes any.
func (s *Session) createGeneratedSource(ctx context.Context, st *ast.CreateSource) error {
	t := &ast.CreateTable{Pos: st.Pos, OrReplace: st.OrReplace, Temporary: st.Temporary, IfNotExists: st.IfNotExists, Name: st.Name,
		TableBody: st.TableBody, AppendOnly: true}
	return s.createGenerated(ctx, t, catalog.KindSource, ast.Format(st))
}

// generatedOnly refuses clauses that mean nothing to a generator.
func generatedOnly(st *ast.CreateTable) error {
	switch f := st.Format; {
	case st.Temporary:
		return errs.Unsupported.New("feature", "a temporary table").At(int(st.Pos))
	case f != nil && (f.Format != "plain" || f.Encode != "json" && f.Encode != "native"):
		return errs.Unsupported.New("feature", "a generator with a format other than PLAIN").At(int(f.Pos))
	case len(st.Include) > 0:
		return errs.Unsupported.New("feature", "INCLUDE of a generator").At(int(st.Include[0].Pos))
	case st.Query != nil || st.Upstream != nil:
		return errs.Unsupported.New("feature", "a generator with a query").At(int(st.Pos))
	}
	return nil
}
