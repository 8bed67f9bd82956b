package types

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// The fields of an interval are part of its type; WithTypmod finds them again.
func TestIntervalFields(t *testing.T) {
	for _, c := range []struct {
		fields, sql string
		digits      int32
		typmod      int32
	}{
		{"", "interval", -1, -1},
		{"", "interval(3)", 3, 0x7fff<<16 | 3},
		{"minute", "interval minute", -1, 1<<27 | 0xffff},
		{"year to month", "interval year to month", -1, 6<<16 | 0xffff},
		{"day to second", "interval day to second(2)", 2, 0x1c08<<16 | 2},
	} {
		typ := WithIntervalFields(Interval, c.fields)
		typ.Scale = c.digits + 1
		if SQLName(typ) != c.sql || Typmod(typ) != c.typmod {
			t.Errorf("%s: %s, typmod %d; want %+v", c.fields, SQLName(typ), Typmod(typ), c)
		}
		if back := WithTypmod(Interval, c.typmod); !back.Equal(typ) {
			t.Errorf("%s: typmod %d is of %s", c.fields, c.typmod, SQLName(back))
		}
	}
}

// Names, identifiers and modifiers are PostgreSQL's: format_type(oid, typmod) and pg_type.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		in, sql string
		oid     uint32
		typmod  int32
		size    int16
	}{
		{"int", "integer", 23, -1, 4},
		{"int4", "integer", 23, -1, 4},
		{"bigint", "bigint", 20, -1, 8},
		{"smallint", "smallint", 21, -1, 2},
		{"float", "double precision", 701, -1, 8},
		{"float(24)", "real", 700, -1, 4},
		{"double precision", "double precision", 701, -1, 8},
		{"decimal", "numeric", 1700, -1, -1},
		{"numeric(10,2)", "numeric(10,2)", 1700, 655366, -1},
		{"numeric(5)", "numeric(5,0)", 1700, 327684, -1},
		{"numeric(2,-3)", "numeric(2,-3)", 1700, 133121, -1},
		{"varchar(10)", "character varying(10)", 1043, 14, -1},
		{"varchar", "character varying", 1043, -1, -1},
		{"char", "character(1)", 1042, 5, -1},
		{"char(3)", "character(3)", 1042, 7, -1},
		{"bpchar", "bpchar", 1042, -1, -1},
		{`"char"`, `"char"`, 18, -1, 1},
		{"string", "text", 25, -1, -1},
		{"timestamp", "timestamp without time zone", 1114, -1, 8},
		{"timestamptz(3)", "timestamp(3) with time zone", 1184, 3, 8},
		{"time(0)", "time(0) without time zone", 1083, 0, 8},
		{"interval", "interval", 1186, -1, 16},
		{"int[]", "integer[]", 1007, -1, -1},
		{"int[][]", "integer[][]", 1007, -1, -1},
		{"_text", "text[]", 1009, -1, -1},
		{"varchar(10)[]", "character varying(10)[]", 1015, 14, -1},
		{"uuid", "uuid", 2950, -1, 16},
		{"jsonb", "jsonb", 3802, -1, -1},
		{"bytea", "bytea", 17, -1, -1},
		{"name", "name", 19, -1, 64},
		{"regclass", "regclass", 2205, -1, 4},
		{"rw_int256", "rw_int256", 1301, -1, -1},
	} {
		typ, err := Lookup(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if SQLName(typ) != c.sql || OID(typ) != c.oid || Typmod(typ) != c.typmod || Size(typ) != c.size {
			t.Errorf("%s: %s, oid %d, typmod %d, size %d; want %+v", c.in, SQLName(typ), OID(typ), Typmod(typ), Size(typ), c)
		}
		back, ok := FromOID(c.oid)
		if !ok || OID(back) != c.oid {
			t.Errorf("%s: oid %d is of %s", c.in, c.oid, back)
		}
		if typ.Kind != KindArray && !WithTypmod(back, c.typmod).Equal(typ) {
			t.Errorf("%s: oid and typmod give %s", c.in, WithTypmod(back, c.typmod))
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for in, want := range map[string]*errs.Entry{
		"foo":             errs.UndefinedType,
		"numeric(0)":      errs.TypeModifier,
		"numeric(1001)":   errs.TypeModifier,
		"numeric(5,1001)": errs.TypeModifier,
		"varchar(0)":      errs.TypeModifier,
		"char(99999999)":  errs.TypeModifier,
		"int(4)":          errs.TypeModifier,
		"float(54)":       errs.TypeModifier,
	} {
		if typ, err := Lookup(in); !errs.Of(err, want) {
			t.Errorf("%s: %s, %v; want %s", in, typ, err, want.Code)
		}
	}
}

// The name of a struct says its fields.
func TestStructName(t *testing.T) {
	s := StructOf(Field{"a", Int4}, Field{"b", ArrayOf(Text)})
	if got := SQLName(s); got != "struct<a integer, b text[]>" {
		t.Error(got)
	}
}
