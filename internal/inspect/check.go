package inspect

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/pebblekv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// problemsMax bounds what is told of a store; there is a count of the rest.
const problemsMax = 1000

// Problem is something in a store that is not as it was written, or cannot be.
type Problem struct {
	Where  string `json:"where"`
	Code   string `json:"code"`
	What   string `json:"what"`
	Remedy string `json:"remedy"`
}

// Checked is what a check has read and found.
type Checked struct {
	Dir      string      `json:"dir"`
	Epoch    epoch.Epoch `json:"epoch"`
	Files    int         `json:"files"`   // whose blocks were all read
	Records  int         `json:"records"` // of progress
	Rows     int64       `json:"rows"`    // of relations
	Hashed   int         `json:"hashed"`  // relations whose rows were compared with the sums of their hashes
	Problems []Problem   `json:"problems"`
	More     int         `json:"more,omitempty"` // problems that are not listed
}

// Check reads a whole closed store: every block against its checksum, the control state, the progress of every job (B4 to B7
// as far as bytes allow), and every row of every relation: that it can be decoded and is where a look-up finds it, and that all
// together are those that were written, where that was kept. It changes nothing. The error is for what cannot be looked at at all.
func Check(dir string) (c *Checked, err error) {
	x := &checker{Checked: Checked{Dir: dir, Problems: []Problem{}}}
	store, err := pebblekv.OpenReadOnly(pebblekv.Options{Dir: dir})
	if err != nil {
		if unlooked(err) {
			return nil, err
		}
		x.found("store", err)
		return &x.Checked, nil
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	x.Epoch, x.store = store.Epoch(), store
	x.Files, err = store.VerifyBlocks(x.found)
	if err != nil {
		return nil, err
	}
	if x.state, err = stateOf(store); err != nil {
		x.found("control state", err)
		return &x.Checked, nil
	}
	x.jobs()
	x.relations()
	x.orphans()
	return &x.Checked, nil
}

// unlooked reports whether an error says that there is no store to look at, or that somebody is using it.
func unlooked(err error) bool {
	return errs.Of(err, errs.NoStore) || errs.Of(err, errs.NotAStore) || errs.Of(err, errs.StoreLocked)
}

type checker struct {
	Checked
	store *pebblekv.ReadOnly
	state *meta.State
}

// found notes a problem.
func (x *checker) found(where string, err error) {
	if len(x.Problems) == problemsMax {
		x.More++
		return
	}
	p := Problem{Where: where, What: errs.Told(err)}
	if e, ok := errs.As(err); ok {
		p.Code, p.Remedy = e.Entry.Code, e.Entry.Remedies[0]
	}
	x.Problems = append(x.Problems, p)
}

// jobs checks the control state and the progress of every job.
func (x *checker) jobs() {
	for _, n := range slices.Sorted(maps.Keys(x.state.Jobs)) {
		j := x.state.Jobs[n]
		if err := x.state.Broken[n]; err != nil {
			x.found(x.name(j), err)
			continue
		}
		st := x.state.Status[n]
		s := backfill.Standing{Job: n, Created: st.Created, Arranges: j.Arranges(), AsOf: st.AsOf, Visible: x.Epoch, Generation: j.Generation, Sums: backfill.DecodeSums(st.Records)}
		if st.Attached {
			s.AsOf = x.Epoch
		}
		for i, scan := range j.Graph.Scans() {
			sound, found, err := backfill.Check(s, i, scan.Vnodes, func(v vnode.ID) ([]byte, bool, error) {
				return x.store.Reader().Get(kv.AppendTable(nil, scan.Table, uint16(v)))
			})
			where := fmt.Sprintf("%s, progress on %s", x.name(j), scan.Rel.Qualified())
			if err != nil {
				x.found(where, err)
				continue
			}
			x.Records += len(sound)
			for _, f := range found {
				x.found(where, f.Err)
			}
			extra, err := state.VnodesFrom(x.store.Reader(), scan.Table, scan.Vnodes)
			if err != nil {
				x.found(where, err)
			}
			for _, v := range extra {
				x.found(where, errs.BackfillVnodesDisagree.New("job", n, "catalog", scan.Vnodes, "state", int(v)+1))
			}
		}
	}
}

func (x *checker) name(j *meta.Job) string {
	if rel, ok := x.state.Catalog.Relation(j.Relation); ok {
		return fmt.Sprintf("job %d %s", j.ID, rel.Qualified())
	}
	return fmt.Sprintf("job %d", j.ID)
}

// relations checks the rows of every relation.
func (x *checker) relations() {
	for _, rel := range x.state.Catalog.Relations() {
		if rel.Runs() && rel.Table != 0 && x.state.Broken[rel.Job] == nil {
			x.rows(rel)
			x.tally(rel)
		}
	}
}

// orphans finds tables with rows that neither a job nor the list of what is to be purged names.
func (x *checker) orphans() {
	known := map[id.Table]bool{}
	for _, j := range x.state.Jobs {
		for _, t := range j.Tables {
			known[t] = true
		}
	}
	for _, t := range x.state.Dropped {
		known[t] = true
	}
	start := []byte{kv.SpaceTable}
	for {
		it := x.store.Reader().Scan(start, []byte{kv.SpaceTable + 1})
		if !it.Next() {
			if err := it.Close(); err != nil {
				x.found("tables", err)
			}
			return
		}
		t, _, _, _ := kv.TableOf(it.Key())
		if err := it.Close(); err != nil {
			x.found("tables", err)
			return
		}
		if !known[t] && len(x.state.Broken) == 0 {
			x.found(fmt.Sprintf("table %d", t), errs.OrphanTable.New("table", t))
		}
		_, start = kv.TableRange(t)
	}
}
