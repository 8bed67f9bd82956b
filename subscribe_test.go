package tidemark_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark"
)

// until reads events up to the next Progress and prints them, those of one epoch sorted.
func until(t *testing.T, sub *tidemark.Subscription) string {
	t.Helper()
	var out []string
	for sub.Next() {
		e := sub.Event()
		if e.Op == tidemark.Progress {
			slices.Sort(out)
			return strings.Join(out, "\n")
		}
		out = append(out, fmt.Sprintf("%c %v", e.Op, e.Row))
	}
	t.Fatal("the subscription ended:", sub.Err())
	return ""
}

func subscribe(t *testing.T, db *tidemark.DB, view string) *tidemark.Subscription {
	t.Helper()
	sub, err := db.Subscribe(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sub.Close() })
	return sub
}

func TestSubscribe(t *testing.T) {
	for _, dir := range []string{tidemark.Memory, t.TempDir()} {
		db := open(t, dir)
		exec(t, db, "create table t (id int primary key, g text, v int); insert into t values (1,'a',10), (2,'b',20)")
		exec(t, db, `create materialized view "Sums" as select g, sum(v) as s from t group by g`)
		sub := subscribe(t, db, `public."Sums"`)
		if c := sub.Columns(); len(c) != 2 || c[0].Name != "g" || c[1].Type != "bigint" {
			t.Error(c)
		}
		for _, step := range []struct{ do, want string }{
			{"", "+ [a 10]\n+ [b 20]"},
			{"insert into t values (3,'a',1)", "+ [a 11]\n- [a 10]"},
			{"begin; delete from t where id = 1; update t set g = 'c' where id = 3; commit", "+ [c 1]\n- [a 11]"},
			{"delete from t", "- [b 20]\n- [c 1]"},
		} {
			if step.do != "" {
				exec(t, db, step.do)
			}
			if got := until(t, sub); got != step.want {
				t.Errorf("after %q: got\n%s\nwant\n%s", step.do, got, step.want)
			}
		}
	}
}

// A table without a key is a bag: equal rows come and go one by one.
func TestSubscribeToABag(t *testing.T) {
	db := open(t, tidemark.Memory)
	exec(t, db, "create table t (id int); create materialized view v as select 1 as one from t; insert into t values (1), (2)")
	bag, view := subscribe(t, db, "t"), subscribe(t, db, "v")
	if got := until(t, bag); got != "+ [1]\n+ [2]" {
		t.Error(got)
	}
	if got := until(t, view); got != "+ [1]\n+ [1]" {
		t.Error(got)
	}
	exec(t, db, "delete from t")
	if got := until(t, bag); got != "- [1]\n- [2]" {
		t.Error(got)
	}
	if got := until(t, view); got != "- [1]\n- [1]" {
		t.Error(got)
	}
}

// What the events add up to is the view, at each Progress, however many writers there are and whatever was committed to
// the store meanwhile.
func TestSubscriptionAddsUp(t *testing.T) {
	db := open(t, t.TempDir())
	exec(t, db, "create table t (id int primary key, g int, v int); create materialized view v as select g, count(*) as n, sum(v) as s from t group by g")
	sub := subscribe(t, db, "v")
	const writers, writes = 3, 60
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range writes {
				_, err := db.Exec(context.Background(), "insert into t values ($1, $2, $3) on conflict (id) do update set v = t.v + 1", (w*31+i*7)%50, i%5, i)
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	go func() {
		all.Wait()
		_, _ = db.Exec(context.Background(), "insert into t values (1000, 1000, 0)") // the last event that there is
	}()
	bag := map[string]int{}
	last := uint64(0)
	read := func() {
		for sub.Next() {
			switch e := sub.Event(); e.Op {
			case tidemark.Progress:
				for row, n := range bag {
					if n != 0 && n != 1 {
						t.Fatalf("epoch %d: %s is there %d times", e.Epoch, row, n)
					}
				}
				last = e.Epoch
				return
			case tidemark.Insert:
				bag[fmt.Sprint(e.Row...)]++
			default:
				bag[fmt.Sprint(e.Row...)]--
			}
			if e := sub.Event(); e.Epoch < last {
				t.Fatalf("epoch %d after %d", e.Epoch, last)
			}
		}
	}
	for bag["1000 1 0"] == 0 {
		read()
	}
	var got []string
	for row, n := range bag {
		if n > 0 {
			got = append(got, row)
		}
	}
	slices.Sort(got)
	if want := rows(t, db, "select * from v"); strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

func TestSubscriptionsEnd(t *testing.T) {
	db := open(t, tidemark.Memory)
	exec(t, db, "create table t (id int primary key); create view plain as select * from t")
	for name, want := range map[string]string{"nothing": "42P01", "plain": "42809", "1 + 1": "42602", "t t": "42601", "pg_class": "42809"} {
		if _, err := db.Subscribe(t.Context(), name); state(err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := db.Subscribe(t.Context(), "plain"); err == nil || !strings.Contains(err.Error(), "it is a view") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	sub, err := db.Subscribe(ctx, "t")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	until(t, sub)
	cancel()
	if sub.Next() || !errors.Is(sub.Err(), context.Canceled) {
		t.Error("the context has ended:", sub.Err())
	}
	dropped := subscribe(t, db, "t")
	until(t, dropped)
	exec(t, db, "drop view plain; drop table t")
	if dropped.Next() || code(dropped.Err()) != "TM-EM-003" {
		t.Error("the table was dropped:", dropped.Err())
	}
}

// A reader who has something to read and does not come for longer than changelog_retention is told so; one who has read
// everything may wait as long as it likes.
func TestSubscriptionFallsBehind(t *testing.T) {
	var ahead atomic.Int64 // of the clock
	db, err := tidemark.Open(t.TempDir(), tidemark.Options{
		Settings: map[string]string{"changelog_retention": "1h"},
		Now:      func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec(t, db, "create table t (id int primary key); create table u (id int)")
	sub := subscribe(t, db, "t")
	until(t, sub)
	durable := func() { exec(t, db, "create materialized view v as select count(*) from u; drop materialized view v") }
	durable() // what happens to others is nothing to read
	ahead.Add(int64(2 * time.Hour))
	durable()
	exec(t, db, "insert into t values (1)")
	if got := until(t, sub); got != "+ [1]" {
		t.Error(got)
	}
	exec(t, db, "insert into t values (2)")
	durable()
	ahead.Add(int64(2 * time.Hour))
	durable()
	exec(t, db, "insert into t values (3)")
	durable()
	if sub.Next() || code(sub.Err()) != "TM-EM-004" {
		t.Errorf("%v %v", sub.Event(), sub.Err())
	}
}
