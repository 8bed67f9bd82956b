package meta

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
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
	out := map[id.Relation]int64{}
	return out, load(r, dirWatermark, func(name string, at int64) error {
		n, err := strconv.ParseUint(name, 10, 32)
		if err != nil {
			return errs.MetaCorrupt.New("key", dirWatermark+name).Wrap(err)
		}
		out[id.Relation(n)] = at
		return nil
	})
}
