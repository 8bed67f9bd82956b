package meta

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// Takeover is what a job owes its rows since a relation that it reads was replaced: they follow from the relation as it
// was, whose rows are kept, until the job has taken the difference.
type Takeover struct {
	Was *catalog.Relation // with the number that it has still, and the table that it had
	At  epoch.Epoch       // of the replacement: a job whose as_of is later has taken the difference
	// InStep: the job was in one set with that of the relation, so it has all that is in the table, and the changelog after
	// its as_of tells nothing that it lacks.
	InStep bool `json:",omitempty"`
}

// Owed returns what a job that equals an epoch has to take over; ok is false when it reads the relation as it is.
func (j *Job) Owed(r id.Relation, asOf epoch.Epoch) (t Takeover, ok bool) {
	for _, t := range j.TakesOver {
		if t.Was.ID == r && asOf <= t.At {
			return t, true
		}
	}
	return Takeover{}, false
}

// Owes reports whether a job that equals an epoch has anything to take over.
func (j *Job) Owes(asOf epoch.Epoch) bool {
	for _, t := range j.TakesOver {
		if asOf <= t.At {
			return true
		}
	}
	return false
}
