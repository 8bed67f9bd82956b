package types

import "testing"

// fuzzTypes has one type of each notation.
var fuzzTypes = []T{Bool, Int2, Int8, Oid, Float4, Float8, Numeric, {Kind: KindNumeric, Width: 5, Scale: 2}, {Kind: KindBpchar, Width: 3}, Bytea, UUID, Date, Time,
	Timestamp, Timestamptz, Interval, JSONB, ArrayOf(Text), ArrayOf(ArrayOf(Int4)), StructOf(Field{"a", Int4}, Field{"b", Text})}

// Any text is a value or an error, and what a value prints reads back as the same value, by text and by wire.
func FuzzParse(f *testing.F) {
	for i := range fuzzTypes {
		f.Add(byte(i), "2024-02-29 12:30:45.5+02")
		f.Add(byte(i), "1 year -2 days 3:04")
		f.Add(byte(i), `{"a": [1.50, "x"]}`)
		f.Add(byte(i), `{{1,NULL},{"3",4}}`)
		f.Add(byte(i), `(1,"a ""b")`)
		f.Add(byte(i), "-1.5e3")
	}
	f.Fuzz(func(t *testing.T, kind byte, text string) {
		typ := fuzzTypes[int(kind)%len(fuzzTypes)]
		d, err := Parse(typ, text, Ctx{})
		if err != nil {
			return
		}
		printed := Format(typ, d, Ctx{})
		again, err := Parse(typ, printed, Ctx{})
		if err != nil || again != d {
			t.Fatalf("%s %q prints as %q, which reads as %v, %v", typ, text, printed, again, err)
		}
		AppendBinary(nil, typ, d)
		if Compare(typ, d, again) != 0 {
			t.Fatalf("%s %q is not equal to itself", typ, text)
		}
	})
}

// Any bytes are a value or an error, and a value's bytes read back as the same value.
func FuzzParseBinary(f *testing.F) {
	for i, typ := range fuzzTypes {
		for _, text := range []string{"1", "2024-02-29", "{1,2}", `{{1}}`, "(1,a)", "t", "-1.50"} {
			if d, err := Parse(typ, text, Ctx{}); err == nil {
				f.Add(byte(i), AppendBinary(nil, typ, d))
			}
		}
	}
	f.Fuzz(func(t *testing.T, kind byte, b []byte) {
		typ := fuzzTypes[int(kind)%len(fuzzTypes)]
		d, err := ParseBinary(typ, b)
		if err != nil {
			return
		}
		Format(typ, d, Ctx{})
		again, err := ParseBinary(typ, AppendBinary(nil, typ, d))
		if err != nil || again != d {
			t.Fatalf("%s %x reads as %v, then as %v: %v", typ, b, d, again, err)
		}
	})
}
