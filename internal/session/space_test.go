package session

import (
	"context"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// On a disk that is nearly full what adds rows is refused, what reads or removes them is not.
func TestFullDisk(t *testing.T) {
	d, s := opened(t, Options{})
	exec(t, s, "create table t (id int primary key); insert into t values (1), (2)")
	if d.space != nil {
		t.Error("memory is no disk")
	}
	d.space = func() error { return errs.DiskFull.New("free", 1, "needed", 2) }
	for _, sql := range []string{"insert into t values (3)", "update t set id = 4 where id = 1", "copy t from stdin", "create table u (id int)",
		"create materialized view v as select * from t", "create index on t (id)"} {
		err := s.Simple(context.Background(), sql, func(Result) error { return nil })
		s.Abort()
		if !errs.Of(err, errs.DiskFull) {
			t.Errorf("%s: %v", sql, err)
		}
	}
	exec(t, s, "delete from t where id = 1")
	if got := exec(t, s, "select * from t"); got != "+ 2\n" {
		t.Error(got)
	}
	exec(t, s, "drop table t")
}

// The durable store tells how much room there is.
func TestDiskTellsItsSpace(t *testing.T) {
	d, err := Open(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if d.space == nil || d.space() != nil {
		t.Error("the store must be asked, and have room")
	}
	if err := d.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}
