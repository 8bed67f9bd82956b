package meta

import (
	"github.com/tidemark-db/tidemark/internal/epoch"
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
	return loadByRelation[epoch.Epoch](r, dirSink)
}
