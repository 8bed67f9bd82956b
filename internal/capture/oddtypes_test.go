package capture_test

import (
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// testOddTypes follows values and names that are easily got wrong, by history and by the log: of composite types, domains over
// arrays, enums with blanks, dates without end, numbers without bounds, and columns whose names must be quoted.
func testOddTypes(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TYPE pair AS (a int, b text); CREATE DOMAIN ids AS int[]; CREATE DOMAIN few AS ids CHECK (cardinality(value) < 5); CREATE TYPE word AS ENUM ('x y', 'z"q', 'a,b');
CREATE TABLE odd (id int PRIMARY KEY, "Mixed Case" text, "select" int, "a""b" text, "tab	col" text, c pair, cs pair[], di ids, df few, e word, es word[], d date, ds date[], ts timestamp, tz timestamptz,
n numeric, n0 numeric(5,-2), ns numeric[], f real, g double precision, gs double precision[], t text[], tt text[][], iv interval, ivs interval[], r int4range, mr int4multirange, p point, ip cidr, v tsvector, j json, jb jsonb, jbs jsonb[], b bool[],
oi oid, nm name, ch "char", mac macaddr, l pg_lsn, vb varbit(5), x bytea[], bp char(3)[], tm time, u uuid[], twice int GENERATED ALWAYS AS (id * 2) STORED, low text COLLATE "C" NOT NULL DEFAULT 'l');
INSERT INTO odd VALUES (1, E'a\tb\\c\n', 2, 'q', '\N', '(1,"x ""y"" (z)")', '{"(1,a)","(,)"}', '{1,2}', '{3,NULL}', 'x y', '{"x y","z\"q","a,b",NULL}', 'infinity', '{-infinity,"0044-03-15 BC",5874897-12-31}', '-infinity', '0001-01-01 00:00:00+00 BC',
'1e1000', 12345, '{NaN,Infinity,-Infinity,1e-200,0.000}', 'NaN', '-Infinity', '{NaN,Infinity,-0,1e308,5e-324}', '{"a,b","c\"d","NULL",NULL,"",\\}', '{{a,b},{NULL,""}}', '-1 mon +2 days -00:00:00.000001', '{"1 year","-1 day"}', '[1,5)', '{[1,2),[5,9)}', '(1.5,-2)', '10.0.0.0/8',
'fat:2,4 cat:3', '{"a": 1}', '{"b": "\u00e9\ud83d\ude00", "n": 1e400}', '{"{\"a\": [1]}",NULL}', '{t,f,NULL}', 4294967295, 'n', 'c', '08:00:2b:01:02:03', '16/B374D848', B'101', '{"\\x00ff","\\x"}', '{"a  ","bcd"}', '24:00', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}')`)
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("CREATE TABLE odd (*) FROM up TABLE 'odd'")
	columns := strings.Join(w.upstream("SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'odd'::regclass AND attnum > 1 AND attgenerated = ''"), "")
	w.same("SELECT id, " + columns + " FROM odd")
	w.pg.Exec("INSERT INTO odd (id, " + columns + ") SELECT 2, " + columns + ` FROM odd; UPDATE odd SET "Mixed Case" = 'é' || "Mixed Case", n = -n WHERE id = 1; INSERT INTO odd (id) VALUES (3)`)
	w.same("SELECT id, " + columns + " FROM odd")
}
