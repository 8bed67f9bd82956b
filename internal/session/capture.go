package session

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/capture"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// openCaptures reads on where sources stopped.
func (d *Database) openCaptures(systems map[string]connector.System) (err error) {
	d.systems = maps.Clone(systems)
	d.captures, err = capture.Start(capture.Options{Systems: d.systems, Store: d.store, Sequencer: d.seq, Catalog: d.engine.Catalog,
		Table: d.table, Evolve: d.evolve, Now: d.now, Logger: d.logger, Memory: d.memory.captures})
	return err
}

// connectorOptions reads WITH and finds the connector.
func (s *Session) connectorOptions(list []ast.Option, pos ast.Pos) (connector.System, connector.Options, error) {
	o := connector.Options{}
	for _, opt := range list {
		o[strings.ToLower(opt.Key)] = opt.Value.Text
	}
	name := o[capture.ConnectorOption]
	if name == "" {
		return nil, nil, errs.OptionMissing.New("option", "connector", "connector", "of a source").At(int(pos))
	}
	sys := s.d.systems[name]
	if sys == nil {
		return nil, nil, errs.UnknownConnector.New("connector", name).At(int(pos))
	}
	return sys, o, nil
}

// createSource runs CREATE SOURCE, of a generator or of a connector that captures changes.
func (s *Session) createSource(ctx context.Context, st *ast.CreateSource) (Result, error) {
	tag := done("CREATE SOURCE")
	if generates(st.Options) {
		return tag, s.createGeneratedSource(ctx, st)
	}
	schema, err := s.schema(st.Name.Schema())
	if err != nil {
		return nil, err
	}
	_, o, err := s.connectorOptions(st.Options, st.Pos)
	if err != nil {
		return nil, err
	}
	if len(st.Columns) > 0 {
		return nil, errs.Unsupported.New("feature", "columns of a source of change data; create tables FROM it").At(int(st.Columns[0].Pos))
	}
	rel := &catalog.Relation{Schema: schema, Name: st.Name.Last(), Kind: catalog.KindSource, Owner: s.startup.User,
		Definition: ast.Format(masked(st))}
	if taken, err := s.taken(rel, st.IfNotExists); taken || err != nil {
		return tag, err
	}
	made, err := s.d.captures.Create(ctx, o, func(with connector.Options) (*catalog.Relation, error) {
		rel.With = with
		return s.create(ctx, engine.Definition{Relation: rel, SQL: rel.Definition}, st.IfNotExists)
	})
	if err != nil || made == nil {
		return tag, err
	}
	s.d.captures.Added(made)
	return tag, nil
}

// taken finds a relation of the name before anything is made upstream.
func (s *Session) taken(rel *catalog.Relation, ifNotExists bool) (bool, error) {
	if _, ok := s.d.engine.Catalog().Find(rel.Schema, rel.Name); !ok {
		return false, nil
	}
	if !ifNotExists {
		return true, errs.DuplicateTable.New("name", rel.Name)
	}
	s.notice("NOTICE", "relation \"%s\" already exists, skipping", rel.Name)
	return true, nil
}

// masked is the statement without what nobody may read; it prints as the definition.
func masked(st *ast.CreateSource) *ast.CreateSource {
	out := *st
	out.Options = maskedOptions(st.Options)
	return &out
}

func maskedOptions(list []ast.Option) []ast.Option {
	out := slices.Clone(list)
	for i := range out {
		if strings.Contains(strings.ToLower(out[i].Key), "password") {
			out[i].Value.Text = "********"
		}
	}
	return out
}
