package session

import (
	"context"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
)

// opened is a database with a session, both closed when the test ends.
func opened(t testing.TB, o Options) (*Database, *Session) {
	t.Helper()
	d, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.NewSession(Startup{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		if err := d.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return d, s
}

// exec runs a text and returns the rows of its last statement in chunk notation.
func exec(t testing.TB, s *Session, sql string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out := ""
	err := s.Simple(ctx, sql, func(r Result) error {
		out = ""
		for {
			c, err := r.Next(ctx)
			if err != nil {
				return err
			}
			if c == nil {
				break
			}
			out += chunk.Format(c)
		}
		_, err := r.Finish(ctx)
		return err
	})
	if err != nil {
		s.Abort()
		t.Fatalf("%s: %v", sql, err)
	}
	return out
}

// TestViewFollowsTable takes the whole way: table, rows, a view over rows that exist, changes that the view follows.
func TestViewFollowsTable(t *testing.T) {
	_, s := opened(t, Options{})
	exec(t, s, "create table t (id int primary key, g text, v bigint); insert into t values (1,'a',10),(2,'b',20),(3,'a',30)")
	exec(t, s, "create materialized view mv as select g, sum(v) as s, count(*) as n from t group by g")
	for _, step := range []struct{ do, want string }{
		{"", "+ a 40 2\n+ b 20 1\n"},
		{"insert into t values (4,'b',5)", "+ a 40 2\n+ b 25 2\n"},
		{"update t set v = 100 where id = 1", "+ a 130 2\n+ b 25 2\n"},
		{"delete from t where g = 'b'", "+ a 130 2\n"},
	} {
		if step.do != "" {
			exec(t, s, step.do)
		}
		if got := exec(t, s, "select * from mv order by g"); got != step.want {
			t.Errorf("after %q: got\n%swant\n%s", step.do, got, step.want)
		}
	}
}

// TestClientMinMessages keeps notices from a client that wants warnings only.
func TestClientMinMessages(t *testing.T) {
	d, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(context.Background())
	var got []string
	s, err := d.NewSession(Startup{Notice: func(n Notice) { got = append(got, n.Message) }})
	if err != nil {
		t.Fatal(err)
	}
	const drop = "drop table if exists nowhere"
	exec(t, s, drop)
	exec(t, s, "set client_min_messages = warning; "+drop)
	if len(got) != 1 {
		t.Errorf("notices %q, want one", got)
	}
}
