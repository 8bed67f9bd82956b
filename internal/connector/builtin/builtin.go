// Package builtin says what this binary can talk to.
package builtin

import (
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/connector/pgcdc"
)

// Systems are the upstreams that changes can be captured from, by the word of option connector.
func Systems() map[string]connector.System {
	return map[string]connector.System{pgcdc.Name: pgcdc.System{}}
}
