package sim

import (
	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// fault lets the tests of this package break the engine on purpose, in what passes between it and the simulator. The
// zero value breaks nothing.
type fault struct {
	world func(*world)            // changes options, and what clients like to make, before the first life
	actor func(*actor.Actor)      // sees every actor before it runs
	store func(kv.Store) kv.Store // stands between the engine and the disk
}

func (f fault) between(s kv.Store) kv.Store {
	if f.store == nil {
		return s
	}
	return f.store(s)
}
