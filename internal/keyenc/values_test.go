package keyenc

import (
	"fmt"
	"testing"

	"github.com/tidemark-db/tidemark/internal/types"
	"pgregory.net/rapid"
)

// samples are values whose order or form is easily got wrong, by type.
var samples = map[string][]string{
	"boolean":     {"t", "f"},
	"smallint":    {"0", "-1", "32767", "-32768"},
	"integer":     {"0", "-1", "2147483647", "-2147483648", "255", "256"},
	"bigint":      {"0", "-1", "9223372036854775807", "-9223372036854775808", "127", "128"},
	"real":        {"0", "-0", "1.5", "-1.5", "NaN", "Infinity", "-Infinity"},
	"float8":      {"0", "-0", "1e300", "-1e-300", "4.9e-324", "NaN", "Infinity", "-Infinity"},
	"numeric":     {"0", "0.00", "1", "1.0", "1.00", "10", "0.1", "-0.1", "-1", "-1.50", "99.99", "100", "1e100", "-1e100", "1e-120", "1e-121", "NaN", "Infinity", "-Infinity", "12345678901234567890123", "-9223372036854775808", "1e200", "0.099", "0.0990"},
	"text":        {"", "a", "ab", "b", "ä", "\x01", "a\x01", "z"},
	"varchar(4)":  {"", "a", "ab", "b"},
	"char(3)":     {"", "a", "a ", "ab", "abc"},
	"bytea":       {`\x`, `\x00`, `\x0000`, `\x00ff`, `\x01`, `\xff`, `\xff00`, `\x6100`},
	"date":        {"2000-01-01", "1999-12-31", "infinity", "-infinity", "0044-03-15 BC"},
	"time":        {"00:00", "23:59:59.999999", "24:00"},
	"timestamp":   {"2000-01-01", "1969-07-20 20:17:40", "infinity", "-infinity"},
	"timestamptz": {"2000-01-01+00", "2000-01-01 01:00+01", "infinity"},
	"interval":    {"0", "1 mon", "30 days", "29 days 24:00", "1 day", "24:00", "-1 day", "-24:00:01", "1 year -1 day", "178956970 years", "-178956970 years", "2147483647 days"},
	"uuid":        {"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "00ff0000-0000-0000-0000-000000000001"},
	"jsonb":       {"null", "true", "false", "1", "1.0", "-2", `""`, `"a"`, `"ab"`, "[]", "[[]]", "[1]", "[1, 2]", "[null]", "{}", `{"a": 1}`, `{"a": 1.00}`, `{"b": 1}`, `{"b": 1, "aa": 2}`, `{"a": []}`, `{"a": {}}`},
	"integer[]":   {"{}", "{1}", "{1,2}", "{NULL}", "{1,NULL}", "{2}"},
	"text[]":      {"{}", `{""}`, "{a}", "{a,b}", "{ab}", "{NULL}"},
	"numeric[]":   {"{1.0}", "{1}", "{1,2}", "{NaN}"},
}

// sampleTypes are the names in samples and a struct, in a fixed order.
func sampleTypes(t *testing.T) (names []string, byName map[string]types.T) {
	byName = map[string]types.T{}
	for _, name := range []string{"boolean", "smallint", "integer", "bigint", "real", "float8", "numeric", "text", "varchar(4)",
		"char(3)", "bytea", "date", "time", "timestamp", "timestamptz", "interval", "uuid", "jsonb", "integer[]", "text[]", "numeric[]"} {
		typ, err := types.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		byName[name] = typ
		names = append(names, name)
	}
	byName["struct"] = types.StructOf(types.Field{Name: "a", Type: types.Int4}, types.Field{Name: "b", Type: types.Numeric})
	return append(names, "struct"), byName
}

// drawDatum draws a value of the type, sometimes NULL.
func drawDatum(r *rapid.T, name string, t types.T) types.Datum {
	if rapid.IntRange(0, 9).Draw(r, "null") == 0 {
		return types.Null
	}
	text := ""
	switch name {
	case "struct":
		fields := []types.Datum{
			drawDatum(r, "integer", types.Int4),
			drawDatum(r, "numeric", types.Numeric),
		}
		return types.NewStruct(t, fields)
	case "numeric":
		if rapid.Bool().Draw(r, "random") {
			text = fmt.Sprintf("%de%d", rapid.Int64().Draw(r, "coef"), rapid.IntRange(-25, 25).Draw(r, "exp"))
		}
	case "bigint":
		if rapid.Bool().Draw(r, "random") {
			return types.NewInt(rapid.Int64().Draw(r, "int"))
		}
	case "float8":
		if rapid.Bool().Draw(r, "random") {
			return types.NewFloat(rapid.Float64().Draw(r, "float"))
		}
	case "bytea":
		if rapid.Bool().Draw(r, "random") {
			return types.NewBytes(string(rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 0xfe, 0xff}), 0, 5).Draw(r, "bytes")))
		}
	case "interval":
		if rapid.Bool().Draw(r, "random") {
			return types.NewInterval(types.Iv{
				Months: rapid.Int32().Draw(r, "months"), Days: rapid.Int32().Draw(r, "days"), Micros: rapid.Int64().Draw(r, "micros"),
			})
		}
	}
	if text == "" {
		text = rapid.SampledFrom(samples[name]).Draw(r, "text")
	}
	d, err := types.Parse(t, text, types.Ctx{})
	if err != nil {
		r.Fatal(err)
	}
	return d
}
