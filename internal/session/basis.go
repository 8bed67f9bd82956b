package session

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// basis is the relations that a query reads, and what they rest on. A prepared query keeps them.
type basis struct {
	rels     []*catalog.Relation // as the plan names them
	catalog  *catalog.Snapshot   // as of which the rest is; nil before it was collected
	jobs     []id.Job            // that keep the relations current
	tables   []id.Table          // below them
	captured []*catalog.Relation // those of the tables whose rows come from upstream
}

func basisOf(rels ...*catalog.Relation) *basis { return &basis{rels: rels} }

// collect finds what the relations rest on in the catalog of now.
func (d *Database) collect(r *basis) {
	c := d.engine.Catalog()
	if r.catalog == c {
		return
	}
	*r = basis{rels: r.rels, catalog: c}
	seen := map[id.Relation]bool{}
	for _, rel := range r.rels {
		if now, ok := c.Relation(rel.ID); ok && rel.Job != 0 {
			rel = now
		}
		d.visit(r, rel, seen)
		if rel.Job != 0 {
			r.jobs = append(r.jobs, rel.Job)
		}
	}
}

func (d *Database) visit(r *basis, rel *catalog.Relation, seen map[id.Relation]bool) {
	if seen[rel.ID] {
		return
	}
	seen[rel.ID] = true
	if rel.Base() {
		r.tables = append(r.tables, rel.Table)
	}
	if d.captures.IsCaptured(rel) {
		r.captured = append(r.captured, rel)
	}
	for _, up := range rel.DependsOn {
		if u, ok := r.catalog.Relation(up); ok {
			d.visit(r, u, seen)
		}
	}
}

// fresh waits until what is read has reached every write acknowledged before, and pins the epoch.
func (s *Session) fresh(ctx context.Context, r *basis) (kv.View, error) {
	s.d.collect(r)
	if err := s.refuseUnread(r); err != nil {
		return nil, err
	}
	for range replacedMax {
		if len(r.jobs) == 0 {
			break
		}
		jobs := r.jobs
		stale, err := s.d.engine.WaitFresh(ctx, jobs, s.due(r), s.vars.Bool("read_incomplete"))
		if err != nil {
			return nil, err
		}
		if s.d.collect(r); slices.Equal(jobs, r.jobs) { // else what was waited for has been replaced
			s.noticeStale(stale)
			break
		}
	}
	return s.d.engine.View(), nil
}

// replacedMax bounds how often a reader waits again because a view was replaced while it waited.
const replacedMax = 8

// due is the epoch of the last write to any table below what is read, if the session waits for it.
func (s *Session) due(r *basis) epoch.Epoch {
	if s.vars.Text("freshness") == "none" {
		return 0
	}
	return max(s.d.seq.Wrote(r.tables), s.d.opened)
}

// refuseUnread refuses to read tables, and what is made of them, whose history is not there yet.
func (s *Session) refuseUnread(r *basis) error {
	if len(r.captured) == 0 || s.vars.Bool("read_incomplete") {
		return nil
	}
	for _, rel := range r.captured {
		if st, _ := s.d.captures.Live(rel); !st.Readable {
			return errs.HistoryMissing.New("table", rel.Name, "rows", st.Rows, "trouble", s.d.captures.Trouble(rel))
		}
	}
	return nil
}
