package session

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestColumnOrigins: a column that is a relation's is described by that relation and its number there, as PostgreSQL 15
// describes them; what is computed is nobody's.
func TestColumnOrigins(t *testing.T) {
	_, s := opened(t, Options{Vnodes: 4})
	for _, sql := range []string{"create table o1 (id int primary key, a int, b text)", "create table o2 (id int primary key, c int)",
		"create view ov as select id as vid, a + 1 as x, b from o1", "create materialized view om as select a, count(*) as n from o1 group by a",
		"insert into o1 values (1, 2, 'x')"} {
		exec(t, s, sql)
	}
	names := map[uint32]string{}
	for _, rel := range s.d.engine.Catalog().Relations() {
		names[uint32(rel.ID)] = rel.Name
	}
	for _, c := range []struct{ sql, want string }{
		{"select * from o1", "o1.1 o1.2 o1.3"},
		{"select b, a, a + 1, id as k from o1 where id = 1", "o1.3 o1.2 - o1.1"},
		{"select o2.*, o1.b from o1 join o2 on o1.id = o2.id", "o2.1 o2.2 o1.3"},
		{"select * from o1 left join o2 using (id)", "o1.1 o1.2 o1.3 o2.2"},
		{"select id from o1 right join o2 using (id)", "o2.1"},
		{"select id from o1 full join o2 using (id)", "-"},
		{"select * from ov", "ov.1 ov.2 ov.3"},
		{"select n, a from om", "om.2 om.1"},
		{"select x.k, z from (select a as k, a + 1 as z from o1) x", "o1.2 -"},
		{"with w(p, q) as (select a, b from o1) select q, p from w", "o1.3 o1.2"},
		{"with recursive r(n) as (select id from o1 union all select n + 1 from r where n < 2) select n from r", "-"},
		{"select o1.a, x.b from o1, lateral (select o1.b) x", "o1.2 o1.3"},
		{"select a from o1 union all select c from o2", "-"},
		{"select a, count(*) from o1 group by a", "o1.2 -"},
		{"select distinct a from o1 order by a limit 1", "o1.2"},
		{"select (select a from o1 limit 1), 1", "- -"},
		{"values (1)", "-"},
		{"update o1 set a = 3 returning id, a + 1, b", "o1.1 - o1.3"},
		{"delete from o1 returning b", "o1.3"},
	} {
		var got []string
		err := s.Simple(context.Background(), c.sql, func(r Result) error {
			for _, col := range r.Columns() {
				if col.TableOID == 0 {
					got = append(got, "-")
					continue
				}
				got = append(got, fmt.Sprintf("%s.%d", names[col.TableOID], col.Number))
			}
			_, err := r.Finish(context.Background())
			return err
		})
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s; %v", c.sql, got, c.want, err)
		}
	}
}
