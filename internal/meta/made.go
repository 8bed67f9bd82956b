package meta

import (
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

const dirMade = "made/"

// PutMade returns the write that stores how many rows a generator has made for a relation: it is written with the last of
// them, in one synced batch. DropMade removes it.
func PutMade(rel id.Relation, rows int64) kv.Write { return put(dirMade+number(rel), rows) }
func DropMade(rel id.Relation) kv.Write            { return drop(dirMade + number(rel)) }

// LoadMade reads how many rows all generators have made.
func LoadMade(r kv.Reader) (map[id.Relation]int64, error) {
	return loadByRelation[int64](r, dirMade)
}
