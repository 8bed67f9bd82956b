package meta

import (
	"encoding/json"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/plan/planenc"
)

// storedJob is a Job with its graph in the stored form.
type storedJob struct {
	Job
	Fragments []storedFragment
}

type storedFragment struct {
	Plan   json.RawMessage
	Dist   fragment.Dist
	Tables [][]id.Table
	Keys   [][]int
}

// PutJob returns the write that stores a job.
func PutJob(j *Job) (kv.Write, error) {
	stored := storedJob{Job: *j}
	if j.Graph != nil {
		for _, f := range j.Graph.Fragments {
			b, err := planenc.Encode(f.Root)
			if err != nil {
				return kv.Write{}, err
			}
			stored.Fragments = append(stored.Fragments, storedFragment{Plan: b, Dist: f.Dist, Tables: f.Tables, Keys: f.Keys})
		}
	}
	return put(dirJob+number(j.ID), stored), nil
}

// Load reads the whole control state. A new store gives an empty catalog; ok is false then.
func Load(r kv.Reader, database string, resolve planenc.Resolver) (s *State, ok bool, err error) {
	s = &State{Jobs: map[id.Job]*Job{}, Status: map[id.Job]Status{}, Broken: map[id.Job]error{}}
	version, ok, err := one[int](r, keyVersion)
	if err != nil {
		return nil, false, err
	}
	if ok && version != Version {
		return nil, false, errs.StoreVersion.New("what", "data", "found", version, "known", Version)
	}
	if err := s.loadCatalog(r, database); err != nil {
		return nil, false, err
	}
	if err := s.loadJobs(r, resolve); err != nil {
		return nil, false, err
	}
	if s.Counters, _, err = one[Counters](r, keyCounters); err != nil {
		return nil, false, err
	}
	if s.TallyKey, _, err = one[uint64](r, keyTally); err != nil {
		return nil, false, err
	}
	s.DMLSeq, _, err = one[uint64](r, keyDMLSeq)
	return s, ok, err
}

// Cluster reads the name of the store; ok is false when it has none yet.
func Cluster(r kv.Reader) (name string, ok bool, err error) { return one[string](r, keyCluster) }

// TallyKey reads what keys the hashes of rows; ok is false when the store has none yet.
func TallyKey(r kv.Reader) (key uint64, ok bool, err error) { return one[uint64](r, keyTally) }

// Settings reads what ALTER SYSTEM SET has stored, by name.
func Settings(r kv.Reader) (map[string]string, error) {
	out := map[string]string{}
	err := load(r, dirSetting, func(name, text string) error { out[name] = text; return nil })
	return out, err
}

func (s *State) loadCatalog(r kv.Reader, database string) error {
	c := catalog.NewSnapshot(database)
	err := load(r, dirSchema, func(_ string, v catalog.Schema) error { c.PutSchema(v); return nil })
	if err != nil {
		return err
	}
	if err := load(r, dirUser, func(_ string, v catalog.User) error { c.PutUser(v); return nil }); err != nil {
		return err
	}
	if err := load(r, dirDatabase, func(_ string, v catalog.Database) error { c.PutDatabase(v); return nil }); err != nil {
		return err
	}
	if err := load(r, dirFunction, func(_ string, v *catalog.Function) error { c.PutFunction(v); return nil }); err != nil {
		return err
	}
	defaults, _, err := one[[]catalog.DefaultGrant](r, keyDefaults)
	if err != nil {
		return err
	}
	c.SetDefaults(defaults)
	s.Catalog = c
	return load(r, dirRelation, func(_ string, v *catalog.Relation) error { c.Put(v); return nil })
}

func (s *State) loadJobs(r kv.Reader, resolve planenc.Resolver) error {
	resolve.Catalog = s.Catalog
	if err := s.loadGraphs(r, resolve); err != nil {
		return err
	}
	err := loadRaw(r, dirStatus, func(name string, value []byte) error {
		j, err := jobNumber(dirStatus, name)
		if err != nil {
			return err
		}
		st, err := decode[Status](dirStatus+name, value)
		if err != nil {
			return s.breaks(j, err)
		}
		s.Status[j] = st
		return nil
	})
	if err != nil {
		return err
	}
	if err := s.checkGraphs(); err != nil {
		return err
	}
	return load(r, dirDropped, func(_ string, t id.Table) error { s.Dropped = append(s.Dropped, t); return nil })
}

func decodeGraph(fs []storedFragment, resolve planenc.Resolver) (*fragment.Graph, error) {
	if fs == nil {
		return nil, nil
	}
	g := &fragment.Graph{}
	for _, f := range fs {
		root, err := planenc.Decode(f.Plan, resolve)
		if err != nil {
			return nil, err
		}
		g.Fragments = append(g.Fragments, &fragment.Fragment{Root: root, Dist: f.Dist, Tables: f.Tables, Keys: f.Keys})
	}
	return g, nil
}
