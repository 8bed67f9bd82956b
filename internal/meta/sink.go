package meta

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

const dirSink = "sink/"

// PutSink returns the write that stores up to which epoch a sink's changes are in its table: it is written with the last of
// them, in one synced batch. DropSink removes it.
func PutSink(sink id.Relation, at epoch.Epoch) kv.Write { return put(dirSink+number(sink), uint64(at)) }
func DropSink(sink id.Relation) kv.Write                { return drop(dirSink + number(sink)) }

// LoadSinks reads how far all sinks have come.
func LoadSinks(r kv.Reader) (map[id.Relation]epoch.Epoch, error) {
	out := map[id.Relation]epoch.Epoch{}
	return out, load(r, dirSink, func(name string, at uint64) error {
		n, err := strconv.ParseUint(name, 10, 32)
		if err != nil {
			return errs.MetaCorrupt.New("key", dirSink+name).Wrap(err)
		}
		out[id.Relation(n)] = epoch.Epoch(at)
		return nil
	})
}
