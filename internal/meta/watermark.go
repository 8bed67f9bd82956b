package meta

import (
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

const dirWatermark = "watermark/"

// PutWatermark returns the write that stores how far the watermark of a table has come: it is written with the rows that
// have moved it, in one synced batch. DropWatermark removes it.
func PutWatermark(rel id.Relation, at int64) kv.Write { return put(dirWatermark+number(rel), at) }
func DropWatermark(rel id.Relation) kv.Write          { return drop(dirWatermark + number(rel)) }

// LoadWatermarks reads how far all watermarks have come.
func LoadWatermarks(r kv.Reader) (map[id.Relation]int64, error) {
	return loadByRelation[int64](r, dirWatermark)
}
