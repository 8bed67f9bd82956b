package engine_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
)

// stoppedStore is a store whose process is stopped for a while in the middle of a barrier.
type stoppedStore struct {
	*memkv.Store
	late *atomic.Int64 // how far the clock is ahead
	stop atomic.Bool
}

func (s *stoppedStore) Publish(e epoch.Epoch, jobs []id.Job) {
	if s.stop.CompareAndSwap(true, false) {
		s.late.Add(int64(2 * time.Hour))
	}
	s.Store.Publish(e, jobs)
}

// The next barrier does not wait for as long as the process was stopped while the last one was under way, and more.
func TestBarrierAfterAStop(t *testing.T) {
	var late atomic.Int64
	store := &stoppedStore{Store: memkv.Open(), late: &late}
	e, err := engine.Open(store, engine.Options{Now: func() time.Time { return time.Now().Add(time.Duration(late.Load())) }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), commandMax)
	defer cancel()
	store.stop.Store(true)
	for range 2 {
		if err := e.WaitVisible(ctx, e.OpenEpoch()); err != nil {
			t.Fatal(err)
		}
	}
	if store.stop.Load() {
		t.Error("the process was not stopped")
	}
	if err := e.Close(context.Background()); err != nil {
		t.Error(err)
	}
}
