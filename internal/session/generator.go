package session

import (
	"context"
	"sync"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/generate"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// generator writes the rows that a rule makes into a relation. Their number is stored in the same synced write as they are, so
// whatever crashes, each row is made once. The rows of a second come at its beginning. A batch is visible, to views too, before
// the next one is made: a rule that has more rows than the views can take makes fewer.
type generator struct {
	d      *Database
	s      *Session          // of the owner, for defaults; nil until there is one
	of     *catalog.Relation // as it was when the generator started
	made   int64
	cancel context.CancelFunc
	first  error         // of the first transaction; it is known once begun is closed
	begun  chan struct{} // closed when the first rows are there, or could not be written
	ended  chan struct{}
	mu     struct {
		sync.Mutex
		err error // why it does not get on; it tries again
	}
}

const (
	// generatedMax is how many rows one transaction has at most, generatedBytes how long they are together before there are no more.
	generatedMax   = 4 * chunk.RowsMax
	generatedBytes = 16 << 20
	// generateEvery is how long the rows of PerSecond take.
	generateEvery = time.Second
	// generateRetry is how long a generator waits that failed.
	generateRetry = time.Second
)

// waitBegun waits for the rows of the first transaction: those of a second, unless they are more than it may have. It also
// returns what kept them from being written.
func (g *generator) waitBegun(ctx context.Context) (failed, err error) {
	select {
	case <-g.begun:
		return g.first, nil
	case <-g.ended:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// run makes rows until there are no more, the relation is gone or the database closes.
func (g *generator) run(ctx context.Context) {
	defer close(g.ended)
	defer g.close()
	for {
		since := time.Now()
		more, err := g.second(ctx)
		g.tell(err)
		wait := generateEvery - time.Since(since)
		switch {
		case ctx.Err() != nil || errs.Of(err, errs.NoSuchJob) || errs.Of(err, errs.ShuttingDown):
			return
		case err != nil:
			g.d.logger.Warn("generator does not get on", "relation", g.of.Qualified(), "error", err)
			g.begin(err)
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

func (g *generator) close() {
	if g.s != nil {
		g.s.Close()
	}
}

// tell notes how the last second ended.
func (g *generator) tell(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mu.err = err
}

func (g *generator) failure() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.mu.err
}

// open makes the session that the rows are written by.
func (g *generator) open() (err error) {
	if g.s == nil {
		g.s, err = g.d.NewSession(Startup{User: g.of.Owner, Settings: map[string]string{"application_name": "generator of " + g.of.Name}})
	}
	return err
}

// second makes the rows of one second; of a rule that has no limit, what can be written in one. More is false when there are
// none left.
func (g *generator) second(ctx context.Context) (more bool, err error) {
	if err := g.open(); err != nil {
		return true, err
	}
	rel, cols, rule, err := g.rule()
	if err != nil {
		return false, err
	}
	quota := quotaOf(rel, rule)
	if quota == 0 {
		g.begin(nil)
	}
	for begun := time.Now(); quota > 0 && g.made < rule.Rows; {
		before := g.made
		if err := g.batch(ctx, rel, cols, rule, min(quota, rule.Rows-g.made, generatedMax)); err != nil {
			return false, err
		}
		quota -= g.made - before
		g.begin(nil)
		if time.Since(begun) >= generateEvery { // the columns may have changed
			break
		}
	}
	return g.made < rule.Rows, nil
}

// sourceRateOption bounds the rows a second of a source, whatever its own rule has.
const sourceRateOption = "source_rate_limit"

// quotaOf is how many rows there may be in a second.
func quotaOf(rel *catalog.Relation, rule *generate.Rule) int64 {
	quota := rule.PerSecond
	if quota == 0 {
		quota = generate.Endless
	}
	if limit, err := parseRate(sourceRateOption, rel.With[sourceRateOption], 0); err == nil && limit >= 0 {
		quota = min(quota, limit)
	}
	return quota
}

// begin tells who waits for the first rows.
func (g *generator) begin(failed error) {
	select {
	case <-g.begun:
	default:
		g.first = failed
		close(g.begun)
	}
}

// rule makes the rule anew, for the relation as it is.
func (g *generator) rule() (rel *catalog.Relation, cols []int, rule *generate.Rule, err error) {
	rel, ok := g.d.engine.Catalog().Relation(g.of.ID)
	if !ok {
		return nil, nil, nil, errs.NoSuchJob.New("job", g.of.Job)
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

// batch writes up to most rows as one transaction and waits until it is visible.
func (g *generator) batch(ctx context.Context, rel *catalog.Relation, cols []int, rule *generate.Rule, most int64) error {
	given, n := g.rows(rel, cols, rule, most)
	src, err := g.s.binder(nil).FullRows(given, rel, cols)
	if err != nil {
		return err
	}
	t := dml.Begin(nil)
	t.Beside(meta.PutMade(rel.ID, g.made+n))
	err = g.d.seq.Exec(ctx, t, func(w *dml.Writer) error {
		return g.s.insert(ctx, &plan.Insert{Rel: rel, Source: src}, w, &written{})
	})
	if err != nil {
		g.d.seq.Rollback(t)
		return err
	}
	at, err := g.s.commitWrites(t)
	if err != nil {
		return err
	}
	g.made += n
	return g.d.engine.WaitVisible(ctx, at)
}

// rows are the next rows, as the source of an INSERT: as many as are asked for, unless they are long.
func (g *generator) rows(rel *catalog.Relation, cols []int, rule *generate.Rule, most int64) (given *plan.Given, n int64) {
	given = &plan.Given{}
	for _, c := range cols {
		given.Fields = append(given.Fields, types.Field{Name: rel.Columns[c].Name, Type: rel.Columns[c].Type})
	}
	b := chunk.NewBuilder(types.FieldTypes(given.Fields), chunk.RowsMax)
	now := g.d.now()
	for size := 0; n < most && size < generatedBytes; n++ {
		row := rule.Row(g.made+n, now)
		for _, v := range row {
			size += len(v.Bytes())
		}
		if b.Append(chunk.Insert, row); b.Full() {
			given.Chunks = append(given.Chunks, b.Take())
		}
	}
	if last := b.Take(); last != nil {
		given.Chunks = append(given.Chunks, last)
	}
	return given, n
}
