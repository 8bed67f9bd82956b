package session

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// hashed is a database whose rows are all counted: tables of each kind, also with columns that came later, and views over
// them with and without a key.
func hashed(t *testing.T) *life {
	l := newLife(t)
	l.exec(`set state_hash = on;
		create table t (id int primary key, g int);
		create table plain (g int, w text);
		create table last_wins (id int primary key, w text) on conflict overwrite;
		create table first_wins (id int primary key, w text) on conflict ignore;
		insert into t select n, n % 10 from generate_series(1, 500) n;
		alter table t add column w text default 'as before';
		alter table t add column n numeric;
		insert into t select n, n % 10, 'as before', case when n % 2 = 0 then 1.50 end from generate_series(501, 600) n;
		update t set w = 'other' where id % 7 = 0; delete from t where id % 11 = 0;
		alter table t drop column n;
		insert into plain select n % 3, 'again' from generate_series(1, 90) n; delete from plain where g = 1;
		insert into last_wins values (1, 'a'), (2, 'b'); insert into last_wins values (1, 'c'), (1, 'd');
		insert into first_wins values (1, 'a'), (2, 'b'); insert into first_wins values (1, 'c'), (3, 'd');
		create materialized view sums as select g, count(*) as n, max(w) as w from t group by g;
		create materialized view bag as select g from plain union all select g from t;
		create index by_g on t (g)`)
	return l
}

// rowsOf are the relations of hashed, all of which have rows.
var rowsOf = []string{"t", "plain", "last_wins", "first_wins", "sums", "bag", "by_g"}

// sound checks that nothing is wrong with any of them.
func (l *life) sound(when string) {
	l.Helper()
	for _, r := range rowsOf {
		if got := l.exec("check backfill " + r); got != "" {
			l.Errorf("%s: %s: %s", when, r, got)
		}
	}
}

// tallyOf are the sums of a relation's rows as the store has them.
func (l *life) tallyOf(name string) []byte {
	l.Helper()
	rel, _ := l.d.engine.Catalog().Find("public", name)
	return l.control().Status[rel.Job].Tally
}

// TestStateHash: the sums are those of the rows whatever writes them, and after crashes, with other owners and another view
// in the place of one.
func TestStateHash(t *testing.T) {
	l := hashed(t)
	defer func() { l.close() }()
	l.sound("made")
	l.durable()
	for _, r := range rowsOf {
		if len(l.tallyOf(r)) == 0 {
			t.Errorf("nothing is stored for %s", r)
		}
	}
	l.exec("delete from t where id < 100; update t set g = 3 where id < 120")
	l.crash()
	l.sound("after a crash")
	l.exec(`insert into t values (7, 7); alter table t set parallelism = 3; alter materialized view sums set parallelism = 2;
		insert into t values (8, 8), (9, 9); insert into plain values (1, 'x'); wait; flush`)
	l.sound("with other owners")
	l.exec("recreate materialized view sums; delete from t where id = 8; wait; flush")
	l.sound("made anew")
	l.exec("set state_hash = off; create table none (id int primary key); create table counted (id int primary key) with (state_hash = true); insert into counted values (1); flush")
	l.durable()
	if l.tallyOf("none") != nil || l.tallyOf("counted") == nil {
		t.Error("WITH and the setting are not obeyed")
	}
	if e := l.fails("create table odd (id int primary key) with (state_hash = perhaps)"); e.Entry.SQLState != "22023" {
		t.Error(e)
	}
}

// TestStateHashDiffers has a row taken out, put in, or changed: CHECK names the relation and the vnode, all go on, and what
// puts it right does.
func TestStateHashDiffers(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(of kv.Write) kv.Write
		rows   string
	}{
		{"taken out", func(w kv.Write) kv.Write { return kv.Write{Key: w.Key} }, "There are 9 rows where there should be 10"},
		{"put in", func(w kv.Write) kv.Write {
			key := bytes.Clone(w.Key)
			key[len(key)-1] ^= 0x80
			return kv.Write{Key: key, New: w.New}
		}, "There are 11 rows where there should be 10"},
		{"changed", func(w kv.Write) kv.Write {
			w.New[len(w.New)-1] ^= 1
			return w
		}, "There are 10 rows where there should be 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := hashed(t)
			defer func() { l.close() }()
			l.durable()
			row := l.rowsOf("sums")[4]
			l.plant(c.change(row))
			_, v, _, _ := kv.TableOf(row.Key)
			got := l.exec("check backfill sums")
			want := fmt.Sprintf(`TM-ST-016 "the rows of \"sums\" are not those that were written: vnode %d. %s"`, v, c.rows)
			if !strings.Contains(got, want) {
				t.Errorf("no %s in\n%s", want, got)
			}
			if e := l.fails("repair backfill sums"); e.Entry.Code != "TM-ST-016" {
				t.Error(e)
			}
			l.exec("insert into t values (9001, 1); recreate materialized view sums; wait; flush")
			l.sound("made anew")
			if got := l.exec("verify materialized view sums"); got != "" {
				t.Error(got)
			}
		})
	}
}

// TestStateHashOfTable: rows of a table are nowhere else, so REPAIR takes them as they are, with what is written meanwhile.
func TestStateHashOfTable(t *testing.T) {
	l := hashed(t)
	defer func() { l.close() }()
	l.durable()
	l.plant(kv.Write{Key: l.rowsOf("first_wins")[0].Key})
	l.exec("insert into first_wins values (77, 'x')")
	if got := l.exec("repair backfill first_wins"); !strings.Contains(got, "TM-ST-016") || !strings.Contains(got, "REPAIR takes the rows") {
		t.Error(got)
	}
	l.exec("insert into first_wins values (78, 'y'); flush")
	l.sound("repaired")
	l.durable()
	l.crash()
	l.sound("after a crash")
}

// TestStateHashUnread: without its record nothing stops, and what is there is counted anew.
func TestStateHashUnread(t *testing.T) {
	l := hashed(t)
	defer func() { l.close() }()
	l.durable()
	rel, _ := l.d.engine.Catalog().Find("public", "sums")
	for name, change := range map[string]func([]byte) []byte{
		"removed": func([]byte) []byte { return nil },
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"flipped": func(b []byte) []byte { b[len(b)/3] ^= 1; return b },
	} {
		l.plantWith(func() []kv.Write {
			st := l.control().Status[rel.Job]
			st.Tally = change(slices.Clone(st.Tally))
			return []kv.Write{meta.PutStatus(rel.Job, st)}
		})
		l.exec("insert into t values (9002, 2); delete from t where id = 9002; flush")
		if got := l.exec("check backfill sums"); !strings.Contains(got, "TM-ST-017") {
			t.Error(name, got)
		}
		l.durable()
		l.crash()
		if got := l.exec("repair backfill sums"); !strings.Contains(got, "TM-ST-017") {
			t.Error(name, got)
		}
		l.exec("update t set g = 4 where id = 300; flush")
		l.sound(name)
		l.durable()
		l.crash()
		l.sound(name)
	}
}
