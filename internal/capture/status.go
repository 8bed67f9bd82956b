package capture

import (
	"slices"
	"strings"
	"sync"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/id"
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
	Rows     uint64 // of history
	Err      error  // why it can not be captured; other tables of the source go on
	Wait     string // what the history waits for, empty when it does not
	Drift    string // how the columns upstream differ from those here, empty when they do not
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
	Tables   map[id.Relation]TableStatus
}

// board is what a source shows of itself.
type board struct {
	sync.Mutex
	state    State
	err      error
	position connector.Position
	tables   map[id.Relation]TableStatus
}

// status returns where a table stands; ok is false when the source does not know it yet.
func (s *source) status(table id.Relation) (TableStatus, bool) {
	s.board.Lock()
	defer s.board.Unlock()
	st, ok := s.board.tables[table]
	return st, ok
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
		st := SourceStatus{Source: rel, State: s.board.state, Err: s.board.err, Position: s.board.position, Tables: map[id.Relation]TableStatus{}}
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
