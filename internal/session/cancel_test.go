package session

import (
	"context"
	"errors"
	"testing"
)

// A query ends with its context between any two chunks, also while one operator makes rows out of nothing.
func TestQueryEndsWithItsContext(t *testing.T) {
	_, s := opened(t, Options{})
	for _, sql := range []string{"select g from generate_series(1, 1000000000000) g", "select count(*), sum(g) from generate_series(1, 1000000000000) g where g < 0"} {
		ctx, cancel := context.WithCancel(context.Background())
		err := s.Simple(ctx, sql, func(r Result) error {
			cancel()
			_, err := r.Next(ctx)
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", sql, err)
		}
		s.Abort()
	}
}
