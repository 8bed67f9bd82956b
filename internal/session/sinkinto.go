package session

import (
	"context"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// Options of sinks into tables, as they are stored with the sink.
const (
	sinkType         = "type" // appendOnly or upsert
	sinkForce        = "force_append_only"
	sinkKey          = "primary_key"
	sinkSnapshot     = "snapshot"      // false: nothing of what is there when the sink is made
	sinkIgnoreDelete = "ignore_delete" // true: rows that go stay in the table
	sinkRowError     = "on_row_error"  // of the session that made the sink: whether a row that the table refuses stops it
	sinkDefault      = ""              // no type was given

	appendOnly = "append-only"
	upsert     = "upsert"
)

// createSinkInto runs CREATE SINK ... INTO a table: the query runs as that of a view, and what happens to its rows is passed
// on into the table.
func (s *Session) createSinkInto(ctx context.Context, st *ast.CreateSink, schema, sql string) (Result, error) {
	if st.Format != nil {
		return nil, errs.SinkFormat.New().At(int(st.Pos))
	}
	with, err := sinkOptions(st.Options)
	if err != nil {
		return nil, err
	}
	b := s.binder(nil)
	rel, n, err := b.SinkInto(st, sinkQuery(st), schema)
	if err != nil {
		return nil, err
	}
	into, _ := b.Catalog.Relation(rel.Into)
	if err := s.d.refuseCaptured(into); err != nil {
		return nil, err
	}
	root, err := s.viewPlan(n)
	if err != nil {
		return nil, err
	}
	rel.Key, rel.With, rel.Owner = plan.UniqueKey(root), with, s.startup.User
	rel.With[sinkRowError] = s.vars.Text("on_row_error")
	dependOnLookups(rel, root)
	if err := checkSink(rel, into, root, st); err != nil {
		return nil, err
	}
	settings, err := s.sinkSettings(rel, st.Options)
	if err != nil {
		return nil, err
	}
	made, err := s.create(ctx, engine.Definition{Relation: rel, Plan: root, SQL: sql, Settings: settings}, st.IfNotExists)
	if err != nil || made == nil {
		return done("CREATE SINK"), err
	}
	p := s.d.sinks.start(made, 0)
	if err := s.waitCreated(ctx, made); err != nil || s.vars.Bool("background_ddl") {
		return done("CREATE SINK"), err
	}
	if err := p.waitBegun(ctx); err != nil {
		return nil, err
	}
	return done("CREATE SINK"), s.d.sinks.flush(ctx, s.d.engine.Visible())
}

// sinkOptions reads WITH.
func sinkOptions(options []ast.Option) (map[string]string, error) {
	with := map[string]string{}
	for _, o := range options {
		name := strings.ToLower(o.Key)
		_, repeated := with[name]
		switch {
		case repeated:
			return nil, errs.RepeatedOption.New("name", o.Key).At(int(o.Pos))
		case name == "connector":
			return nil, errs.SinkFormat.New().At(int(o.Pos))
		case !slices.Contains([]string{sinkType, sinkForce, sinkKey, sinkSnapshot, sinkIgnoreDelete, orderOption}, name):
			return nil, errs.UnknownOption.New("name", o.Key).At(int(o.Pos))
		}
		if name != orderOption { // it is the job's, not the sink's
			with[name] = strings.ToLower(o.Value.Text)
		}
	}
	for _, name := range []string{sinkForce, sinkSnapshot, sinkIgnoreDelete} {
		if v, given := with[name]; given && v != "true" && v != "false" {
			return nil, errs.SinkOption.New("name", name, "value", v)
		}
	}
	return with, nil
}

// checkSink decides on the type of a sink and refuses what its table could not follow.
func checkSink(rel, into *catalog.Relation, root plan.Node, st *ast.CreateSink) error {
	inserts := plan.AppendOnly(root)
	forced := rel.With[sinkForce] == "true"
	keyed := !into.RowID && !into.AppendOnly && !slices.ContainsFunc(into.Key, func(k int) bool { return !slices.Contains(rel.IntoCols, k) })
	if rel.With[sinkType] == sinkDefault {
		rel.With[sinkType] = upsert
		if inserts && !keyed || forced {
			rel.With[sinkType] = appendOnly
		}
	}
	switch t := rel.With[sinkType]; {
	case t != appendOnly && t != upsert:
		return errs.SinkOption.New("name", sinkType, "value", t).At(int(st.Pos))
	case t == upsert && into.AppendOnly:
		return errs.SinkIntoAppendOnly.New("sink", rel.Name, "table", into.Name).At(int(st.Into.Pos))
	case t == upsert && !keyed:
		return errs.SinkNeedsKey.New().At(int(st.Into.Pos))
	case t == appendOnly && !inserts && !forced:
		return errs.SinkNotAppendOnly.New("sink", rel.Name).At(int(st.Pos))
	}
	return checkSinkKey(rel, into, st)
}

// checkSinkKey refuses a primary key other than the table's.
func checkSinkKey(rel, into *catalog.Relation, st *ast.CreateSink) error {
	text, given := rel.With[sinkKey]
	if !given {
		return nil
	}
	var want, have []string
	for _, k := range into.Key {
		want = append(want, into.Columns[k].Name)
	}
	for _, name := range strings.Split(text, ",") {
		have = append(have, strings.TrimSpace(name))
	}
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(want, have) {
		return errs.SinkOption.New("name", sinkKey, "value", text).At(int(st.Pos))
	}
	return nil
}
