package sim

import (
	"math"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// checkLeftovers: what was dropped leaves nothing. Every stored row is of a table of a job, or of one that is noted as
// dropped, so that somebody will remove it (M11).
func (w *world) checkLeftovers() {
	if w.broken != nil || w.dead() {
		return
	}
	st, _, err := meta.Load(w.disk.Meta(), "dev", w.sql.resolver())
	if !w.must("load the control state", err) {
		return
	}
	known := map[id.Table]bool{}
	for _, t := range st.Dropped {
		known[t] = true
	}
	for _, j := range st.Jobs {
		for _, t := range j.Tables {
			known[t] = true
		}
	}
	v := w.disk.View()
	defer v.Close()
	for t := firstTable(v, 0); t != 0; t = firstTable(v, t+1) {
		if !known[t] {
			w.fail("table %d has rows, and is of no job", t)
			return
		}
	}
}

// firstTable is the first table from a number on that has rows; 0: there is none.
func firstTable(r kv.Reader, from id.Table) (t id.Table) {
	it := r.Scan(kv.AppendTable(nil, from, 0), kv.AppendTable(nil, math.MaxUint32, math.MaxUint16))
	if it.Next() {
		t, _, _, _ = kv.TableOf(it.Key())
	}
	it.Close()
	return t
}
