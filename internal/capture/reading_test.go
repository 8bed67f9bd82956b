package capture

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/connector"
)

// The next piece of a history is read while the last is written, unless the log has changes that it must be behind: a position
// or a transaction of other tables, which come all the time, do not hold it up.
func TestOnlyChangesHoldUpReading(t *testing.T) {
	position := connector.Event{Position: 7}
	elsewhere := connector.Event{Position: 8, Txn: &connector.Transaction{XID: 5}}
	change := connector.Event{Position: 9, Txn: &connector.Transaction{XID: 6, Changes: []connector.Change{{Table: fakeTable, Op: connector.Truncate}}}}
	for _, c := range []struct {
		batch []connector.Event
		want  bool
	}{{nil, true}, {[]connector.Event{position}, true}, {[]connector.Event{position, elsewhere}, true}, {[]connector.Event{position, change, elsewhere}, false}} {
		if got := onlyPositions(c.batch); got != c.want {
			t.Errorf("%v: %t", c.batch, got)
		}
	}
}
