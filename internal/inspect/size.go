package inspect

import (
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// Size is how much a range of keys holds.
type Size struct {
	Records int64 `json:"records"`
	Bytes   int64 `json:"bytes"` // of keys and values, as they are written
	Disk    int64 `json:"disk"`  // estimate of what is in files; what is in the log alone is not counted
}

// Space is one of the store's key spaces.
type Space struct {
	Name string `json:"name"`
	Size
}

// Table is one of a job's tables.
type Table struct {
	ID   id.Table `json:"id"`
	Role string   `json:"role"` // rows, progress, state
	Size
	Log       *Size        `json:"log,omitempty"` // its changelog, where one is kept
	LogAfter  *epoch.Epoch `json:"log_after,omitempty"`
	Vnodes    int          `json:"vnodes"`        // that have records
	VnodeMost int64        `json:"vnode_records"` // of the fullest of them
}

// spaces sizes up the whole store.
func (x inspector) spaces() ([]Space, error) {
	var out []Space
	for _, s := range []struct {
		name  string
		first byte
	}{{"control state and log of writes", kv.SpaceMeta}, {"tables", kv.SpaceTable}, {"changelogs", kv.SpaceLog}} {
		size, err := x.size([]byte{s.first}, []byte{s.first + 1}, func([]byte) {})
		if err != nil {
			return nil, err
		}
		out = append(out, Space{s.name, size})
	}
	return out, nil
}

// size counts the records in [start, end).
func (x inspector) size(start, end []byte, each func(key []byte)) (s Size, err error) {
	it := x.store.Reader().Scan(start, end)
	for it.Next() {
		s.Records++
		s.Bytes += int64(len(it.Key()) + len(it.Value()))
		each(it.Key())
	}
	if err := it.Close(); err != nil {
		return s, err
	}
	s.Disk, err = x.store.DiskBytes(start, end)
	return s, err
}

// tables sizes up the tables of a job.
func (x inspector) tables(j *meta.Job) ([]Table, error) {
	role := roles(j)
	var out []Table
	for _, t := range j.Tables {
		row := Table{ID: t, Role: role[t]}
		perVnode := map[uint16]int64{}
		start, end := kv.TableRange(t)
		var err error
		row.Size, err = x.size(start, end, func(key []byte) {
			if _, v, _, ok := kv.TableOf(key); ok {
				perVnode[v]++
			}
		})
		if err != nil {
			return nil, err
		}
		for _, n := range perVnode {
			row.Vnodes, row.VnodeMost = row.Vnodes+1, max(row.VnodeMost, n)
		}
		if row.Log, row.LogAfter, err = x.log(t); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// log sizes up a table's changelog, nil when none is kept.
func (x inspector) log(t id.Table) (*Size, *epoch.Epoch, error) {
	from, ok := x.store.Leases()[t]
	if !ok {
		return nil, nil, nil
	}
	prefix := kv.AppendLog(nil, t, 0, 0)[:1+tableLen]
	size, err := x.size(prefix, kv.PrefixEnd(prefix), func([]byte) {})
	return &size, &from, err
}

// tableLen is how many bytes of a key name the table.
const tableLen = 4

// Input is the catch-up of a job with one relation that it reads, by ranges.
type Input struct {
	Relation string         `json:"relation"`
	Ranges   int            `json:"ranges"`
	Phases   map[string]int `json:"phases"` // how many ranges are in each
	Missing  int            `json:"missing,omitempty"`
	Damaged  int            `json:"damaged,omitempty"` // whose record cannot be read
	Rows     uint64         `json:"rows"`              // read by the scans
}

// inputs reads the progress records of a job. A range without one, or with one that cannot be
// read, is counted; Check tells more.
func (x inspector) inputs(j *meta.Job) ([]Input, error) {
	if j.Graph == nil {
		return nil, nil
	}
	var out []Input
	for _, s := range j.Graph.Scans() {
		in := Input{Relation: s.Rel.Qualified(), Ranges: s.Vnodes, Phases: map[string]int{}}
		for v := range s.Vnodes {
			b, ok, err := x.store.Reader().Get(kv.AppendTable(nil, s.Table, uint16(v)))
			if err != nil {
				return nil, err
			}
			if !ok {
				in.Missing++
				continue
			}
			rec, err := backfill.DecodeRecord(b)
			if err != nil {
				in.Damaged++
				continue
			}
			in.Phases[rec.Phase.String()]++
			in.Rows += rec.Rows
		}
		out = append(out, in)
	}
	return out, nil
}
