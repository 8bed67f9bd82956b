package capture

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/meta"
)

// clearAll takes away the rows of a table whose keys are wanted, nil being all, in transactions of clearMax rows. The log
// stands still meanwhile. Interrupted, it is begun again: nothing else has happened to the table.
func (s *source) clearAll(ctx context.Context, t *table, wanted func(key []byte) bool) error {
	if wanted == nil {
		wanted = func([]byte) bool { return true }
	}
	var from []byte
	for {
		err := s.commit(ctx, func(a *applier, _ *meta.Capture) (progress bool, err error) {
			from, err = a.clearFrom(t, from, wanted)
			return false, err
		})
		if from == nil || err != nil {
			return err
		}
	}
}

// clearStale empties a table whose rows can not be replaced range by range.
func (s *source) clearStale(ctx context.Context, t *table) error {
	if err := s.clearAll(ctx, t, nil); err != nil {
		return err
	}
	return s.commit(ctx, func(_ *applier, next *meta.Capture) (bool, error) {
		next.Tables[t.rel.ID].Stale, next.Tables[t.rel.ID].Whole = false, false
		return true, nil
	})
}

// clearGone takes away the rows of a range of keys that are not among those that were read of it. No key of the range takes
// changes yet, so this may happen before the rows are put.
func (s *source) clearGone(ctx context.Context, t *table, low, high []byte, rows *held) error {
	read := make(map[string]bool, rows.rows)
	for row, err := range rows.values() {
		if err != nil {
			return err
		}
		read[string(t.key(row))] = true
	}
	for more := true; more; {
		err := s.commit(ctx, func(a *applier, _ *meta.Capture) (progress bool, err error) {
			more, err = a.clearGone(t, low, high, read)
			return false, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
