package keyenc

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
	"pgregory.net/rapid"
)

var orders = []Order{{}, {NullsFirst: true}, {Desc: true}, {Desc: true, NullsFirst: true}}

// compareOrder is what the order of keys must be.
func compareOrder(t types.T, a, b types.Datum, o Order) int {
	nulls := 1
	if o.NullsFirst {
		nulls = -1
	}
	switch {
	case a.IsNull() && b.IsNull():
		return 0
	case a.IsNull():
		return nulls
	case b.IsNull():
		return -nulls
	case o.Desc:
		return types.Compare(t, b, a)
	}
	return types.Compare(t, a, b)
}

func sign(v int) int { return min(max(v, -1), 1) }

// Keys order as values do, alone and with another column after them; equal values have one key.
func TestKeyOrder(t *testing.T) {
	names, byName := sampleTypes(t)
	for _, name := range names {
		typ := byName[name]
		t.Run(name, rapid.MakeCheck(func(r *rapid.T) {
			a, b := drawDatum(r, name, typ), drawDatum(r, name, typ)
			for _, o := range orders {
				want := sign(compareOrder(typ, a, b, o))
				x, y := AppendKey(nil, typ, a, o), AppendKey(nil, typ, b, o)
				if got := bytes.Compare(x, y); got != want {
					r.Fatalf("%+v: keys %x, %x compare %d, want %d", o, x, y, got, want)
				}
				if want == 0 {
					continue
				}
				if got := bytes.Compare(append(x, 0xff), append(y, 0)); got != want {
					r.Fatalf("%+v: a key is a prefix of another: %x, %x", o, x, y)
				}
			}
		}))
	}
}

// A decoded key is a value with the same key, and what follows the key is left.
func TestDecodeKey(t *testing.T) {
	names, byName := sampleTypes(t)
	for _, name := range names {
		typ := byName[name]
		t.Run(name, rapid.MakeCheck(func(r *rapid.T) {
			d := drawDatum(r, name, typ)
			for _, o := range orders {
				key := AppendKey(nil, typ, d, o)
				got, rest, err := DecodeKey(typ, append(bytes.Clone(key), "rest"...), o)
				if err != nil {
					r.Fatal(err)
				}
				if string(rest) != "rest" {
					r.Fatalf("left %q", rest)
				}
				if again := AppendKey(nil, typ, got, o); !bytes.Equal(again, key) {
					r.Fatalf("%+v: %x decodes to the key %x", o, key, again)
				}
			}
		}))
	}
}

func TestKeyVec(t *testing.T) {
	names, byName := sampleTypes(t)
	for _, name := range names {
		typ := byName[name]
		t.Run(name, rapid.MakeCheck(func(r *rapid.T) {
			d := drawDatum(r, name, typ)
			v := chunk.NewVec(typ, 1)
			v.Append(d)
			for _, o := range orders {
				if a, b := AppendKey(nil, typ, d, o), AppendKeyVec(nil, v, 0, o); !bytes.Equal(a, b) {
					r.Fatalf("%x from the datum, %x from the column", a, b)
				}
			}
		}))
	}
}

// A value of a type with a scale or length reads back in that form.
func TestDecodeKeyModifiers(t *testing.T) {
	for _, c := range []struct{ typ, in, want string }{
		{"numeric(10,2)", "1.5", "1.50"},
		{"numeric", "1.50", "1.5"},
		{"numeric", "100", "100"},
		{"char(4)", "a", "a   "},
		{"interval", "40 days 25:00", "1 mon 11 days 01:00:00"},
		{"interval", "-40 days", "-1 mons -10 days"},
		{"float8", "-0", "0"},
		{"jsonb", `{"b": [1.50, null], "aa": {}}`, `{"b": [1.5, null], "aa": {}}`},
	} {
		typ, err := types.Lookup(c.typ)
		if err != nil {
			t.Fatal(err)
		}
		d, err := types.Parse(typ, c.in, types.Ctx{})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := DecodeKey(typ, AppendKey(nil, typ, d, Order{}), Order{})
		if err != nil {
			t.Fatal(err)
		}
		if text := types.Format(typ, got, types.Ctx{}); text != c.want {
			t.Errorf("%s %s reads back as %s, want %s", c.typ, c.in, text, c.want)
		}
	}
}

func FuzzDecodeKey(f *testing.F) {
	ts := fuzzTypes()
	for i, t := range ts {
		f.Add(byte(i), AppendKey(nil, t, types.Null, Order{}))
		f.Add(byte(i), []byte{notNull, 4, 130, 2, 0, 1, 7, 0, 0, 0, 1})
	}
	f.Fuzz(func(t *testing.T, kind byte, b []byte) {
		typ := ts[int(kind)%len(ts)]
		for _, o := range orders {
			d, rest, err := DecodeKey(typ, b, o)
			if err != nil {
				if !errs.Of(err, errs.RowCorrupt) {
					t.Fatalf("not TM-ENC-001: %v", err)
				}
				continue
			}
			if len(rest) >= len(b) {
				t.Fatal("nothing was read")
			}
			AppendKey(nil, typ, d, o)
		}
	})
}

// fuzzTypes has one type of each encoding.
func fuzzTypes() []types.T {
	return []types.T{types.Bool, types.Int8, types.Float8, types.Text, types.Numeric, types.Interval, types.UUID, types.JSONB,
		types.ArrayOf(types.Numeric), types.StructOf(types.Field{Name: "a", Type: types.Text}, types.Field{Name: "b", Type: types.Bool}),
		{Kind: types.KindBpchar, Width: 5}}
}

func BenchmarkAppendKeyVec(b *testing.B) {
	for _, name := range []string{"bigint", "float8", "text", "numeric"} {
		b.Run(name, func(b *testing.B) {
			v := benchVec(b, name)
			dst := make([]byte, 0, 256)
			for i := 0; b.Loop(); i++ {
				dst = AppendKeyVec(dst[:0], v, i%chunk.RowsMax, Order{})
			}
		})
	}
}

// benchVec is a column of typical values.
func benchVec(b *testing.B, name string) *chunk.Vec {
	typ, err := types.Lookup(name)
	if err != nil {
		b.Fatal(err)
	}
	v := chunk.NewVec(typ, chunk.RowsMax)
	rng := rand.New(rand.NewSource(1))
	for range chunk.RowsMax {
		d, err := types.Parse(typ, fmt.Sprint(rng.Intn(1_000_000)), types.Ctx{})
		if err != nil {
			b.Fatal(err)
		}
		v.Append(d)
	}
	return v
}
