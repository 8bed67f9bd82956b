// Package meta keeps the durable control state: what the catalog, the jobs and the counters are, and how they are stored.
//
// It is plain data and its encoding: DDL is a list of writes that the engine applies in one synced transaction.
package meta

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/invariant"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Version is the format of what the store holds: the meta space, the states of operators and their keys. A store of another
// version is refused.
const Version = 2

// Job is a streaming computation as it is stored: its text, and the graph that recovery runs.
type Job struct {
	ID       id.Job
	Relation id.Relation
	SQL      string
	Graph    *fragment.Graph `json:"-"` // stored by planenc
	Tables   []id.Table      // all state tables, for dropping them
	Table    id.Table        // of these, the one with the relation's rows
	Upstream []id.Job
	Parallel int // actors of a fragment; 0: as many as the server has by default
	// Generation is raised with every change of Parallel: owners of an earlier one must not write any more.
	Generation uint32            `json:",omitempty"`
	Settings   map[string]string // session settings at creation that shape the job, as changed since
	// TakesOver are relations that the job has read where it now reads others in their place, the first replaced first.
	TakesOver []Takeover `json:",omitempty"`
}

// ModeSetting says how a job reads its history: before it attaches, while it is attached, or not at all.
const (
	ModeSetting     = "backfill_mode"
	ModeSnapshot    = "snapshot"
	ModeArrangement = "arrangement"
	ModeUpstream    = "upstream_only"
)

// Arranges reports whether the job is attached before it has read its history.
func (j *Job) Arranges() bool {
	return len(j.Upstream) > 0 && (j.Settings[ModeSetting] == ModeArrangement || j.SkipsHistory())
}

// SkipsHistory reports whether the job reads only what happens from its attach on.
func (j *Job) SkipsHistory() bool { return j.Settings[ModeSetting] == ModeUpstream }

// LagSetting says what becomes of a job that holds up a barrier for too long, or does not get near enough to attach: it is let
// go of and catches up by itself, or the others wait for it.
const (
	LagSetting = "on_lag"
	LagDetach  = "detach"
	LagSlow    = "slow"
)

// Slows reports whether others wait for the job for as long as it takes.
func (j *Job) Slows() bool { return j.Settings[LagSetting] == LagSlow }

// Status is where a job stands; it changes with commits.
type Status struct {
	Attached    bool
	Created     bool        // it was attached with all of its history: its relation answers
	AsOf        epoch.Epoch // of a detached job
	AsOfAt      time.Time   // when that was visible
	Rows        int64       // of its relation
	Tally       []byte      `json:",omitempty"` // sums of its rows as of the same epoch, where they are kept
	Quarantined string      // the reason, empty when not
	LaggedOut   bool        // its changelog was given up
	Records     []byte      `json:",omitempty"` // checksums of its progress records as of the same epoch, until it is in step
}

// Counters are numbers that must never be used twice.
type Counters struct {
	Relation id.Relation
	Job      id.Job
	Table    id.Table
	Epoch    epoch.Epoch // numbers below it may have been used
}

// State is all control state, as loaded at open.
type State struct {
	Catalog  *catalog.Snapshot
	Jobs     map[id.Job]*Job
	Status   map[id.Job]Status
	Counters Counters
	DMLSeq   uint64     // DML log entries up to it are in the durable epoch
	TallyKey uint64     // keys the hashes of rows
	Dropped  []id.Table // tables whose rows may not be purged yet
	// Broken are jobs whose records cannot be read or contradict the catalog, with what is known of them, and why: they must
	// not run, and the others go on.
	Broken map[id.Job]error
}

// Key names in the meta space.
const (
	keyVersion  = "version"
	keyCounters = "counters"
	keyDMLSeq   = "dmlseq"
	keyDefaults = "defaultgrants"
	keyCluster  = "cluster"
	keyTally    = "tallykey"
	dirRelation = "relation/"
	dirSchema   = "schema/"
	dirUser     = "user/"
	dirJob      = "job/"
	dirStatus   = "status/"
	dirDropped  = "dropped/"
	dirSetting  = "setting/"
	dirDatabase = "database/"
	dirFunction = "function/"
)

// key returns the stored key of a name.
func key(name string) []byte { return append([]byte{kv.SpaceMeta}, name...) }

func put(name string, v any) kv.Write {
	b, err := json.Marshal(v)
	invariant.Check(err == nil, "%s does not encode: %v", name, err) // it is plain data
	return kv.Write{Key: key(name), New: b}
}

func drop(name string) kv.Write { return kv.Write{Key: key(name)} }

func number[N ~uint32 | ~uint64](n N) string { return fmt.Sprintf("%020d", uint64(n)) }

// PutRelation, PutSchema ... return the write that stores a thing; Drop... the one that removes it.
func PutRelation(r *catalog.Relation) kv.Write { return put(dirRelation+number(r.ID), r) }
func DropRelation(r id.Relation) kv.Write      { return drop(dirRelation + number(r)) }
func PutSchema(s catalog.Schema) kv.Write      { return put(dirSchema+s.Name, s) }
func DropSchema(name string) kv.Write          { return drop(dirSchema + name) }
func PutUser(u catalog.User) kv.Write          { return put(dirUser+u.Name, u) }
func DropUser(name string) kv.Write            { return drop(dirUser + name) }
func DropJob(j id.Job) []kv.Write {
	return []kv.Write{drop(dirJob + number(j)), drop(dirStatus + number(j))}
}
func PutStatus(j id.Job, s Status) kv.Write { return put(dirStatus+number(j), s) }
func PutCounters(c Counters) kv.Write       { return put(keyCounters, c) }
func PutDMLSeq(seq uint64) kv.Write         { return put(keyDMLSeq, seq) }
func PutDropped(t id.Table) kv.Write        { return put(dirDropped+number(t), t) }
func ForgetDropped(t id.Table) kv.Write     { return drop(dirDropped + number(t)) }
func PutDefaults(d []catalog.DefaultGrant) kv.Write {
	return put(keyDefaults, d)
}
func PutDatabase(d catalog.Database) kv.Write  { return put(dirDatabase+d.Name, d) }
func DropDatabase(name string) kv.Write        { return drop(dirDatabase + name) }
func PutFunction(f *catalog.Function) kv.Write { return put(dirFunction+number(f.ID), f) }
func DropFunction(f id.Relation) kv.Write      { return drop(dirFunction + number(f)) }
func PutCluster(name string) kv.Write          { return put(keyCluster, name) }
func PutTallyKey(key uint64) kv.Write          { return put(keyTally, key) }
func PutSetting(name, text string) kv.Write    { return put(dirSetting+name, text) }
func DropSetting(name string) kv.Write         { return drop(dirSetting + name) }
func PutVersion() kv.Write                     { return put(keyVersion, Version) }

// load reads one directory of the meta space.
func load[T any](r kv.Reader, dir string, each func(name string, v T) error) error {
	return loadRaw(r, dir, func(name string, value []byte) error {
		v, err := decode[T](dir+name, value)
		if err != nil {
			return err
		}
		return each(name, v)
	})
}

// loadByRelation reads a directory that has a thing for each of some relations.
func loadByRelation[T any](r kv.Reader, dir string) (map[id.Relation]T, error) {
	out := map[id.Relation]T{}
	return out, load(r, dir, func(name string, v T) error {
		r, err := relationOf(dir, name)
		if err == nil {
			out[r] = v
		}
		return err
	})
}

// relationOf reads the name that a thing of a relation has in a directory.
func relationOf(dir, name string) (id.Relation, error) {
	n, err := strconv.ParseUint(name, 10, 32)
	if err != nil {
		return 0, errs.MetaCorrupt.New("key", dir+name).Wrap(err)
	}
	return id.Relation(n), nil
}

// loadRaw reads one directory without decoding it.
func loadRaw(r kv.Reader, dir string, each func(name string, value []byte) error) error {
	prefix := key(dir)
	it := r.Scan(prefix, kv.PrefixEnd(prefix))
	for it.Next() {
		if err := each(string(it.Key()[len(prefix):]), it.Value()); err != nil {
			it.Close()
			return err
		}
	}
	return it.Close()
}

func decode[T any](name string, value []byte) (v T, err error) {
	if err := json.Unmarshal(value, &v); err != nil {
		return v, errs.MetaCorrupt.New("key", name).Wrap(err)
	}
	return v, nil
}

// one reads a single value; ok is false when it is not there.
func one[T any](r kv.Reader, name string) (v T, ok bool, err error) {
	b, ok, err := r.Get(key(name))
	if err != nil || !ok {
		return v, false, err
	}
	v, err = decode[T](name, b)
	return v, err == nil, err
}
