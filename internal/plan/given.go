package plan

import (
	"fmt"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Given is rows that are at hand, such as those of a COPY. Only in a plan that runs once.
type Given struct {
	Fields []types.Field
	Chunks []*chunk.Chunk
}

func (n *Given) Schema() []types.Field  { return n.Fields }
func (n *Given) Inputs() []Node         { return nil }
func (n *Given) WithInputs([]Node) Node { return n }

func givenLine(n *Given) string {
	rows := 0
	for _, c := range n.Chunks {
		rows += c.Rows()
	}
	return fmt.Sprintf("Given %d rows", rows)
}
