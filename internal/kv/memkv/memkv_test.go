package memkv

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/kvtest"
)

func TestConformance(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{
		Open:  func(testing.TB) kv.Store { return Open() },
		Crash: func(_ testing.TB, s kv.Store) kv.Store { return s.(*Store).Crash() },
	})
}
