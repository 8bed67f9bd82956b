package inspect

import (
	"errors"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/pebblekv"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Upgrade tells whether this version runs on a store.
type Upgrade struct {
	Dir      string    `json:"dir"`
	Jobs     int       `json:"jobs"`
	Formats  []int     `json:"progress_formats"` // that progress records have
	Problems []Problem `json:"problems"`
}

// UpgradeCheck reads the formats of a closed store, the plans of its jobs, and the format of their progress records. A store
// that this version cannot open at all is a problem like others.
func UpgradeCheck(dir string) (u *Upgrade, err error) {
	x := &checker{Checked: Checked{Dir: dir, Problems: []Problem{}}}
	u = &Upgrade{Dir: dir, Formats: []int{}}
	defer func() {
		if u != nil {
			u.Problems = x.Problems
		}
	}()
	if x.store, err = pebblekv.OpenReadOnly(pebblekv.Options{Dir: dir}); err != nil {
		if unlooked(err) {
			return nil, err
		}
		x.found("store", err)
		return u, nil
	}
	defer func() { err = errors.Join(err, x.store.Close()) }()
	if x.state, err = stateOf(x.store); err != nil {
		x.found("control state", err)
		return u, nil
	}
	u.Jobs = len(x.state.Jobs)
	for _, n := range slices.Sorted(maps.Keys(x.state.Broken)) {
		x.found(x.name(x.state.Jobs[n]), x.state.Broken[n])
	}
	u.Formats = x.formats()
	return u, nil
}

// formats reads the first byte of every progress record; what of format 1 is unfinished is a problem.
func (x *checker) formats() []int {
	seen := map[int]bool{}
	for _, n := range slices.Sorted(maps.Keys(x.state.Jobs)) {
		j := x.state.Jobs[n]
		for i, scan := range j.Graph.Scans() {
			s := backfill.Standing{Job: n, Created: true, Visible: ^x.Epoch, Generation: j.Generation}
			load := func(v vnode.ID) ([]byte, bool, error) {
				b, ok, err := x.store.Reader().Get(kv.AppendTable(nil, scan.Table, uint16(v)))
				if ok && len(b) > 0 {
					seen[int(b[0])] = true
				}
				return b, ok, err
			}
			_, found, err := backfill.Check(s, i, scan.Vnodes, load)
			if err != nil {
				x.found(x.name(j), err)
			}
			for _, f := range found {
				if f.Err.Entry == errs.BackfillFormatOne {
					x.found(x.name(j), f.Err)
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
