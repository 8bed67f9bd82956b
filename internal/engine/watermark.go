package engine

import (
	"maps"

	"github.com/tidemark-db/tidemark/internal/id"
)

// Advance moves the watermark of a table; one that is there already stays. The next barrier has it.
func (e *Engine) Advance(rel id.Relation, to int64) {
	e.marks.Lock()
	defer e.marks.Unlock()
	if at, ok := e.marks.at[rel]; ok && at >= to {
		return
	}
	next := maps.Clone(e.marks.at)
	if next == nil {
		next = map[id.Relation]int64{}
	}
	next[rel] = to
	e.marks.at = next
}

// Marks are how far the watermarks of tables have come; nobody changes the map.
func (e *Engine) Marks() map[id.Relation]int64 {
	e.marks.Lock()
	defer e.marks.Unlock()
	return e.marks.at
}
