package session

import (
	"testing"

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
