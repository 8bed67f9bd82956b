package session

import (
	"context"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/generate"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// generator writes the rows that a rule makes into a relation. Their number is stored in the same synced write as they are, so
// whatever crashes, each row is made once. The rows of a second come at its beginning. A batch is visible, to views too, before
// the next one is made: a rule that has more rows than the views can take makes fewer.
type generator struct {
	s      *Session // of the owner, for defaults
	of     id.Relation
	made   int64
	cancel context.CancelFunc
	begun  chan struct{} // closed when the first rows are there
	ended  chan struct{}
}

const (
	// generatedMax is how many rows one transaction has.
	generatedMax = 4 * chunk.RowsMax
	// generateEvery is how long the rows of PerSecond take.
	generateEvery = time.Second
	// generateRetry is how long a generator waits that failed.
	generateRetry = time.Second
)

// waitBegun waits for the rows of the first transaction: those of a second, unless they are more than it may have.
func (g *generator) waitBegun(ctx context.Context) error {
	select {
	case <-g.begun:
		return nil
	case <-g.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run makes rows until there are no more, the relation is gone or the database closes.
func (g *generator) run(ctx context.Context) {
	defer close(g.ended)
	defer g.s.Close()
	for {
		since := time.Now()
		more, err := g.second(ctx)
		wait := generateEvery - time.Since(since)
		switch {
		case ctx.Err() != nil || errs.Of(err, errs.NoSuchJob) || errs.Of(err, errs.ShuttingDown):
			return
		case err != nil:
			g.s.d.logger.Warn("generator does not get on", "relation", g.of, "error", err)
			wait = generateRetry
		case !more:
			return
		}
		select {
		case <-time.After(max(wait, 0)):
		case <-ctx.Done():
			return
		}
	}
}

// second makes the rows of one second, or of one transaction of a rule that has no limit, which the next one follows at once.
// More is false when there are none left.
func (g *generator) second(ctx context.Context) (more bool, err error) {
	rel, cols, rule, err := g.rule()
	if err != nil {
		return false, err
	}
	quota := rule.PerSecond
	if quota == 0 {
		quota = generatedMax
	}
	for begun := time.Now(); quota > 0 && g.made < rule.Rows; {
		n := min(quota, rule.Rows-g.made, generatedMax)
		if err := g.batch(ctx, rel, cols, rule, n); err != nil {
			return false, err
		}
		quota -= n
		g.begin()
		if time.Since(begun) >= generateEvery { // the columns may have changed
			break
		}
	}
	return g.made < rule.Rows, nil
}

// begin tells who waits for the first rows.
func (g *generator) begin() {
	select {
	case <-g.begun:
	default:
		close(g.begun)
	}
}

// rule makes the rule anew, for the relation as it is.
func (g *generator) rule() (rel *catalog.Relation, cols []int, rule *generate.Rule, err error) {
	rel, ok := g.s.d.engine.Catalog().Relation(g.of)
	if !ok {
		return nil, nil, nil, errs.NoSuchJob.New("job", g.of)
	}
	cols, fields := madeColumns(rel)
	rule, _, err = generate.New(rel.With["connector"], rel.With, fields)
	return rel, cols, rule, err
}

// madeColumns are the columns that a generator makes values for.
func madeColumns(rel *catalog.Relation) (at []int, fields []types.Field) {
	for i, c := range rel.Columns {
		if !c.Hidden && !c.Dropped && c.Generated == "" {
			at, fields = append(at, i), append(fields, types.Field{Name: c.Name, Type: c.Type})
		}
	}
	return at, fields
}

// batch writes the next n rows as one transaction and waits until it is visible.
func (g *generator) batch(ctx context.Context, rel *catalog.Relation, cols []int, rule *generate.Rule, n int64) error {
	src, err := g.s.binder(nil).FullRows(g.rows(rel, cols, rule, n), rel, cols)
	if err != nil {
		return err
	}
	t := dml.Begin(nil)
	t.Beside(meta.PutMade(rel.ID, g.made+n))
	err = g.s.d.seq.Exec(ctx, t, func(w *dml.Writer) error {
		return g.s.insert(ctx, &plan.Insert{Rel: rel, Source: src}, w, &written{})
	})
	if err != nil {
		g.s.d.seq.Rollback(t)
		return err
	}
	at, err := g.s.commitWrites(t)
	if err != nil {
		return err
	}
	g.made += n
	return g.s.d.engine.WaitVisible(ctx, at)
}

// rows are the next n rows, as the source of an INSERT.
func (g *generator) rows(rel *catalog.Relation, cols []int, rule *generate.Rule, n int64) *plan.Given {
	given := &plan.Given{}
	for _, c := range cols {
		given.Fields = append(given.Fields, types.Field{Name: rel.Columns[c].Name, Type: rel.Columns[c].Type})
	}
	b := chunk.NewBuilder(types.FieldTypes(given.Fields), chunk.RowsMax)
	now := g.s.d.now()
	for i := range n {
		b.Append(chunk.Insert, rule.Row(g.made+i, now))
		if b.Full() || i == n-1 {
			given.Chunks = append(given.Chunks, b.Take())
		}
	}
	return given
}
