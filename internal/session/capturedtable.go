package session

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/capture"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// createCaptured runs CREATE TABLE ... FROM source TABLE name, and CREATE TABLE ... WITH (connector = ...).
func (s *Session) createCaptured(ctx context.Context, st *ast.CreateTable, schema string) (Result, error) {
	tag := done("CREATE TABLE")
	if len(st.Watermarks) > 0 {
		return nil, errs.Unsupported.New("feature", "a watermark of a captured table").At(int(st.Watermarks[0].Pos))
	}
	c := &capturedTable{s: s, st: st, schema: schema}
	if err := c.find(); err != nil {
		return nil, err
	}
	if taken, err := s.taken(&catalog.Relation{Schema: schema, Name: st.Name.Last()}, st.IfNotExists); taken || err != nil {
		return tag, err
	}
	if err := c.bind(ctx); err != nil {
		return nil, err
	}
	made, err := c.create(ctx)
	if err != nil || made == nil {
		return tag, err
	}
	s.d.captures.Added(made)
	return tag, s.waitLive(ctx, made)
}

// capturedTable is a table on its way to be captured.
type capturedTable struct {
	s       *Session
	st      *ast.CreateTable
	schema  string
	sys     connector.System
	options connector.Options // of its source
	source  *catalog.Relation // nil for a table that is its own source
	up      *connector.Table
	rel     *catalog.Relation
}

// find finds the source: another relation, or the options of the table itself.
func (c *capturedTable) find() (err error) {
	if c.st.Upstream == nil {
		c.sys, c.options, err = c.s.connectorOptions(c.st.Options, c.st.Pos)
		if err == nil && c.options[capture.TableOption] == "" {
			err = errs.OptionMissing.New("option", capture.TableOption, "connector", c.options[capture.ConnectorOption]).At(int(c.st.Pos))
		}
		return err
	}
	c.source, err = c.s.binder(nil).Relation(c.st.Upstream.Source)
	if err != nil {
		return err
	}
	if c.source.Kind != catalog.KindSource || !c.s.d.captures.IsSource(c.source) {
		return errs.NotASource.New("name", c.source.Name).At(int(c.st.Upstream.Pos))
	}
	c.sys, c.options = c.s.d.systems[c.source.With[capture.ConnectorOption]], c.source.With
	return nil
}

// bind makes the relation of the declared columns, or of all that the upstream has.
func (c *capturedTable) bind(ctx context.Context) error {
	name := c.options[capture.TableOption]
	if c.st.Upstream != nil {
		name = c.st.Upstream.Table
	}
	var err error
	if c.up, err = c.sys.Describe(ctx, c.options, name); err != nil {
		return err
	}
	def := *c.st
	def.Options = maskedOptions(c.st.Options)
	if len(c.st.Columns) == 0 {
		def.Columns = nil
		for _, col := range c.up.Columns {
			def.Columns = append(def.Columns, &ast.ColumnDef{Pos: c.st.Pos, Name: col.Name, Type: typeName(col.Type)})
		}
		def.Constraints = []ast.Constraint{{Pos: c.st.Pos, Kind: ast.PrimaryKey, Columns: c.keyColumns()}}
	}
	if c.rel, err = c.s.binder(nil).CreateTable(&def, c.schema); err != nil {
		return err
	}
	if len(c.st.Columns) == 0 {
		for i, col := range c.up.Columns {
			c.rel.Columns[i].Type, c.rel.Columns[i].NotNull = col.Type, col.NotNull
		}
		def.Columns, def.Constraints = nil, nil
		c.rel.Definition = ast.Format(&def)
	}
	return c.check()
}

func (c *capturedTable) keyColumns() (out []ast.Ident) {
	for _, k := range c.up.Key {
		out = append(out, ast.Ident{Pos: c.st.Pos, Name: c.up.Columns[k].Name})
	}
	return out
}

// check compares what was declared with what there is.
func (c *capturedTable) check() error {
	for i, col := range c.rel.Columns {
		if col.Hidden {
			continue
		}
		at := slices.IndexFunc(c.up.Columns, func(u connector.Column) bool { return u.Name == col.Name })
		if at < 0 {
			return errs.CapturedColumnMissing.New("column", col.Name, "table", c.up.Name).At(c.columnPos(i))
		}
		if u := c.up.Columns[at]; !capture.Keeps(col.Type, u.Type) {
			return errs.CapturedColumn.New("column", col.Name, "declared", types.SQLName(col.Type), "upstream", u.Native, "table", c.up.Name).At(c.columnPos(i))
		}
	}
	var declared, upstream []string
	for _, k := range c.rel.Key {
		declared = append(declared, c.rel.Columns[k].Name)
	}
	for _, k := range c.up.Key {
		upstream = append(upstream, c.up.Columns[k].Name)
	}
	if c.rel.RowID {
		declared = nil
	}
	if !slices.Equal(slices.Sorted(slices.Values(declared)), slices.Sorted(slices.Values(upstream))) {
		return errs.CapturedKey.New("declared", strings.Join(declared, ", "), "upstream", strings.Join(upstream, ", "), "table", c.up.Name).At(int(c.st.Pos))
	}
	return nil
}

func (c *capturedTable) columnPos(i int) int {
	if i < len(c.st.Columns) {
		return int(c.st.Columns[i].Pos)
	}
	return int(c.st.Pos)
}

// create makes upstream what is missing, then the relation; if that fails, what was made is dropped again.
func (c *capturedTable) create(ctx context.Context) (*catalog.Relation, error) {
	if c.source == nil {
		return c.s.d.captures.Create(ctx, c.options, func(with connector.Options) (*catalog.Relation, error) {
			c.options = with
			return c.publish(ctx, with)
		})
	}
	c.rel.DependsOn = []id.Relation{c.source.ID}
	made, err := c.publish(ctx, connector.Options{capture.ConnectorOption: c.options[capture.ConnectorOption]})
	if made == nil {
		err = errors.Join(err, c.sys.Unpublish(context.WithoutCancel(ctx), c.options, c.up.Name))
	}
	return made, err
}

// publish puts the table into the log and makes the relation, with options of which it gets its own.
func (c *capturedTable) publish(ctx context.Context, with connector.Options) (*catalog.Relation, error) {
	with[capture.TableOption] = c.up.Name
	if len(c.st.Columns) == 0 {
		with[capture.ColumnsOption] = capture.AllColumns
	}
	for _, o := range c.st.Options {
		if key := strings.ToLower(o.Key); key == capture.SnapshotOption {
			with[key] = o.Value.Text
		}
	}
	if rate := c.s.vars.Text("backfill_rate_limit"); rate != "" {
		with[capture.RateOption] = rate
	}
	c.rel.With, c.rel.Owner = with, c.s.startup.User
	if err := c.sys.Publish(ctx, c.options, c.up.Name); err != nil {
		return nil, err
	}
	settings, err := c.s.tableSettings(catalog.KindTable, nil)
	if err != nil {
		return nil, err
	}
	return c.s.create(ctx, engine.Definition{Relation: c.rel, SQL: c.rel.Definition, Settings: settings}, c.st.IfNotExists)
}
