package difftest

import (
	"fmt"
	"slices"
)

// Kind is a type that the generator knows.
type Kind int

// The kinds. Those up to the arrays appear in tables.
const (
	Bool Kind = iota
	Int2
	Int4
	Int8
	Float4
	Float8
	Numeric
	Text
	Varchar
	Bpchar // char(4): all of one length, so that equals have one text
	Bytea
	Date
	Time
	Timestamp
	Timestamptz
	Interval
	UUID
	JSONB
	Int4s  // int[]
	Texts  // text[]
	Int8s  // bigint[]
	kindsN // how many there are
)

// SQL is the type's name in a definition.
func (k Kind) SQL() string {
	switch k {
	case Bool:
		return "boolean"
	case Int2:
		return "smallint"
	case Int4:
		return "int"
	case Int8:
		return "bigint"
	case Float4:
		return "real"
	case Float8:
		return "double precision"
	case Numeric:
		return "numeric"
	case Text:
		return "text"
	case Varchar:
		return "varchar"
	case Bpchar:
		return "char(4)"
	case Bytea:
		return "bytea"
	case Date:
		return "date"
	case Time:
		return "time"
	case Timestamp:
		return "timestamp"
	case Timestamptz:
		return "timestamptz"
	case Interval:
		return "interval"
	case UUID:
		return "uuid"
	case JSONB:
		return "jsonb"
	case Int4s:
		return "int[]"
	case Texts:
		return "text[]"
	}
	return "bigint[]"
}

// float tells the kinds whose sums depend on their order.
func (k Kind) float() bool { return k == Float4 || k == Float8 }

// array tells the kinds with elements.
func (k Kind) array() bool { return k == Int4s || k == Texts || k == Int8s }

// elem is the kind of an array's elements.
func (k Kind) elem() Kind {
	switch k {
	case Int4s:
		return Int4
	case Texts:
		return Text
	}
	return Int8
}

// arrayOf is the array of a kind, false where the generator has none.
func arrayOf(k Kind) (Kind, bool) {
	switch k {
	case Int4:
		return Int4s, true
	case Text:
		return Texts, true
	case Int8:
		return Int8s, true
	}
	return 0, false
}

// varies tells the kinds in which equal values may be printed differently once they were computed.
func (k Kind) varies() bool {
	return k == Numeric || k == Interval || k == JSONB || k.float()
}

// ladders are kinds of which PostgreSQL compares each with the others, as values of the later one of two.
var ladders = [][]Kind{{Int2, Int4, Int8, Numeric, Float4, Float8}, {Varchar, Text}, {Date, Timestamp, Timestamptz}}

// common is the kind in which values of two kinds meet, false if they do not.
func common(a, b Kind) (Kind, bool) {
	for _, ladder := range ladders {
		i, j := slices.Index(ladder, a), slices.Index(ladder, b)
		if i < 0 || j < 0 {
			continue
		}
		k := ladder[max(i, j)]
		if k == Float4 && a != b { // the preferred kind of numbers
			k = Float8
		}
		return k, true
	}
	return a, a == b
}

// Literal is the i-th value of a kind, as SQL. Values of one number are equal in all columns, so that joins meet; no two
// values of a kind are equal, so that each has one text.
func (k Kind) Literal(i int) string {
	switch k {
	case Bool:
		return []string{"true", "false"}[i%2]
	case Int2, Int4, Int8:
		return fmt.Sprint(k.integerValue(i))
	case Float4, Float8:
		return "'" + pick(i, []string{"0", "0.25", "-1.5", "2", "3.75", "-7", "1e10", "0.5", "100.125", "NaN", "Infinity", "-Infinity"},
			func(i int) string { return fmt.Sprint(float64(i) * 0.125) }) + "'"
	case Numeric:
		return pick(i, []string{"0", "1", "-1", "0.5", "2.25", "-3.125", "1000000", "12345678901234567890.123", "0.0001", "'NaN'", "1e40", "'-Infinity'", "-99.9", "3e-25", "42"},
			func(i int) string { return fmt.Sprintf("%d.7", i) })
	case Text, Varchar, Bpchar:
		return "'" + pick(i, []string{"", "a", "b", "A", "ab", `a\b`, "a%", "a_c", "it''s", ` "x"`, "10", "日本", "a\n\tb"},
			func(i int) string { return fmt.Sprintf("w%d", i) }) + "'"
	case Bytea:
		return `'\x` + pick(i, []string{"", "00", "ff", "0001", "deadbeef"}, func(i int) string { return fmt.Sprintf("%04x", i+100) }) + "'"
	}
	return k.literalOfTime(i)
}

// integerValue keeps sums and products of a few values inside of the type.
func (k Kind) integerValue(i int) int64 {
	if i == 9 {
		return map[Kind]int64{Int2: 120, Int4: 30000, Int8: 4000000000}[k]
	}
	return int64(i) - 2
}

func (k Kind) literalOfTime(i int) string {
	switch k {
	case Date:
		return "'" + pick(i, []string{"2024-01-31", "2024-02-29", "2023-12-31", "1999-12-31", "infinity", "2024-03-31", "0001-01-01", "-infinity"},
			func(i int) string { return fmt.Sprintf("2024-05-%02d", 1+i%28) }) + "'"
	case Time:
		return "'" + pick(i, []string{"00:00:00", "23:59:59.999999", "12:34:56", "12:34:56.789", "06:00:00"},
			func(i int) string { return fmt.Sprintf("07:%02d:00", i%60) }) + "'"
	case Timestamp, Timestamptz:
		return "'" + pick(i, []string{"2024-01-31 00:00:00", "2024-02-29 12:00:00", "2023-12-31 23:59:59.5", "1970-01-01 00:00:00", "infinity", "2024-03-31 02:30:00",
			"2024-10-27 02:30:00", "-infinity", "1883-11-18 12:00:00.000001"},
			func(i int) string { return fmt.Sprintf("2024-06-%02d %02d:30:00", 1+i%28, i%24) }) + "'"
	case Interval:
		return "'" + pick(i, []string{"00:00:00", "1 day", "-3 hours", "1 mon 2 days 03:04:05", "1 year", "00:00:00.5", "10 days", "-1 mon +1 day", "-00:00:00.000001"},
			func(i int) string { return fmt.Sprintf("%d minutes", i) }) + "'"
	case UUID:
		return fmt.Sprintf("'%08x-0000-4000-8000-%012x'", i*7, i)
	case JSONB:
		return "'" + pick(i, []string{"null", "1", `"a"`, `{"a": 1, "b": [1, 2]}`, "[1, 2, null]", "{}", `{"a": "x\n\u00e9\\", "": {"c": null}}`, `[{"a": 7}, "a"]`, "true", "[]", "2.5", `{"a": "x"}`},
			func(i int) string { return fmt.Sprintf(`{"a": %d}`, i) }) + "'"
	case Texts:
		return "'" + pick(i, []string{"{}", "{a}", "{a,b}", "{NULL}", "{b,NULL,a}", `{"a b","c\"d","",NULL,"null","e\\\\f"}`, `{"{x}"," y"}`}, func(i int) string { return fmt.Sprintf("{w%d,x}", i) }) + "'"
	}
	return "'" + pick(i, []string{"{}", "{1}", "{1,2}", "{NULL}", "{2,NULL,1}"}, func(i int) string { return fmt.Sprintf("{%d,3}", i) }) + "'"
}

// Typed is a literal whose type is known wherever it stands.
func (k Kind) Typed(i int) string {
	if k == Bool || k == Int4 {
		return k.Literal(i)
	}
	return k.Literal(i) + "::" + k.SQL()
}

// pick is the i-th of the given values, then what more says.
func pick(i int, values []string, more func(int) string) string {
	if i < len(values) {
		return values[i]
	}
	return more(i)
}
