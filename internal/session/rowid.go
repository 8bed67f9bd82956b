package session

import (
	"encoding/binary"
	"sync"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/sched"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// rowIDBlock is how many hidden row ids one durable reservation covers; those not used before a crash are skipped.
const rowIDBlock = 1 << 20

// rowIDs hands out the hidden keys of tables without a primary key. No number is used twice in a store.
type rowIDs struct {
	store kv.Store
	mu    struct {
		sync.Mutex
		next, end int64
	}
}

var rowIDKey = append([]byte{kv.SpaceMeta}, "rowid"...)

func (r *rowIDs) open(store kv.Store) error {
	r.store = store
	b, ok, err := store.Meta().Get(rowIDKey)
	if err != nil {
		return err
	}
	if ok {
		if len(b) != 8 {
			return errs.MetaCorrupt.New("key", "rowid")
		}
		r.mu.next = int64(binary.BigEndian.Uint64(b))
	}
	r.mu.end = r.mu.next
	return nil
}

// take returns the first of n numbers.
func (r *rowIDs) take(n int) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mu.next+int64(n) > r.mu.end {
		end := r.mu.next + int64(n) + rowIDBlock
		err := r.store.Apply([]kv.Write{{Key: rowIDKey, New: binary.BigEndian.AppendUint64(nil, uint64(end))}})
		if err != nil {
			return 0, err
		}
		r.mu.end = end
	}
	first := r.mu.next
	r.mu.next += int64(n)
	return first, nil
}

// parallelism is the number of actors a fragment gets; 0 in the settings means one for each core.
func parallelism(s *settings.Server, share *sched.Share) int {
	if n := int(s.Int("parallelism")); n > 0 {
		return n
	}
	return share.Procs()
}
