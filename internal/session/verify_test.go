package session

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
)

// rowsOf reads what the store has of a relation.
func (l *life) rowsOf(name string) (out []kv.Write) {
	l.Helper()
	rel, _ := l.d.engine.Catalog().Find("public", name)
	v := l.d.engine.View()
	defer v.Close()
	it := v.Scan(kv.TableRange(rel.Table))
	for it.Next() {
		out = append(out, kv.Write{Key: bytes.Clone(it.Key()), New: bytes.Clone(it.Value())})
	}
	if err := it.Close(); err != nil {
		l.Fatal(err)
	}
	return out
}

// plant ends the database, changes bytes in its store, and opens it again.
func (l *life) plant(writes ...kv.Write) {
	l.Helper()
	l.plantWith(func() []kv.Write { return writes })
}

// plantWith is plant of what follows from the store as it is then.
func (l *life) plantWith(writes func() []kv.Write) {
	l.Helper()
	l.close()
	l.store = l.store.Crash()
	if err := l.store.Apply(writes()); err != nil {
		l.Fatal(err)
	}
	l.open()
}

// differences is what VERIFY returns, less the vnodes.
func (l *life) differences(verify string) string {
	l.Helper()
	var out []string
	for line := range strings.Lines(l.exec(verify)) {
		out = append(out, strings.SplitN(strings.TrimSpace(line), " ", 3)[2])
	}
	return strings.Join(out, "\n")
}

func TestVerifyFindsWhatWasPlanted(t *testing.T) {
	l := newLife(t)
	defer func() { l.close() }()
	l.exec(`create table t (id int primary key, g int, w text);
		insert into t select n, n % 5, 'word ' || n from generate_series(1, 200) n;
		create materialized view groups as select g, count(*) as n from t group by g;
		create materialized view words as select w || '!' as w from t where g < 2;
		create materialized view total as select count(*) as n from t;
		create index by_g on t (g)`)
	all := []string{"verify materialized view groups", "verify materialized view words", "verify materialized view total", "verify index by_g"}
	for _, sql := range all {
		if got := l.differences(sql); got != "" {
			t.Errorf("%s: %s", sql, got)
		}
	}

	groups, words := l.rowsOf("groups"), l.rowsOf("words")
	rel, _ := l.d.engine.Catalog().Find("public", "groups")
	f := state.FormatOf(rel)
	wrong := types.Row{types.NewInt(3), types.NewInt(41)}
	at := kv.AppendTable(nil, rel.Table, uint16(f.VnodeOf(wrong)))
	moved := bytes.Clone(groups[0].Key)
	moved[6] ^= 1 // another vnode
	row, err := keyenc.DecodeRow(f.Types, groups[0].New)
	if err != nil || row[0].Int() == 3 {
		t.Fatal(row, err)
	}
	l.plant(
		kv.Write{Key: f.AppendKeyRow(at, wrong), New: keyenc.AppendDatums(nil, f.Types, wrong)},
		kv.Write{Key: groups[0].Key}, kv.Write{Key: moved, New: groups[0].New},
		kv.Write{Key: words[0].Key, New: state.AppendCount(nil, 3)},
		kv.Write{Key: words[1].Key, New: []byte("no count")},
		kv.Write{Key: words[2].Key},
	)
	lines := strings.Split(l.differences(all[0]), "\n")
	for _, want := range []string{"-1 (3,40)", "1 (3,41)", fmt.Sprintf("-1 (%d,40)", row[0].Int()), fmt.Sprintf("1 (%d,40)", row[0].Int())} {
		if len(lines) != 4 || !strings.Contains("\n"+strings.Join(lines, "\n")+"\n", "\n"+want+"\n") {
			t.Errorf("no %q in %q", want, lines)
		}
	}
	got := "\n" + l.differences(all[1])
	for want, times := range map[string]int{"\n2 ": 1, "\n1 NULL": 1, "\n-1 ": 2} { // two copies too many, no count, two rows lost
		if strings.Count(got, want) != times {
			t.Errorf("%q is not there %d times:%s", want, times, got)
		}
	}
	for _, sql := range all[2:] {
		if got := l.differences(sql); got != "" {
			t.Errorf("%s: %s", sql, got)
		}
	}
}

// TestVerifyTellsTheFirst: a view that is all wrong is told in a bounded answer.
func TestVerifyTellsTheFirst(t *testing.T) {
	l := newLife(t)
	defer func() { l.close() }()
	l.exec(`create table t (id int primary key); insert into t select generate_series(1, 3000);
		create materialized view v as select id, id + 1 as next from t`)
	var gone []kv.Write
	for _, r := range l.rowsOf("v") {
		gone = append(gone, kv.Write{Key: r.Key})
	}
	l.plant(gone...)
	if got := strings.Split(l.differences("verify materialized view v"), "\n"); len(got) != differencesShown || !strings.HasPrefix(got[0], "-1 (") {
		t.Error(len(got), got[0])
	}
	sampled := l.exec("verify materialized view v sample 50 percent")
	vnodes := map[string]bool{}
	for line := range strings.Lines(sampled) {
		vnodes[strings.Fields(line)[1]] = true
	}
	if len(vnodes) == 0 || len(vnodes) > 4 {
		t.Errorf("half of 8 vnodes: %v", vnodes)
	}
}

// TestVerifyStaleView: a view that has stopped is compared with what it has read, not with what there is now.
func TestVerifyStaleView(t *testing.T) {
	l := newLife(t)
	defer func() { l.close() }()
	l.exec(`create table t (id int primary key, d int); insert into t select n, 1 + n % 3 from generate_series(1, 50) n;
		set on_row_error = stop;
		create materialized view v as select id, 60 / d as q from t;
		create materialized view w as select q, count(*) as n from v group by q`)
	l.exec("delete from t where id < 10; update t set d = 5 where id = 20; insert into t values (100, 0)")
	l.until("v", "quarantined", func(s engine.JobStatus) bool { return s.State == job.Quarantined })
	l.exec("update t set d = 6 where id between 15 and 30; insert into t select n, 7 from generate_series(200, 210) n; delete from t where id = 40")
	for _, sql := range []string{"verify materialized view v", "verify materialized view w"} {
		if got := l.exec(sql); got != "" {
			t.Errorf("%s: %s", sql, got)
		}
	}
	first := l.rowsOf("v")[0]
	l.plant(kv.Write{Key: first.Key})
	if got := l.differences("verify materialized view v"); !strings.HasPrefix(got, "-1 (") || strings.Contains(got, "\n") {
		t.Error(got)
	}
}

func TestVerifyRefuses(t *testing.T) {
	l := newLife(t)
	defer func() { l.close() }()
	l.exec("create table t (id int primary key); create materialized view v as select id from t; create view p as select * from t; create table e (at timestamptz primary key); create materialized view recent as select at from e where at > now() - interval '1 hour'; create table a (id int) append only; create materialized view looked as select a.id from a join t for system_time as of proctime() on a.id = t.id")
	for sql, want := range map[string]string{
		"verify materialized view t":                     errs.WrongObject.Code,
		"verify materialized view p":                     errs.WrongObject.Code,
		"verify materialized view recent":                errs.VerifyClock.Code,
		"verify materialized view looked":                errs.VerifyLookedUp.Code,
		"verify index v":                                 errs.WrongObject.Code,
		"verify materialized view none":                  errs.UndefinedTable.Code,
		"verify materialized view v sample 0 percent":    errs.SettingValue.Code,
		"verify materialized view v sample 1000 percent": errs.SettingValue.Code,
	} {
		if e := l.fails(sql); e.Entry.Code != want || strings.Contains(e.Detail, "{") {
			t.Errorf("%s: %v", sql, e)
		}
	}
}
