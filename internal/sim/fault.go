package sim

import "github.com/tidemark-db/tidemark/internal/actor"

// fault lets the tests of this package break the engine on purpose, in what passes between it and the simulator. The
// zero value breaks nothing.
type fault struct {
	actor func(*actor.Actor) // sees every actor before it runs
}
