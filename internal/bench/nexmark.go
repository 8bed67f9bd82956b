package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/tidemark-db/tidemark/internal/nexmark"
)

// auctionSite is the workload NX: each query of Nexmark is a view that is there before the events come, in batches, each with
// the answer to the last. Its CPU time is that of a server of its own until the view shows all events.
type auctionSite struct {
	program Program
	events  int
	runs    int
	rivals  []Rival
	files   string // the events, for rivals
	results string // where a rival leaves its rows
	oracle  *pgx.Conn
}

// Nexmark measures queries; PostgreSQL computes what each must come to. The rivals run before the subject, in turns with it.
func Nexmark(ctx context.Context, p Program, oracle System, o NexmarkOptions) (out []Contest, err error) {
	queries, err := nexmark.Pick(o.Queries)
	if err != nil {
		return nil, err
	}
	a := &auctionSite{program: p, events: o.Events / nexmark.Round * nexmark.Round, runs: o.Runs, rivals: o.Rivals,
		files: filepath.Join(p.Directory, "events"), results: filepath.Join(p.Directory, "result.csv")}
	if a.oracle, err = oracle.connect(ctx); err != nil {
		return nil, err
	}
	defer a.oracle.Close(ctx)
	if err := a.prepare(ctx); err != nil {
		return nil, err
	}
	for _, q := range queries {
		c, err := a.contest(ctx, q)
		if err != nil {
			return out, fmt.Errorf("%s: %w", q.Name, err)
		}
		if out = append(out, c); o.Told != nil {
			o.Told(c)
		}
	}
	return out, nil
}

// NexmarkOptions are what is measured.
type NexmarkOptions struct {
	Queries []string // none: all
	Events  int      // cut to whole rounds
	Runs    int
	Rivals  []Rival
	Told    func(Contest) // takes each contest when it has ended; nil: nobody
}

// prepare loads the events into the oracle and, for rivals, into files.
func (a *auctionSite) prepare(ctx context.Context) error {
	for _, t := range nexmark.Tables {
		if err := a.oracleHas(ctx, t); err != nil {
			return fmt.Errorf("load %s: %w", t.Name, err)
		}
	}
	if len(a.rivals) == 0 {
		return nil
	}
	return nexmark.Write(a.files, a.events)
}

func (a *auctionSite) oracleHas(ctx context.Context, t nexmark.Table) error {
	if _, err := a.oracle.Exec(ctx, fmt.Sprintf("DROP TABLE IF EXISTS %s; CREATE TABLE %s (%s)", t.Name, t.Name, t.Columns)); err != nil {
		return err
	}
	f, err := newFeed(a.oracle, []nexmark.Table{t})
	if err != nil {
		return err
	}
	if err := f.all(ctx, a.events); err != nil {
		return err
	}
	_, err = a.oracle.Exec(ctx, "ANALYZE "+t.Name)
	return err
}

// contestant is a system that a query runs on.
type contestant struct {
	name string
	run  func(context.Context, nexmark.Query) (cost, fingerprint, error)
}

// contestants are the subject and the rivals.
func (a *auctionSite) contestants() []contestant {
	out := []contestant{{"tidemark", a.subject}}
	for _, r := range a.rivals {
		out = append(out, contestant{r.Name, func(ctx context.Context, q nexmark.Query) (cost, fingerprint, error) { return a.rival(ctx, r, q) }})
	}
	return out
}

// contest runs a query on all systems in turns, the subject last.
func (a *auctionSite) contest(ctx context.Context, q nexmark.Query) (Contest, error) {
	c := Contest{Query: q.Name}
	for _, t := range q.Tables {
		c.Events += t.Count(a.events)
	}
	if _, err := a.oracle.Exec(ctx, "DROP TABLE IF EXISTS answer; CREATE TABLE answer AS "+q.Oracle()); err != nil {
		return c, fmt.Errorf("postgres: %w", err)
	}
	want, err := fingerprintOf(ctx, a.oracle, "SELECT * FROM answer")
	if err != nil {
		return c, err
	}
	systems := a.contestants()
	took := make([][]cost, len(systems))
	for range a.runs {
		for i, s := range slices.Backward(systems) {
			once, got, err := s.run(ctx, q)
			if err != nil {
				return c, fmt.Errorf("%s: %w", s.name, err)
			}
			if got != want {
				return c, fmt.Errorf("results differ: %s %+v, postgres %+v", s.name, got, want)
			}
			took[i] = append(took[i], once)
		}
	}
	for i, s := range systems {
		c.Systems = append(c.Systems, effort(s.name, took[i]))
	}
	return c, nil
}

// subject gives the events to a server of this program.
func (a *auctionSite) subject(ctx context.Context, q nexmark.Query) (took cost, got fingerprint, err error) {
	p := Program{Path: a.program.Path, Directory: filepath.Join(a.program.Directory, "store")}
	s, err := p.start(ctx)
	if err != nil {
		return took, got, err
	}
	defer func() { err = errors.Join(err, s.stop(), os.RemoveAll(p.Directory)) }()
	c, err := s.system().connect(ctx)
	if err != nil {
		return took, got, err
	}
	defer c.Close(ctx)
	for _, t := range q.Tables {
		if _, err := c.Exec(ctx, fmt.Sprintf("CREATE TABLE %s (%s) APPEND ONLY", t.Name, t.Columns)); err != nil {
			return took, got, err
		}
	}
	if _, err := c.Exec(ctx, "CREATE MATERIALIZED VIEW result AS "+q.SQL); err != nil {
		return took, got, err
	}
	f, err := newFeed(c, q.Tables)
	if err != nil {
		return took, got, err
	}
	took, err = s.system().measured(func() error {
		err := f.all(ctx, a.events)
		if err == nil {
			_, err = c.Exec(ctx, "FLUSH")
		}
		return err
	})
	if err != nil {
		return took, got, err
	}
	got, err = fingerprintOf(ctx, c, "SELECT * FROM result")
	return took, got, err
}

// feed gives events to a system, a batch of each kind at a time.
type feed struct {
	conn   *pgx.Conn
	tables []nexmark.Table
	rows   []nexmark.Rows
	buf    []byte
}

func newFeed(c *pgx.Conn, tables []nexmark.Table) (*feed, error) {
	f := &feed{conn: c, tables: tables}
	for _, t := range tables {
		rows, err := t.Rows()
		if err != nil {
			return nil, err
		}
		f.rows = append(f.rows, rows)
	}
	return f, nil
}

// all gives the events.
func (f *feed) all(ctx context.Context, events int) error {
	for from := 0; from < events; from += nexmark.Batch {
		for i := range f.tables {
			if err := f.batch(ctx, i, from, min(from+nexmark.Batch, events)); err != nil {
				return err
			}
		}
	}
	return nil
}

// batch copies the rows of one table that some events are.
func (f *feed) batch(ctx context.Context, i, from, to int) error {
	t := f.tables[i]
	f.buf = f.buf[:0]
	for n := t.Count(from); n < t.Count(to); n++ {
		f.buf = f.rows[i].Append(f.buf, n)
	}
	if _, err := f.conn.PgConn().CopyFrom(ctx, bytes.NewReader(f.buf), "COPY "+t.Name+" FROM STDIN (FORMAT csv)"); err != nil {
		return fmt.Errorf("copy into %s: %w", t.Name, err)
	}
	return nil
}
