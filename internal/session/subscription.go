package session

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/types"
)

// createSubscription runs CREATE SUBSCRIPTION: from now on the changes of a relation are kept for a while.
func (s *Session) createSubscription(ctx context.Context, st *ast.CreateSubscription) (Result, error) {
	schema, err := s.schema(st.Name.Schema())
	if err != nil {
		return nil, err
	}
	on, err := s.binder(nil).Relation(st.From)
	if err != nil {
		return nil, err
	}
	if !on.Base() && on.Kind != catalog.KindMaterializedView {
		return nil, errs.SubscribeKind.New("name", on.Name, "kind", kindName(on.Kind)).At(int(st.From.Pos))
	}
	if err := s.access(on, "SELECT"); err != nil {
		return nil, err
	}
	rel := &catalog.Relation{Schema: schema, Name: st.Name.Last(), Kind: catalog.KindSubscription, Owner: s.startup.User,
		Definition: ast.Format(st), DependsOn: []id.Relation{on.ID}}
	for _, o := range st.Options {
		if strings.EqualFold(o.Key, "retention") {
			if rel.Retention, err = retention(o.Value.Text); err != nil {
				return nil, err
			}
		}
	}
	if rel.Retention <= 0 {
		return nil, errs.InvalidRetention.New().At(int(st.Pos))
	}
	view, err := s.fresh(ctx, basisOf(on)) // what was written before is not a change to come
	if err != nil {
		return nil, err
	}
	view.Close()
	_, err = s.create(ctx, engine.Definition{Relation: rel, SQL: rel.Definition}, st.IfNotExists)
	return done("CREATE SUBSCRIPTION"), err
}

func retention(text string) (time.Duration, error) {
	iv, err := types.ParseInterval(text, "")
	if err != nil {
		return 0, errs.InvalidRetention.New().Wrap(err)
	}
	days := int64(iv.Months)*30 + int64(iv.Days)
	d := time.Duration(days)*24*time.Hour + time.Duration(iv.Micros)*time.Microsecond
	if d <= 0 {
		return 0, errs.InvalidRetention.New()
	}
	return d, nil
}

// setRetention runs ALTER SUBSCRIPTION ... SET retention.
func (s *Session) setRetention(ctx context.Context, rel *catalog.Relation, a *ast.SetParameter) error {
	d, err := retention(a.Value.Text)
	if err != nil {
		return err
	}
	return s.edit(ctx, rel, func(r *catalog.Relation) {
		r.Retention = d
		redefineSubscription(r, a.Value)
	})
}

// redefineSubscription writes another retention into the statement.
func redefineSubscription(rel *catalog.Relation, value ast.OptionValue) {
	stmt, err := parser.Parse(rel.Definition)
	st, ok := stmt.(*ast.CreateSubscription)
	if err != nil || !ok {
		return
	}
	for i := range st.Options {
		if strings.EqualFold(st.Options[i].Key, "retention") {
			st.Options[i].Value = value
		}
	}
	rel.Definition = ast.Format(st)
}

// follower is the state of a subscription cursor.
type follower struct {
	sub   *Subscription
	key   []int           // of the relation, among its visible columns; nil: some are hidden
	ready [][]types.Datum // changes read and not fetched
}

// declareFollower runs DECLARE ... SUBSCRIPTION CURSOR.
func (s *Session) declareFollower(ctx context.Context, st *ast.DeclareCursor) (Result, error) {
	sub, ok := s.d.engine.Catalog().Lookup(s.pathOf(st.Subscription), st.Subscription.Last())
	if !ok || sub.Kind != catalog.KindSubscription {
		return nil, errs.UndefinedObject.New("kind", "subscription", "name", st.Subscription.String())
	}
	if err := s.access(sub, "SELECT"); err != nil {
		return nil, err
	}
	on, ok := s.d.engine.Catalog().Relation(sub.DependsOn[0])
	if !ok {
		return nil, errs.NoSuchSubscription.New()
	}
	f := &follower{sub: &Subscription{d: s.d, rel: on, cols: on.Visible()}}
	if err := s.startFollowing(ctx, f.sub, sub, st); err != nil {
		return nil, err
	}
	for _, k := range on.Key {
		f.key = append(f.key, slices.Index(f.sub.cols, k))
	}
	c := &cursor{text: ast.Format(st), hold: true, follows: f}
	for _, i := range f.sub.cols {
		c.columns = append(c.columns, Column{Name: on.Columns[i].Name, Type: on.Columns[i].Type})
	}
	c.columns = append(c.columns, Column{Name: "op", Type: types.Varchar}, Column{Name: "rw_timestamp", Type: types.Int8})
	s.cursors[st.Name] = c
	return done("DECLARE CURSOR"), nil
}

// pathOf is where a name is looked for.
func (s *Session) pathOf(n ast.Name) []string {
	if schema := n.Schema(); schema != "" {
		return []string{schema}
	}
	return s.path()
}

// startFollowing finds where the cursor begins: with the whole relation, at a place in its history, or now.
func (s *Session) startFollowing(ctx context.Context, f *Subscription, sub *catalog.Relation, st *ast.DeclareCursor) (err error) {
	if st.Full || st.Since == nil || isCall(st.Since, "now", "proctime", "current_timestamp") {
		view, err := s.fresh(ctx, basisOf(f.rel))
		if err != nil {
			return err
		}
		view.Close()
		f.lease, f.first, err = s.d.engine.Follow(f.rel.Job)
		if err != nil {
			return err
		}
		f.at = f.first.Epoch()
		if !st.Full {
			f.closeFirst()
		}
		return nil
	}
	after := epoch.Epoch(0)
	if !isCall(st.Since, "begin") {
		n, ok := st.Since.(*ast.NumberLit)
		if !ok {
			return errs.InvalidSince.New().At(int(st.Since.Position()))
		}
		v, err := strconv.ParseInt(n.Text, 10, 64)
		if err != nil || v < 2 { // nothing was visible before
			return errs.InvalidSince.New().At(int(st.Since.Position()))
		}
		after = epoch.Epoch(v - 1)
	}
	f.lease, f.at, err = s.d.engine.FollowFrom(ctx, sub.ID, after)
	return err
}

func isCall(e ast.Expr, names ...string) bool {
	c, ok := e.(*ast.FuncCall)
	return ok && slices.Contains(names, strings.ToLower(c.Name.Last()))
}

// fetchChanges runs FETCH of a subscription cursor: changes that are there, or that come within the timeout.
func (s *Session) fetchChanges(ctx context.Context, c *cursor, st *ast.FetchCursor) (Result, error) {
	count := int(st.Count)
	if st.Direction != "NEXT" && st.Direction != "FORWARD" || st.Count < 0 || st.Move {
		return nil, errs.CursorForward.New()
	}
	var wait time.Duration
	for _, o := range st.Options {
		if strings.EqualFold(o.Key, "timeout") {
			var err error
			if wait, err = retention(o.Value.Text); err != nil {
				return nil, err
			}
		}
	}
	if err := s.readChanges(ctx, c.follows, wait); err != nil {
		return nil, err
	}
	f := c.follows
	if st.All || count > len(f.ready) {
		count = len(f.ready)
	}
	rows := make([]types.Row, count)
	for i := range rows {
		rows[i] = f.ready[i]
	}
	f.ready = f.ready[count:]
	return c.rows(rows), nil
}

// readChanges reads on when nothing is at hand: the next step that has changes, of those that are visible.
func (s *Session) readChanges(ctx context.Context, f *follower, wait time.Duration) error {
	if wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, wait)
		defer cancel()
	}
	for len(f.ready) == 0 && (f.sub.first != nil || wait > 0 || s.d.engine.Visible() > f.sub.at) {
		_, err := f.sub.Next(ctx, f.add)
		if err != nil {
			if wait > 0 && ctx.Err() == context.DeadlineExceeded {
				return nil // the timeout of FETCH, not of the statement
			}
			return err
		}
	}
	return nil
}

// add takes the changes of an epoch. A delete and an insert of one key that follow each other are an update.
func (f *follower) add(e epoch.Epoch, c *chunk.Chunk) error {
	for i := 0; i < c.Rows(); i++ {
		word := "Insert"
		if c.Op(i) == chunk.Delete {
			word = "Delete"
		}
		if c.Op(i) == chunk.Delete && i+1 < c.Rows() && c.Op(i+1) == chunk.Insert && f.sameKey(c, i) {
			f.take(e, c, i, "UpdateDelete")
			i, word = i+1, "UpdateInsert"
		}
		f.take(e, c, i, word)
	}
	return nil
}

func (f *follower) take(e epoch.Epoch, c *chunk.Chunk, i int, word string) {
	f.ready = append(f.ready, append(c.Row(i), text(word), types.NewInt(int64(e))))
}

// sameKey reports whether row i and the next have one key; what a hidden row id would tell is not known.
func (f *follower) sameKey(c *chunk.Chunk, i int) bool {
	for _, k := range f.key {
		if k < 0 || c.Cols[k].Datum(i) != c.Cols[k].Datum(i+1) {
			return false
		}
	}
	return len(f.key) > 0
}

func (f *follower) close() { f.sub.Close() }
