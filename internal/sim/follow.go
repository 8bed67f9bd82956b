package sim

import (
	"bytes"
	"errors"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// follower is a client that reads the changelog of a relation from where it stands, as SUBSCRIBE does.
type follower struct {
	rel   *catalog.Relation
	lease *engine.Lease
	have  image // what it knows the relation to hold
	at    kv.View
	since time.Time // when it last read
	away  int       // it does not read before this step
	late  bool      // it once came back after more than the retention, so that its lease may have ended since
}

const (
	followersMax = 2
	// readEvery: one of so many epochs is read as soon as it is visible.
	readEvery = 3
	// awayEvery: after one of so many reads a client stays away, for awayMax steps at most.
	awayEvery = 6
	awayMax   = 300
)

// follow makes a client follow a relation that answers, or lets one go.
func (s *scheduler) follow() bool {
	if !s.serving() {
		return false
	}
	if len(s.followers) == followersMax {
		s.followers[0].lease.Release()
		s.unfollow(s.followers[0])
		return true
	}
	rels := relations(s.engine.Catalog())
	s.followOne(rels[s.rand.IntN(len(rels))])
	return true
}

// followOne makes a client follow a relation.
func (w *world) followOne(rel *catalog.Relation) *follower {
	lease, at, err := w.engine.Follow(rel.Job)
	if !w.must("follow "+rel.Name, err) {
		return nil
	}
	f := &follower{rel: rel, lease: lease, at: at, since: w.clock.now}
	f.have, err = stored(at, rel.Table)
	w.must("read "+rel.Name, err)
	w.followers = append(w.followers, f)
	w.note("follow", "%s from %d", rel.Name, at.Epoch())
	return f
}

// unfollow forgets a follower.
func (w *world) unfollow(f *follower) {
	f.at.Close()
	for i, x := range w.followers {
		if x == f {
			w.followers = append(w.followers[:i:i], w.followers[i+1:]...)
			return
		}
	}
}

// readFollowers lets some followers read on, and compares what they know then with what is there.
func (w *world) readFollowers() {
	for _, f := range append([]*follower{}, w.followers...) {
		if w.step < f.away || w.rand.IntN(readEvery) > 0 {
			continue
		}
		if now, ok := w.engine.Catalog().Relation(f.rel.ID); !ok || now.Table != f.rel.Table {
			w.unfollow(f)
			continue
		}
		v := w.engine.View()
		if v.Epoch() == f.at.Epoch() {
			v.Close()
			continue
		}
		w.readOn(f, v)
	}
}

// readOn brings a follower to a later epoch.
func (w *world) readOn(f *follower, to kv.View) {
	err := f.apply(to)
	f.late = f.late || w.clock.now.Sub(f.since) > w.options.WithDefaults().ChangelogRetention
	if errors.Is(err, kv.ErrLogGone) && f.late {
		w.note("lost", "the changelog of %s after %d", f.rel.Name, f.at.Epoch())
		to.Close()
		w.unfollow(f)
		return
	}
	want, failure := stored(to, f.rel.Table)
	if !w.must("follow "+f.rel.Name, errors.Join(err, failure)) {
		return
	}
	if d := diff(f.rel, f.have, want); d != "" {
		w.fail("the changelog of %s after %d does not lead to what it holds at %d:%s", f.rel.Name, f.at.Epoch(), to.Epoch(), d)
	}
	f.at.Close()
	f.at, f.since = to, w.clock.now
	if w.rand.IntN(awayEvery) == 0 {
		f.away = w.step + w.rand.IntN(awayMax)
	}
	f.lease.Advance(to.Epoch())
	w.note("followed", "%s to %d", f.rel.Name, to.Epoch())
}

// apply reads the changelog between two epochs.
func (f *follower) apply(to kv.View) error {
	rows := map[string][]byte{}
	for _, p := range f.have {
		rows[string(p.key)] = p.value
	}
	for v := range f.rel.Vnodes {
		it, err := to.Log(f.rel.Table, uint16(v), f.at.Epoch(), to.Epoch())
		if err != nil {
			return err
		}
		for it.Next() {
			if old := rows[string(it.Key())]; !bytes.Equal(old, it.Old()) {
				it.Close()
				return errors.New("a change does not begin with what was there: " + show(f.rel, pair{it.Key(), old}))
			}
			if it.New() == nil {
				delete(rows, string(it.Key()))
				continue
			}
			rows[string(it.Key())] = bytes.Clone(it.New())
		}
		if err := it.Close(); err != nil {
			return err
		}
	}
	f.have = nil
	for key, value := range rows {
		f.have = append(f.have, pair{[]byte(key), value})
	}
	f.have.sort()
	return nil
}
