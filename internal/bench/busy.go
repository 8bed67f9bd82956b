package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// beside is a workload in which rows change at a steady pace, first alone and then while B1's view is made.
type beside struct {
	name    string
	table   string  // whose rows change
	most    int     // of its rows that do
	keys    int     // rows that a statement changes
	fresher float64 // most that a change may take, of what it does alone
	keeps   float64 // of the idle rate, at least; 0: none is set
}

const (
	besideEvery = 20 * time.Millisecond
	besideAlone = 3 * time.Second // statements before a view is made, to know what they take then
	nearRows    = 10_000          // of the neighbour's table
)

// Busy measures B5 with a server of its own: how much of its idle rate a backfill keeps under statements of 1,000 rows, 50 a
// second, and what it adds to the time in which a view that is there shows one of them.
func Busy(ctx context.Context, p Program, rows int) ([]Measure, error) {
	return beside{name: "B5", table: "t", most: rows, keys: 1000, fresher: 1.5, keeps: 0.5}.measure(ctx, p, rows)
}

// Neighbour measures N3 with a server of its own: what a backfill adds to the time in which a view of another table shows a
// statement of 10 rows, 50 a second.
func Neighbour(ctx context.Context, p Program, rows int) ([]Measure, error) {
	return beside{name: "N3", table: "near", most: min(nearRows, rows), keys: 10, fresher: 2}.measure(ctx, p, rows)
}

func (b beside) measure(ctx context.Context, p Program, rows int) (out []Measure, err error) {
	s, err := p.start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	c, err := s.system().connect(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close(ctx)
	w, err := s.system().connect(ctx)
	if err != nil {
		return nil, err
	}
	defer w.Close(ctx)
	if err := b.load(ctx, c, rows); err != nil {
		return nil, fmt.Errorf("%s: %w", b.name, err)
	}
	if out, err = b.run(ctx, c, &updates{beside: b, conn: w}); err != nil {
		return nil, fmt.Errorf("%s: %w", b.name, err)
	}
	return out, nil
}

// load makes both tables, and the view that shows what is written.
func (b beside) load(ctx context.Context, c *pgx.Conn, rows int) error {
	if _, err := c.Exec(ctx, createT); err != nil {
		return err
	}
	if err := copyRows(ctx, []*pgx.Conn{c}, "COPY t FROM STDIN", rows, appendT); err != nil {
		return err
	}
	for _, sql := range []string{
		"CREATE TABLE near (id bigint PRIMARY KEY, g int, v bigint, s text)",
		fmt.Sprintf("INSERT INTO near SELECT id, g, v, s FROM t WHERE v < %d", nearRows),
		"CREATE MATERIALIZED VIEW shown AS SELECT max(v) AS v FROM " + b.table + " WHERE s = 'busy'",
	} {
		if _, err := c.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// run makes the view twice, without changes and beside them; both must come to the same rows.
func (b beside) run(ctx context.Context, c *pgx.Conn, u *updates) ([]Measure, error) {
	idle, err := timed(ctx, c, "CREATE MATERIALIZED VIEW idle AS "+backfills[0].query)
	if err != nil {
		return nil, err
	}
	without, err := u.during(ctx, func() error { return wait(ctx, besideAlone) })
	if err != nil {
		return nil, err
	}
	var loaded time.Duration
	with, err := u.during(ctx, func() (err error) {
		loaded, err = timed(ctx, c, "CREATE MATERIALIZED VIEW busy AS "+backfills[0].query)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := sameRows(ctx, c, "idle", "busy"); err != nil {
		return nil, err
	}
	return []Measure{
		{What: b.name + " time of an idle backfill / a busy one", Value: idle.Seconds() / loaded.Seconds(), Unit: "x", Least: b.keeps},
		{What: b.name + " changed rows a second meanwhile", Value: float64(len(with)*b.keys) / loaded.Seconds(), Unit: "rows/s"},
		{What: b.name + " a change is shown, p99, without backfill", Value: quantile(without, 0.99), Unit: "ms"},
		{What: b.name + " a change is shown, p99, beside it / without", Value: quantile(with, 0.99) / quantile(without, 0.99), Unit: "x", Limit: b.fresher},
	}, nil
}

// timed runs a statement.
func timed(ctx context.Context, c *pgx.Conn, sql string) (time.Duration, error) {
	begun := time.Now()
	_, err := c.Exec(ctx, sql)
	return time.Since(begun), err
}

// sameRows compares two relations.
func sameRows(ctx context.Context, c *pgx.Conn, a, b string) error {
	x, err := fingerprintOf(ctx, c, "SELECT * FROM "+a)
	if err != nil {
		return err
	}
	y, err := fingerprintOf(ctx, c, "SELECT * FROM "+b)
	if err == nil && x != y {
		err = fmt.Errorf("%s has %+v, %s has %+v", a, x, b, y)
	}
	return err
}
