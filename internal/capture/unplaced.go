package capture

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// rereading is the record of a table some of whose windows do not tell where in the log they stand, so that no change of what
// was read can be told to be in it or not: these windows are read again. A row that was read on its own becomes a hole, a range
// takes the cursor back to where it begins, and what is here of the keys behind that is stale until they have been read. The
// record itself is returned when there is no such window.
func rereading(rec *meta.CapturedTable) *meta.CapturedTable {
	next := *rec
	next.Windows, next.Holes = nil, nil
	lost, back := false, false
	var from []byte // the cursor that is gone back to; nil: the beginning
	for _, w := range rec.Windows {
		if placed(w) {
			continue
		}
		lost = true
		if w.Key == nil {
			if !back || bytes.Compare(w.Low, from) < 0 {
				from = w.Low
			}
			back = true
		}
	}
	if !lost {
		return rec
	}
	behind := func(key []byte) bool { return back && bytes.Compare(key, from) > 0 }
	for _, w := range rec.Windows {
		switch {
		case w.Key == nil && placed(w) && !(back && bytes.Compare(w.Low, from) >= 0):
			next.Windows = append(next.Windows, w)
		case w.Key != nil && placed(w) && !behind(w.Key):
			next.Windows = append(next.Windows, w)
		case w.Key != nil && !placed(w) && !behind(w.Key):
			next.Holes = append(next.Holes, w.Key)
		}
	}
	for _, h := range rec.Holes {
		if !behind(h) {
			next.Holes = append(next.Holes, h)
		}
	}
	if back {
		next.Cursor, next.Done, next.Stale = from, false, true
	}
	return &next
}

// placed reports whether a window tells which changes it has seen, and from where on none can follow that it has not.
func placed(w meta.CaptureWindow) bool {
	_, err := connector.ParseSnapshot(w.Snapshot)
	return err == nil && w.Until != 0
}

// readAgain lets windows be read again that do not tell where they stand.
func (s *source) readAgain(t *table, rec *meta.CapturedTable) *meta.CapturedTable {
	next := rereading(rec)
	if next != rec {
		err := errs.BackfillOffsetMissing.New("table", t.rel.Name)
		s.c.o.Logger.Warn("history is read again", "source", s.rel.Name, "table", t.rel.Name, "code", err.Entry.Code, "error", err)
		s.rec.Tables[t.rel.ID] = next
	}
	return next
}
