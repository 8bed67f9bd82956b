package session

import (
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/kv/memkv"
)

// TestSubscriptionCursor reads changes from three places of the history, also after a restart; rw_timestamp, which is an
// epoch, is left out.
func TestSubscriptionCursor(t *testing.T) {
	w := &scripted{store: memkv.Open(), sessions: map[string]*Session{}}
	w.open(t)
	run := func(sql string) string { return w.run(t, "main", "", sql) }
	run(`create table a (k int primary key, v text);
		insert into a values (1, 'old');
		create materialized view v as select k, v from a where k < 10;
		create subscription s from v with (retention = '1 day');
		declare now_on subscription cursor for s since now();
		declare whole subscription cursor for s full;
		insert into a values (2, 'two'); flush;
		update a set v = 'new' where k = 1; flush;
		delete from a where k = 2; flush`)
	changes := "2 two Insert\n1 old UpdateDelete\n1 new UpdateInsert\n2 two Delete\n"
	expect := func(cursor, want string) {
		t.Helper()
		got := ""
		for range strings.Count(want, "\n") {
			line := strings.TrimSuffix(run("fetch next from "+cursor), "\n")
			got += line[:max(strings.LastIndexByte(line, ' '), 0)] + "\n"
		}
		if got != want {
			t.Errorf("%s: got\n%swant\n%s", cursor, got, want)
		}
		if rest := run("fetch next from " + cursor); rest != "" {
			t.Errorf("%s: %q after the last change", cursor, rest)
		}
	}
	expect("now_on", changes)
	expect("whole", "1 old Insert\n"+changes)
	run("declare first subscription cursor for s since begin()")
	expect("first", changes)

	run("declare again subscription cursor for s since begin()")
	line := strings.Fields(run("fetch next from again"))
	run("declare from_row subscription cursor for s since " + line[len(line)-1])
	expect("from_row", changes)

	w.close(t)
	w.open(t)
	run("declare kept subscription cursor for s since begin()")
	expect("kept", changes)
	w.close(t)
}
