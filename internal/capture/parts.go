package capture

import (
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/types"
)

// event applies an event and moves the record behind it. What the record is behind already was applied.
func (a *applier) event(ev connector.Event, next *meta.Capture) error {
	t := ev.Txn
	if t != nil && (t.More || uint64(ev.Position) > next.Position) {
		done, err := a.resume(t, next.Part)
		if err == nil {
			err = a.transaction(t, done)
		}
		if err != nil {
			return err
		}
		if t.More {
			if n := len(t.Changes); n > 0 {
				done = max(done, t.Changes[n-1].At)
			}
			next.Part = a.part(t.XID, done)
		}
	}
	if t != nil && !t.More && uint64(ev.Position) > next.Position {
		next.Part = nil
	}
	next.Position = max(next.Position, uint64(ev.Position)) // that of a part is before its transaction
	return nil
}

// resume returns how many changes of a transaction are in the tables, and takes over what its parts before have left beside
// them. Within a batch the applier still has it.
func (a *applier) resume(t *connector.Transaction, part *meta.CapturePart) (done uint64, err error) {
	if part == nil || part.XID != t.XID {
		return 0, nil
	}
	if len(a.touched) > 0 {
		return part.Changes, nil
	}
	for _, b := range part.Beside {
		tab := a.tables[b.Table]
		if tab == nil {
			continue
		}
		row, err := keyenc.DecodeRow(tab.dml.Format.Types, b.Row)
		if err != nil {
			return 0, err
		}
		k, err := a.at(tab, row)
		if err != nil {
			return 0, err
		}
		k.rows = append(k.rows[:0:0], append([]types.Row{row}, k.rows...)...)
	}
	return part.Changes, nil
}

// part is the record of a transaction that goes on; of several rows of a key the table has the last.
func (a *applier) part(xid, done uint64) *meta.CapturePart {
	p := &meta.CapturePart{XID: xid, Changes: done}
	seen := map[*keyRows]bool{}
	for _, k := range a.touched {
		if seen[k] {
			continue
		}
		seen[k] = true
		for i := range len(k.rows) - 1 {
			p.Beside = append(p.Beside, meta.CapturedRow{Table: k.table.rel.ID, Row: keyenc.AppendDatums(nil, k.table.dml.Format.Types, k.rows[i])})
		}
	}
	return p
}
