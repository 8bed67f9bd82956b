package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// updates changes rows at a steady pace, each statement with a number that a view shows.
type updates struct {
	beside
	conn *pgx.Conn
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
		due = due.Add(besideEvery)
		select {
		case failed := <-ended:
			slices.Sort(ms)
			return ms, errors.Join(err, failed)
		case <-time.After(time.Until(due)):
		}
	}
}

// change gives rows a new number and reads it back from the view.
func (u *updates) change(ctx context.Context) (time.Duration, error) {
	u.next++
	number := int64(u.most) + u.next
	keys := make([]int64, min(u.keys, u.most))
	for i := range keys {
		keys[i] = keyOf((int(u.next)*u.keys + i) % u.most)
	}
	begun := time.Now()
	_, err := u.conn.Exec(ctx, "INSERT INTO "+u.table+" (id, g, v, s) SELECT id, id % 1000, $2, 'busy' FROM unnest($1::bigint[]) AS k(id) "+
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
