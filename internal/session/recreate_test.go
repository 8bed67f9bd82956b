package session

import (
	"context"
	"fmt"
	"testing"

	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/types"
)

// spoiled is a database with a view that has a wrong row and lacks another, and with what was made of that: views that
// read it, one of them through another, and an index.
func spoiled(t *testing.T) *life {
	l := newLife(t)
	l.exec(`create table t (id int primary key, g int, n int);
		insert into t select n, n % 40, n from generate_series(1, 4000) n;
		create materialized view sums as select g, sum(n) as n from t group by g; flush`)
	rows := l.rowsOf("sums")
	rel, _ := l.d.engine.Catalog().Find("public", "sums")
	row, err := keyenc.DecodeRow(rel.Types(), rows[1].New)
	if err != nil {
		t.Fatal(err)
	}
	row[1] = types.NewInt(1)
	l.plant(kv.Write{Key: rows[0].Key}, kv.Write{Key: rows[1].Key, New: keyenc.AppendDatums(nil, rel.Types(), row)})
	l.exec(`create index by_n on sums (n);
		create materialized view big as select g, n from sums where n > 200000;
		create materialized view total as select count(*) as groups, sum(n) as n from sums;
		create materialized view joined as select b.g, t.groups from big b join total t on t.n > b.n`)
	return l
}

// A view that is wrong is made anew, and whatever was made of it is put right with it, by the difference.
func TestRecreate(t *testing.T) {
	l := spoiled(t)
	defer func() { l.close() }()
	if got := l.exec("verify materialized view sums"); got == "" {
		t.Fatal("nothing is wrong")
	}
	if got := l.exec("select groups from total"); got != "+ 39\n" {
		t.Fatal(got)
	}
	l.exec("recreate materialized view sums")
	l.allSound()
	l.exec("insert into t values (10001, 1, 7), (10002, 77, 1); delete from t where id < 20; flush")
	l.allSound()
	l.crash()
	l.allSound()
	l.exec("recreate materialized view sums; recreate index by_n; recreate materialized view total; insert into t values (10003, 78, 1); flush")
	l.allSound()
	if got := l.exec("select groups from total"); got != "+ 42\n" {
		t.Fatal(got)
	}
}

// What is lost with a crash right after the swap: readers had not taken the difference, or that was not durable.
func TestRecreateThenCrash(t *testing.T) {
	l := spoiled(t)
	defer func() { l.close() }()
	for range 3 {
		l.exec("recreate materialized view sums")
		l.crash()
		l.allSound()
		l.exec("create or replace materialized view sums as select g, sum(n) + 1 as n from t group by g")
		l.crash()
		l.allSound()
		l.exec("create or replace materialized view sums as select g, sum(n) as n from t group by g; update t set n = n + 1 where id < 50")
	}
}

// A view whose plan can not be read any more is made anew from its definition, and those that stopped with it go on.
func TestRecreateOfBrokenPlan(t *testing.T) {
	l := spoiled(t)
	defer func() { l.close() }()
	st, _ := l.job("sums")
	l.plant(kv.Write{Key: fmt.Appendf([]byte{kv.SpaceMeta}, "job/%020d", uint64(st.ID)), New: []byte("{")})
	if st, _ := l.job("sums"); st.State != job.Quarantined {
		t.Fatal(st.State)
	}
	l.exec("insert into t values (10001, 1, 7); recreate materialized view sums")
	l.allSound()
	l.crash()
	l.allSound()
}

// Statements that were planned before the swap, and cursors that are open, read one view or the other, whole.
func TestReadersSeeNoGap(t *testing.T) {
	l := newLife(t)
	defer func() { l.close() }()
	l.exec(`create table t (id int primary key, n int);
		insert into t select n, n from generate_series(1, 500) n;
		create materialized view v as select id, n from t where n > 100;
		prepare many as select count(*), sum(n) from v;
		prepare one as select n from v where id = 300`)
	ended := make(chan error, 1)
	go func() {
		s := l.session()
		defer s.Close()
		for range 5 {
			if err := s.Simple(context.Background(), "recreate materialized view v", func(r Result) error {
				_, err := r.Finish(context.Background())
				return err
			}); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
		for sql, want := range map[string]string{"execute many": "+ 400 120200\n", "execute one": "+ 300\n",
			"select count(*) from v a join v b on a.id = b.n": "+ 400\n"} {
			if got := l.exec(sql); got != want {
				t.Fatalf("%s: %s", sql, got)
			}
		}
	}
}

// allSound checks that everything equals its query once all jobs are attached.
func (l *life) allSound() {
	l.Helper()
	l.exec("wait")
	for _, v := range []string{"materialized view sums", "materialized view big", "materialized view total", "materialized view joined", "index by_n"} {
		if got := l.exec("verify " + v); got != "" {
			l.Errorf("%s: %s", v, got)
		}
	}
}
