package op

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// Union passes the rows of all its ports: UNION ALL.
type Union struct{ stream.NoWatermark }

// Chunk passes a chunk.
func (*Union) Chunk(_ int, c *chunk.Chunk, out stream.Out) error { return out.Chunk(c) }

// Barrier has nothing to do.
func (*Union) Barrier(stream.Barrier, stream.Out) error { return nil }
