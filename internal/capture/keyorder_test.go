package capture_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/connector/builtin"
	"github.com/tidemark-db/tidemark/internal/connector/pgcdc"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// keyOrders are tables whose history is read in ranges of their key, each with an expression that makes its keys of a number, @.
var keyOrders = []keyOrderTable{
	{"num", "numeric", "CASE @ WHEN 1 THEN 'NaN' WHEN 2 THEN 'Infinity' WHEN 3 THEN '-Infinity' ELSE ((@ - 300) / 7.0)::numeric(30,20) END", ""},
	{"money", "numeric(12,2)", "(300 - @) * 1.25", ""},
	{"f4", "real", "CASE @ WHEN 1 THEN 'NaN' WHEN 2 THEN '-Infinity' ELSE (300 - @) / 3.0::real END", ""},
	{"f8", "double precision", "CASE @ WHEN 1 THEN 'NaN' WHEN 2 THEN 'Infinity' ELSE (300 - @) * 1e-200 END", ""},
	{"bin", "bytea", "CASE WHEN @ % 3 = 0 THEN '\\x00ff'::bytea ELSE '\\xff' END || decode(to_hex(@ + 4096), 'hex')", ""},
	{"ch", `char(9) COLLATE "C"`, "chr(9 + @ % 5) || CASE @ % 4 WHEN 0 THEN '' ELSE chr(30 + @ % 4) END || @", ""},
	{"nm", "name", "chr(45 + @ % 60) || @", ""},
	{"tm", "time(3)", "CASE @ WHEN 1 THEN '24:00'::time ELSE '00:00'::time + @ * interval '141 s' END", ""},
	{"iv", "interval", "(@ - 300) * interval '1 mon -29 days 1 s'", ""},
	{"ts3", "timestamp(3)", "'1970-01-01'::timestamp + (@ - 300) * interval '1.001 s'", ""},
	{"oids", "oid", "4294967295 - @ * 7", ""},
	{"lang", `text COLLATE "und-x-icu"`, "chr(CASE WHEN @ % 2 = 0 THEN 65 ELSE 97 END + @ % 26) || CASE @ % 3 WHEN 0 THEN '-' WHEN 1 THEN 'é' ELSE '' END || @", `(k COLLATE "C")`},
	{"insensitive", "varchar(20) COLLATE caseless", "chr(CASE WHEN @ % 2 = 0 THEN 65 ELSE 97 END + @ % 26) || @", `(k COLLATE "C" text_ops) INCLUDE (v)`},
}

type keyOrderTable struct{ name, key, of, index string }

// at is the key of a number.
func (o keyOrderTable) at(n string) string { return strings.ReplaceAll(o.of, "@", n) }

// testKeyOrders reads histories in ranges of every type of key whose order is reproduced, a few rows at a time, while rows
// change, come, go and move, with a restart in the middle.
func testKeyOrders(t *testing.T, pg *pgtest.Server) {
	setup := `CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE pair (b boolean, k text COLLATE "und-x-icu", v int, PRIMARY KEY (b, k)); CREATE UNIQUE INDEX ON pair (b, k COLLATE "C");
INSERT INTO pair SELECT x % 2 = 0, chr(65 + x % 2 * 32 + x % 26) || x, x FROM generate_series(1, 600) x;`
	for _, o := range keyOrders {
		setup += fmt.Sprintf("CREATE TABLE %[1]s (k %[2]s PRIMARY KEY, v int); INSERT INTO %[1]s SELECT %[3]s, x FROM generate_series(1, 600) x WHERE x %% 10 <> 9;", o.name, o.key, o.at("x"))
		if o.index != "" {
			setup += fmt.Sprintf("CREATE INDEX ON %s %s;", o.name, o.index)
		}
	}
	w := newWorld(t, pg, setup)
	w.exec("CREATE SOURCE up " + w.with() + "; SET background_ddl = true; SET backfill_rate_limit = 600")
	tables := []string{"pair"}
	for _, o := range keyOrders {
		tables = append(tables, o.name)
	}
	for _, name := range tables {
		if !w.describe(name).Ordered {
			t.Errorf("%s would be read in one go", name)
		}
		w.exec(fmt.Sprintf("CREATE TABLE %[1]s (*) FROM up TABLE '%[1]s'", name))
	}
	for i := range 10 {
		for _, o := range keyOrders {
			w.pg.Exec(fmt.Sprintf(`UPDATE %[1]s SET v = v + 1000 WHERE v %% 10 = %[2]d; DELETE FROM %[1]s WHERE v %% 100 = %[2]d;
INSERT INTO %[1]s SELECT %[3]s, -x FROM (VALUES (%[4]d), (%[5]d)) s(x);
UPDATE %[1]s SET k = %[6]s WHERE v = -%[4]d; INSERT INTO %[1]s VALUES (%[7]s, 0)`,
				o.name, i, o.at("x"), i*20+9, i+601, o.at(strconv.Itoa(i*20+209)), o.at(strconv.Itoa(i*20+409))))
		}
		w.pg.Exec(fmt.Sprintf("UPDATE pair SET b = NOT b, v = -v WHERE v %% 10 = %d; DELETE FROM pair WHERE v %% 70 = %d", i, i))
		if i == 4 {
			w.restart()
		}
	}
	for _, name := range tables {
		w.same("SELECT * FROM " + name)
	}
}

// testKeysInOneGo reads tables whose keys the upstream sorts in a way that is not reproduced, or whose keys are kept in
// another type here.
func testKeysInOneGo(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TYPE mood AS ENUM ('zest', 'calm'); CREATE TABLE e (k mood, n int, PRIMARY KEY (k, n)); INSERT INTO e SELECT 'zest', x FROM generate_series(1, 500) x; INSERT INTO e VALUES ('calm', 0);
CREATE TABLE l (k text COLLATE "und-x-icu" PRIMARY KEY, v int); CREATE INDEX ON l (k COLLATE "C") WHERE v > 0; CREATE INDEX ON l (v, k COLLATE "C"); INSERT INTO l SELECT chr(65 + x % 2 * 32) || x, x FROM generate_series(1, 500) x;
CREATE TABLE i (k int PRIMARY KEY, v int); INSERT INTO i SELECT x, x FROM generate_series(1, 500) x`)
	w.exec("CREATE SOURCE up " + w.with() + "; SET background_ddl = true; SET backfill_rate_limit = 500")
	for _, name := range []string{"e", "l"} {
		if w.describe(name).Ordered {
			t.Errorf("%s would be read in ranges", name)
		}
		w.exec(fmt.Sprintf("CREATE TABLE %[1]s (*) FROM up TABLE '%[1]s'", name))
	}
	w.exec("CREATE TABLE i (k text PRIMARY KEY, v int) FROM up TABLE 'i'")
	for n := range 10 {
		w.pg.Exec(fmt.Sprintf("UPDATE i SET v = v + 1000 WHERE v %% 10 = %[1]d; UPDATE i SET k = -k WHERE k %% 20 = %[1]d; UPDATE l SET v = -v WHERE v %% 10 = %[1]d; DELETE FROM e WHERE n %% 20 = %[1]d", n))
	}
	w.same("SELECT * FROM e")
	w.same("SELECT * FROM l")
	w.follows("SELECT * FROM i", "SELECT k::text, v FROM i")
}

// describe asks the connector for a table of the server.
func (w *world) describe(table string) *connector.Table {
	w.t.Helper()
	up, err := builtin.Systems()[pgcdc.Name].Describe(context.Background(), connector.Options{"connector": pgcdc.Name, "hostname": w.pg.Host,
		"port": strconv.Itoa(w.pg.Port), "username": "postgres", "database.name": "postgres"}, table)
	if err != nil {
		w.t.Fatal(err)
	}
	return up
}
