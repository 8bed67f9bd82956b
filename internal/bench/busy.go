package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// B5: B1's view is made while rows of its table change.
const (
	busyKeys    = 1000 // rows that a statement changes
	busyEvery   = 20 * time.Millisecond
	busyAlone   = 3 * time.Second // statements before a view is made, to know what they take then
	busyAtLeast = 0.5             // of the idle rate
	busyFresher = 1.5             // of what the statements take without the backfill, p99
)

// Busy measures B5 with a server of its own: how much of its idle rate a backfill keeps under statements of 1,000 rows, 50 a
// second, and what it adds to the time in which a view that is there shows one of them.
func Busy(ctx context.Context, p Program, rows int) (out []Measure, err error) {
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
	if _, err := c.Exec(ctx, createT); err != nil {
		return nil, err
	}
	if err := copyRows(ctx, []*pgx.Conn{c}, "COPY t FROM STDIN", rows, appendT); err != nil {
		return nil, err
	}
	if _, err := c.Exec(ctx, "CREATE MATERIALIZED VIEW shown AS SELECT max(v) AS v FROM t WHERE s = 'busy'"); err != nil {
		return nil, err
	}
	idle, err := timed(ctx, c, "CREATE MATERIALIZED VIEW idle AS "+backfills[0].query)
	if err != nil {
		return nil, err
	}
	w, err := s.system().connect(ctx)
	if err != nil {
		return nil, err
	}
	defer w.Close(ctx)
	u := &updates{conn: w, rows: rows}
	alone, err := u.during(ctx, func() error { return wait(ctx, busyAlone) })
	if err != nil {
		return nil, fmt.Errorf("B5: %w", err)
	}
	var loaded time.Duration
	beside, err := u.during(ctx, func() (err error) {
		loaded, err = timed(ctx, c, "CREATE MATERIALIZED VIEW busy AS "+backfills[0].query)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("B5: %w", err)
	}
	if err := sameRows(ctx, c, "idle", "busy"); err != nil {
		return nil, fmt.Errorf("B5: %w", err)
	}
	return []Measure{
		{What: "B5 time of an idle backfill / a busy one", Value: idle.Seconds() / loaded.Seconds(), Unit: "x", Least: busyAtLeast},
		{What: "B5 changed rows a second meanwhile", Value: float64(len(beside)*busyKeys) / loaded.Seconds(), Unit: "rows/s"},
		{What: "B5 a change is shown, p99, without backfill", Value: quantile(alone, 0.99), Unit: "ms"},
		{What: "B5 a change is shown, p99, beside it / without", Value: quantile(beside, 0.99) / quantile(alone, 0.99), Unit: "x", Limit: busyFresher},
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

// updates changes rows at a steady pace, each statement with a number that a view shows.
type updates struct {
	conn *pgx.Conn
	rows int
	next int64
}

// during changes rows while something is done, and tells in ms, sorted, what each statement took until its number was shown. The
// first one begins with what is done, however soon that ends.
func (u *updates) during(ctx context.Context, do func() error) (ms []float64, err error) {
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	for due := time.Now(); ; {
		if err == nil { // else the other side ends by itself
			var took time.Duration
			if took, err = u.change(ctx); err == nil {
				ms = append(ms, float64(took.Nanoseconds())/1e6)
			}
		}
		due = due.Add(busyEvery)
		select {
		case failed := <-ended:
			slices.Sort(ms)
			return ms, errors.Join(err, failed)
		case <-time.After(time.Until(due)):
		}
	}
}

// change gives busyKeys rows a new number and reads it back from the view.
func (u *updates) change(ctx context.Context) (time.Duration, error) {
	u.next++
	number := int64(u.rows) + u.next
	keys := make([]int64, min(busyKeys, u.rows))
	for i := range keys {
		keys[i] = keyOf(int((u.next*busyKeys + int64(i)) % int64(u.rows)))
	}
	begun := time.Now()
	_, err := u.conn.Exec(ctx, "INSERT INTO t (id, g, v, s) SELECT id, id % 1000, $2, 'busy' FROM unnest($1::bigint[]) AS k(id) "+
		"ON CONFLICT (id) DO UPDATE SET v = excluded.v, s = excluded.s", keys, number)
	if err != nil {
		return 0, err
	}
	var shown int64
	if err := u.conn.QueryRow(ctx, "SELECT v FROM shown").Scan(&shown); err != nil {
		return 0, err
	}
	if shown != number {
		return 0, fmt.Errorf("the view shows %d after %d was written", shown, number)
	}
	return time.Since(begun), nil
}
