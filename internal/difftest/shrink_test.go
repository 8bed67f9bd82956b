package difftest

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A history fails here when it makes a table, deletes from it and then compares.
func failsAfterDelete(_ context.Context, h History) (*Failure, error) {
	made, deleted := false, false
	for i, s := range h.Steps {
		made = made || s.Kind == StepTable
		deleted = deleted || made && strings.HasPrefix(s.SQL, "DELETE")
		if deleted && s.Kind == StepCheck {
			return &Failure{Kind: failView, Step: i}, nil
		}
	}
	return nil, nil
}

func TestShrink(t *testing.T) {
	h := ParseHistory(`
-- a remark
CREATE TABLE t (a int, b int);
CREATE MATERIALIZED VIEW v AS SELECT a FROM t;
INSERT INTO t VALUES (1, 2), (3, 4);
-- compare;
DELETE FROM t WHERE a = 1 AND b IN (2, 3);
-- crash;
-- compare;
DROP MATERIALIZED VIEW v;
-- compare;
`)
	if len(h.Steps) != 9 || ParseHistory(h.String()).String() != h.String() {
		t.Fatalf("read %d steps:\n%s", len(h.Steps), h)
	}
	f, _ := failsAfterDelete(t.Context(), h)
	small, _ := Shrink(t.Context(), h, f, failsAfterDelete, time.Minute)
	const want = "CREATE TABLE t ();\nDELETE FROM t;\n-- compare;\n"
	if got := small.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestSmaller(t *testing.T) {
	all := strings.Join(Smaller("SELECT a, b + 1 FROM t WHERE a > 1 AND b = 2 ORDER BY a, b LIMIT 3"), "\n")
	for _, part := range []string{
		"SELECT a, b + 1 FROM t WHERE b = 2 ORDER BY a, b LIMIT 3", // an operand for the whole
		"SELECT a, b FROM t WHERE a > 1 AND b = 2 ORDER BY a, b LIMIT 3",
		"SELECT b + 1 FROM t WHERE a > 1 AND b = 2 ORDER BY a, b LIMIT 3", // an item less
		"SELECT a, b + 1 FROM t ORDER BY a, b LIMIT 3",
	} {
		if !strings.Contains(all, part) {
			t.Errorf("%q is not among\n%s", part, all)
		}
	}
	if strings.Contains(all, "ORDER BY a LIMIT") {
		t.Error("an order must stay total")
	}
	if Smaller("no statement") != nil {
		t.Error("what cannot be read has no smaller form")
	}
}
