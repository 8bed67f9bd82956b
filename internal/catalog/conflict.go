package catalog

import "github.com/tidemark-db/tidemark/internal/types"

// ConflictPolicy says what an INSERT of an existing key does.
type ConflictPolicy uint8

const (
	ConflictError     ConflictPolicy = iota
	ConflictOverwrite                // the new row replaces the old one
	ConflictFill                     // so do its values that are not NULL
	ConflictIgnore                   // the old row stays
)

func (p ConflictPolicy) String() string {
	return [...]string{"error", "overwrite", "fill", "ignore"}[p]
}

// Resolve gives the row that stays under a key when new comes to old: old itself where nothing changes.
//
// With version columns a row gives way only to one whose version is no lower, NULL being the lowest; they are compared
// one after the other.
func (r *Relation) Resolve(p ConflictPolicy, old, new types.Row) types.Row {
	if p == ConflictIgnore || r.newer(old, new) {
		return old
	}
	if p != ConflictFill {
		return new
	}
	out := make(types.Row, len(new))
	for i := range new {
		if out[i] = new[i]; new[i].IsNull() {
			out[i] = old[i]
		}
	}
	return out
}

// newer reports whether a row has a higher version than another.
func (r *Relation) newer(a, b types.Row) bool {
	for _, v := range r.Version {
		switch x, y := a[v], b[v]; {
		case y.IsNull():
			return true // a row without a version replaces nothing
		case x.IsNull():
			return false
		default:
			if c := types.Compare(r.Columns[v].Type, x, y); c != 0 {
				return c > 0
			}
		}
	}
	return false
}
