package capture

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// State is what a source is doing.
type State string

const (
	Connecting State = "CONNECTING"
	Streaming  State = "STREAMING"
	Scanning   State = "SCANNING"   // of a table: its history is read
	Refreshing State = "REFRESHING" // of a table: its history is read again
	Failed     State = "FAILED"     // of a table: it can not be captured as it is, and stays as it was
	Drifted    State = "DRIFTED"    // of a table: it is in step, with other columns than upstream
)

// TableStatus is where a captured table stands.
type TableStatus struct {
	Live     bool   // it has its history and follows the log
	Readable bool   // it may be queried
	Rows     uint64 // of history that were read
	Total    uint64 // that there are, as the upstream estimates; all that were read once the history is
	Ranges   uint64 // of history that were read
	Open     uint64 // of them, those that the log has not passed yet
	Err      error  // why it can not be captured; other tables of the source go on
	Wait     string // what the history waits for, empty when it does not
	Drift    string // how the columns upstream differ from those here, empty when they do not
}

// tableStatus is what the record of a table says.
func tableStatus(rec *meta.CapturedTable) TableStatus {
	st := TableStatus{Live: settled(rec), Readable: settled(rec) || rec.Whole, Rows: rec.Rows, Ranges: rec.Ranges, Open: uint64(len(rec.Windows))}
	if rec.Done {
		st.Total = rec.Rows
	}
	return st
}

// Done is how much of the history was read, in percent; not more than 99 as long as it was not read to its end.
func (t TableStatus) Done() float64 {
	switch {
	case t.Live:
		return 100
	case t.Total == 0:
		return 0
	}
	return min(99, float64(t.Rows)*100/float64(t.Total))
}

// State is what happens to the table.
func (t TableStatus) State() State {
	switch {
	case t.Err != nil:
		return Failed
	case !t.Live && t.Readable:
		return Refreshing
	case !t.Live:
		return Scanning
	case t.Drift != "":
		return Drifted
	}
	return Streaming
}

// Reason says why the state is what it is.
func (t TableStatus) Reason() string {
	if t.Err != nil {
		return t.Err.Error()
	}
	return strings.Join(slices.DeleteFunc([]string{t.Wait, t.Drift}, func(s string) bool { return s == "" }), "; ")
}

// SourceStatus is where a source stands.
type SourceStatus struct {
	Source   *catalog.Relation
	State    State
	Err      error // why it is not streaming
	Position connector.Position
	End      connector.Position // of the upstream's log, when it was asked last
	Kept     uint64             // bytes of log that the upstream keeps for the source
	Behind   time.Time          // since when there is log that was not read; zero: there is none
	Tables   map[id.Relation]TableStatus
}

// LagBytes is how much log there is behind the position.
func (s SourceStatus) LagBytes() uint64 {
	if s.End <= s.Position {
		return 0
	}
	return uint64(s.End - s.Position)
}

// board is what a source shows of itself.
type board struct {
	sync.Mutex
	state    State
	err      error
	position connector.Position
	standing connector.Standing
	ends     []logEnd  // that were not reached yet, the oldest first
	away     time.Time // since when there is no connection; zero: there is one
	tables   map[id.Relation]TableStatus
}

// status returns where a table stands; ok is false when the source does not know it yet.
func (s *source) status(table id.Relation) (TableStatus, bool) {
	s.board.Lock()
	defer s.board.Unlock()
	st, ok := s.board.tables[table]
	return st, ok
}

// failure is why the source is not streaming; nil when it is.
func (s *source) failure() error {
	s.board.Lock()
	defer s.board.Unlock()
	return s.board.err
}

// Live reports whether a captured table has its whole history.
func (c *Captures) Live(rel *catalog.Relation) (TableStatus, bool) {
	s := c.source(c.sourceOf(rel))
	if s == nil {
		return TableStatus{}, false
	}
	st, _ := s.status(rel.ID)
	return st, st.Live
}

// Status returns where all sources stand, by relation.
func (c *Captures) Status() []SourceStatus {
	var out []SourceStatus
	for _, rel := range c.o.Catalog().Relations() {
		s := c.source(rel.ID)
		if s == nil {
			continue
		}
		s.board.Lock()
		st := SourceStatus{Source: rel, State: s.board.state, Err: s.board.err, Position: s.board.position,
			End: s.board.standing.End, Kept: s.board.standing.Kept, Behind: s.board.behind(), Tables: map[id.Relation]TableStatus{}}
		for r, t := range s.board.tables {
			st.Tables[r] = t
		}
		s.board.Unlock()
		out = append(out, st)
	}
	return out
}

// show changes the board and tells those who wait.
func (s *source) show(change func(*board)) {
	s.board.Lock()
	change(&s.board)
	s.board.Unlock()
	s.c.tell()
}

// Trouble says what keeps a captured table from getting on, in words to follow its progress; empty when nothing does.
func (c *Captures) Trouble(rel *catalog.Relation) string {
	s := c.source(c.sourceOf(rel))
	if s == nil {
		return ""
	}
	s.board.Lock()
	defer s.board.Unlock()
	switch st := s.board.tables[rel.ID]; {
	case st.Err != nil:
		return "; it is not captured: " + st.Err.Error()
	case s.board.err != nil:
		return "; the source is reconnecting: " + s.board.err.Error()
	case st.Wait != "":
		return "; it " + st.Wait
	}
	return ""
}
