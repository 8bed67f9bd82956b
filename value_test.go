package tidemark_test

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark"
)

func TestValuesAreGoValues(t *testing.T) {
	db := open(t, tidemark.Memory)
	utc := func(y, m, d, h int) time.Time { return time.Date(y, time.Month(m), d, h, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		sql  string
		want any
	}{
		{"null::int", nil}, {"true", true}, {"1::smallint", int64(1)}, {"2", int64(2)}, {"3::bigint", int64(3)}, {"26::oid", int64(26)},
		{"1.5::real", 1.5}, {"'nan'::float8", math.NaN()}, {"1.50", "1.50"}, {"'a'::char(3)", "a  "}, {"'x'::varchar", "x"},
		{`'\x00ff'::bytea`, []byte{0, 255}}, {"date '2024-02-29'", utc(2024, 2, 29, 0)}, {"date '0001-01-01 BC'", utc(0, 1, 1, 0)},
		{"date 'infinity'", "infinity"}, {"timestamp '2024-02-29 12:00'", utc(2024, 2, 29, 12)}, {"timestamptz '2024-02-29 12:00+02'", utc(2024, 2, 29, 10)},
		{"timestamptz '-infinity'", "-infinity"}, {"time '12:00'", "12:00:00"}, {"interval '1 day 2 hours'", "1 day 02:00:00"},
		{`'{"b":1,"a":[2]}'::jsonb`, `{"a": [2], "b": 1}`}, {"array[1,null,3]", []any{int64(1), nil, int64(3)}}, {"array['a','b']", []any{"a", "b"}},
		{"'00000000-0000-0000-0000-000000000001'::uuid", "00000000-0000-0000-0000-000000000001"},
	} {
		rs, err := db.Query(t.Context(), "select "+c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		rs.Next()
		v, err := rs.Values()
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
		} else if f, ok := v[0].(float64); !(ok && math.IsNaN(f)) && !reflect.DeepEqual(v[0], c.want) {
			t.Errorf("%s: %#v, want %#v", c.sql, v[0], c.want)
		}
		rs.Close()
	}
}

// valuer is an argument that makes its own value.
type valuer struct{ v any }

func (v valuer) Value() (driver.Value, error) { return v.v, nil }

type word string

func TestArgumentsMeanWhatTheirTextMeans(t *testing.T) {
	db := open(t, tidemark.Memory)
	five, berlin := 5, time.FixedZone("", 3600)
	at := time.Date(2024, 2, 29, 23, 30, 0, 5000, berlin)
	for _, c := range []struct {
		typ  string
		arg  any
		want string
	}{
		{"int", 7, "7"}, {"int", int8(-7), "-7"}, {"bigint", uint64(1) << 62, "4611686018427387904"}, {"int", &five, "5"}, {"int", (*int)(nil), "NULL"},
		{"int", nil, "NULL"}, {"int", "12", "12"}, {"float8", 1e300, "1e+300"}, {"real", float32(0.1), "0.1"}, {"numeric", 0.1, "0.1"}, {"float8", math.Inf(-1), "-Infinity"},
		{"boolean", true, "t"}, {"text", word("a'b"), "a'b"}, {"text", []byte("xyz"), "xyz"}, {"bytea", []byte{1, 0}, `\x0100`}, {"bytea", []byte(nil), "NULL"},
		{"timestamptz", at, "2024-02-29 22:30:00.000005+00"}, {"timestamp", at, "2024-02-29 23:30:00.000005"}, {"date", at, "2024-02-29"}, {"time", at, "23:30:00.000005"},
		{"date", time.Date(-43, 3, 15, 0, 0, 0, 0, time.UTC), "0044-03-15 BC"}, {"interval", time.Duration(90) * time.Minute, "01:30:00"},
		{"int[]", []int{1, 2}, "{1,2}"}, {"text[]", []any{"a\"b", nil, `c\d`, ""}, `{"a\"b",NULL,"c\\d",""}`}, {"text[]", []string{}, "{}"}, {"date[]", []time.Time{at}, "{2024-02-29}"},
		{"int", valuer{int64(3)}, "3"}, {"int", valuer{nil}, "NULL"}, {"int", sql.NullInt64{}, "NULL"}, {"text", sql.NullString{String: "s", Valid: true}, "s"},
		{"jsonb", `{"a":1}`, `{"a": 1}`},
	} {
		var got *string
		if err := db.QueryRow(t.Context(), "select $1::"+c.typ, c.arg).Scan(&got); err != nil {
			t.Errorf("%s of %#v: %v", c.typ, c.arg, err)
			continue
		}
		text := "NULL"
		if got != nil {
			text = *got
		}
		if text != c.want {
			t.Errorf("%s of %#v: %s, want %s", c.typ, c.arg, text, c.want)
		}
	}
	if err := db.QueryRow(t.Context(), "select $1::int", "x").Scan(&five); state(err) != "22P02" {
		t.Error(err)
	}
}

func TestScan(t *testing.T) {
	db := open(t, tidemark.Memory)
	scan := func(sql string, dest any) error { return db.QueryRow(t.Context(), "select "+sql).Scan(dest) }
	for _, c := range []struct {
		sql        string
		dest, want any
	}{
		{"1", new(int8), int8(1)}, {"1", new(uint), uint(1)}, {"1", new(float32), float32(1)}, {"1", new(string), "1"}, {"1", new(any), int64(1)},
		{"1.5", new(float64), 1.5}, {"15.0::numeric(3,0)", new(int), 15}, {"true", new(bool), true}, {"true", new(string), "t"}, {"'x'", new(word), word("x")},
		{"'xyz'", new([]byte), []byte("xyz")}, {"array[1,2]", new([]int), []int{1, 2}}, {"array[1,null]", new([]any), []any{int64(1), nil}}, {"array[1,2]", new(string), "{1,2}"},
		{"null", new(any), nil}, {"null::int", new(*int), (*int)(nil)}, {"null", new(sql.NullString), sql.NullString{}}, {"7", new(sql.NullInt64), sql.NullInt64{Int64: 7, Valid: true}},
		{"array[1]", new(sql.NullString), sql.NullString{String: "{1}", Valid: true}}, {"date '2024-01-01'", new(string), "2024-01-01"},
	} {
		if err := scan(c.sql, c.dest); err != nil {
			t.Errorf("%s into %T: %v", c.sql, c.dest, err)
		} else if got := reflect.ValueOf(c.dest).Elem().Interface(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s into %T: %#v, want %#v", c.sql, c.dest, got, c.want)
		}
	}
	for _, c := range []struct {
		sql  string
		dest any
		why  string
	}{
		{"300", new(int8), "out of range"}, {"-1", new(uint), "out of range"}, {"null", new(string), "NULL"}, {"1", 5, "no pointer"}, {"1", new(bool), "differ"},
		{"'x'", new(int), "invalid syntax"}, {"1.5", new(int), "invalid syntax"}, {"now()", new(int), "differ"}, {"array[1,null]", new([]int), "element 2"}, {"1", new([]int), "differ"},
		{"true", new(int), "differ"}, {"1.5::float8", new(int), "differ"}, {"'x'::bytea", new(bool), "differ"},
	} {
		err := scan(c.sql, c.dest)
		if code(err) != "TM-EM-008" || !strings.Contains(fmt.Sprintf("%+v", detail(err)), c.why) {
			t.Errorf("%s into %T: %v (%s), want %s", c.sql, c.dest, err, detail(err), c.why)
		}
	}
	rs, err := db.Query(t.Context(), "select 1, 2")
	if err != nil {
		t.Fatal(err)
	}
	defer rs.Close()
	var a, b int
	if err := rs.Scan(&a, &b); code(err) != "TM-EM-009" {
		t.Error("before Next:", err)
	}
	rs.Next()
	if err := rs.Scan(&a); code(err) != "TM-EM-009" {
		t.Error("one of two:", err)
	}
}
