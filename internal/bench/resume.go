package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tidemark-db/tidemark/internal/inspect"
)

// B6: the server is killed when half of B1's history is read, started again, and goes on.
const (
	resumeLimit = 1.3 // of the time of a backfill that nothing disturbs
	// resumePoll is how far looks are apart: whoever asks waits, so a backfill that is asked all the time has less of the processors.
	resumePoll = 50 * time.Millisecond
)

// Resume measures B6 with a server of its own. Both backfills must come to the same rows.
func Resume(ctx context.Context, p Program, rows int) ([]Measure, error) {
	r := resumption{program: p}
	defer r.stop()
	for _, step := range []func(context.Context) error{r.start, func(ctx context.Context) error { return r.load(ctx, rows) },
		r.undisturbed, r.killed} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("B6: %w", err)
		}
	}
	return []Measure{
		{What: "B6 undisturbed", Value: r.whole.Seconds() * 1000, Unit: "ms"},
		{What: "B6 killed half-way / undisturbed", Value: r.disturbed.Seconds() / r.whole.Seconds(), Unit: "x", Limit: resumeLimit},
		{What: "B6 rows read before the kill", Value: float64(r.before), Unit: "rows"},
		{What: "B6 rows read again", Value: float64(max(r.before-r.staged, 0)), Unit: "rows"},
	}, nil
}

// resumption is one measurement.
type resumption struct {
	program          Program
	server           *process
	conn             *pgx.Conn
	whole, disturbed time.Duration
	before, staged   int64 // rows read as the last look before the kill has shown them, and what the dead server's store has of them
	want             fingerprint
}

func (r *resumption) start(ctx context.Context) (err error) {
	if r.server, err = r.program.start(ctx); err != nil {
		return err
	}
	r.conn, err = r.server.system().connect(ctx)
	return err
}

func (r *resumption) stop() {
	if r.conn != nil {
		r.conn.Close(context.Background())
	}
	if r.server != nil {
		_ = r.server.stop()
	}
}

func (r *resumption) load(ctx context.Context, rows int) error {
	if _, err := r.conn.Exec(ctx, createT); err != nil {
		return err
	}
	return copyRows(ctx, []*pgx.Conn{r.conn}, "COPY t FROM STDIN", rows, appendT)
}

func (r *resumption) undisturbed(ctx context.Context) (err error) {
	begun := time.Now()
	if _, err := r.conn.Exec(ctx, "CREATE MATERIALIZED VIEW whole AS "+backfills[0].query); err != nil {
		return err
	}
	r.whole = time.Since(begun)
	r.want, err = fingerprintOf(ctx, r.conn, "SELECT * FROM whole")
	return err
}

func (r *resumption) killed(ctx context.Context) error {
	begun := time.Now()
	for _, sql := range []string{"SET background_ddl = on", "CREATE MATERIALIZED VIEW resumed AS " + backfills[0].query} {
		if _, err := r.conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	for halfway := false; !halfway; {
		at, err := r.look(ctx)
		if err != nil {
			return err
		}
		r.before, halfway = at.scanned, at.ended || at.total > 0 && 2*at.scanned >= at.total
	}
	if err := r.server.kill(); err != nil {
		return err
	}
	r.conn.Close(ctx)
	r.disturbed = time.Since(begun)
	if err := r.inspect(); err != nil {
		return err
	}
	begun = time.Now()
	if err := r.start(ctx); err != nil {
		return err
	}
	if _, err := r.conn.Exec(ctx, "WAIT"); err != nil {
		return err
	}
	r.disturbed += time.Since(begun)
	got, err := fingerprintOf(ctx, r.conn, "SELECT * FROM resumed")
	if err == nil && got != r.want {
		err = fmt.Errorf("the view that was killed has %+v, the other one %+v", got, r.want)
	}
	return err
}

// inspect finds how many rows the server will not read again.
func (r *resumption) inspect() error {
	report, err := inspect.Open(r.program.Directory)
	if err != nil {
		return err
	}
	last := report.Jobs[len(report.Jobs)-1]
	for _, in := range last.Inputs {
		r.staged += int64(in.Rows)
	}
	return nil
}

// standing is how far a backfill is.
type standing struct {
	scanned, total int64
	ended          bool
}

// look waits a moment and asks.
func (r *resumption) look(ctx context.Context) (s standing, err error) {
	if err := wait(ctx, resumePoll); err != nil {
		return s, err
	}
	err = r.conn.QueryRow(ctx, "SELECT rows_scanned, rows_total, state = 'RUNNING' FROM tm_jobs WHERE name = 'resumed'").Scan(&s.scanned, &s.total, &s.ended)
	return s, err
}
