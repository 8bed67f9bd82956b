package types

import (
	"fmt"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// SQLName returns the type as format_type prints it: integer, character varying(10), timestamp(3) with time zone,
// integer[]. Structs print as RisingWave writes them: struct<a integer, b text>.
func SQLName(t T) string {
	switch t.Kind {
	case KindArray:
		if t.Vector() {
			return vectorFacts(t).name
		}
		return SQLName(*t.Elem) + "[]"
	case KindStruct:
		return structName(t)
	case KindMap:
		return "map(" + SQLName(t.MapKey()) + "," + SQLName(t.MapValue()) + ")"
	case KindVarchar, KindBpchar:
		if t.Width > 0 {
			return fmt.Sprintf("%s(%d)", byKind[t.Kind].sqlName, t.Width)
		}
		if t.Kind == KindBpchar {
			return "bpchar"
		}
	case KindNumeric:
		if t.Width > 0 {
			return fmt.Sprintf("numeric(%d,%d)", t.Width, t.Scale)
		}
	case KindInterval:
		return intervalName(t)
	case KindTime, KindTimestamp, KindTimestamptz:
		if t.Scale > 0 {
			word, rest, _ := strings.Cut(byKind[t.Kind].sqlName, " ")
			return strings.TrimRight(fmt.Sprintf("%s(%d) %s", word, t.Scale-1, rest), " ")
		}
	}
	return byKind[t.Kind].sqlName
}

// BaseName is SQLName without modifiers, as errors name a type.
func BaseName(t T) string {
	switch t.Kind {
	case KindArray:
		if t.Vector() {
			return vectorFacts(t).name
		}
		return BaseName(*t.Elem) + "[]"
	case KindStruct:
		return "record"
	case KindMap:
		return SQLName(t)
	}
	return byKind[t.Kind].sqlName
}

func structName(t T) string {
	if len(t.Fields) == 0 {
		return "record"
	}
	parts := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		parts[i] = strings.TrimLeft(f.Name+" "+SQLName(f.Type), " ")
	}
	return "struct<" + strings.Join(parts, ", ") + ">"
}

// String returns SQLName, for messages and plans.
func (t T) String() string { return SQLName(t) }

// aliases are the names of types beside those of pg_type.
var aliases = map[string]T{
	"boolean": Bool, "smallint": Int2, "int": Int4, "integer": Int4, "bigint": Int8, "real": Float4,
	"double precision": Float8, "double": Float8, "float": Float8, "decimal": Numeric, "dec": Numeric,
	"string": Text, "character varying": Varchar, "character": {Kind: KindBpchar, Width: 1},
	"char": {Kind: KindBpchar, Width: 1}, "bytes": Bytea, "json": JSONB, "jsonpath": Text,
	"time without time zone": Time, "timestamp without time zone": Timestamp,
	"timestamp with time zone": Timestamptz, `"char"`: {Kind: KindChar},
}

// unsupportedTypes are names that other systems know and Tidemark does not have.
var unsupportedTypes = []string{"timetz", "time with time zone", "bit", "varbit", "bit varying", "money", "xml",
	"inet", "cidr", "macaddr", "point", "line", "lseg", "box", "path", "polygon", "circle", "tsvector", "tsquery", "vector",
	"serial", "bigserial", "smallserial"}

// Lookup finds a type by its name in lower case with single blanks: pg_type's names, SQL's and RisingWave's. A name may
// end in [] and carry modifiers, as in varchar(10)[].
func Lookup(name string) (T, error) {
	if elem, ok := strings.CutSuffix(name, "[]"); ok {
		t, err := Lookup(elem)
		return ArrayOf(t), err
	}
	if base, rest, ok := strings.Cut(name, "("); ok {
		args, tail, _ := strings.Cut(rest, ")")
		return lookupModified(strings.TrimSpace(base)+tail, args)
	}
	if t, ok := aliases[name]; ok {
		return t, nil
	}
	for i := range pgTypes {
		if p := &pgTypes[i]; p.name == name && p.kind != KindChar {
			return T{Kind: p.kind}, nil
		}
	}
	for _, v := range vectors {
		if v.name == name {
			return v.t, nil
		}
	}
	if strings.HasPrefix(name, "_") {
		if t, err := Lookup(name[1:]); err == nil {
			return ArrayOf(t), nil
		}
	}
	for _, u := range unsupportedTypes {
		if u == name {
			return T{}, errs.Unsupported.New("feature", "type "+name)
		}
	}
	return T{}, errs.UndefinedType.New("name", name)
}

func lookupModified(base, args string) (T, error) {
	t, err := Lookup(base)
	if err != nil {
		return t, err
	}
	var mods []int32
	for arg := range strings.SplitSeq(args, ",") {
		v, problem := parseInt(strings.TrimSpace(arg), 32)
		if problem != numberOK {
			return t, errs.TypeModifier.New("problem", "invalid input syntax for type integer: \""+arg+"\"")
		}
		mods = append(mods, int32(v))
	}
	return WithMods(t, mods)
}

// Bounds of modifiers, as in PostgreSQL.
const (
	lengthMax        = 10485760
	numericScaleMods = 1000
	timeDigitsMax    = 6
)

// WithMods applies the numbers in parentheses that follow a type's name.
func WithMods(t T, mods []int32) (T, error) {
	if len(mods) == 0 {
		return t, nil
	}
	problem := func(format string, args ...any) (T, error) {
		return t, errs.TypeModifier.New("problem", fmt.Sprintf(format, args...))
	}
	switch t.Kind {
	case KindVarchar, KindBpchar:
		name := map[Kind]string{KindVarchar: "varchar", KindBpchar: "char"}[t.Kind]
		switch {
		case len(mods) > 1:
			return problem("invalid type modifier")
		case mods[0] < 1:
			return problem("length for type %s must be at least 1", name)
		case mods[0] > lengthMax:
			return problem("length for type %s cannot exceed %d", name, lengthMax)
		}
		t.Width = mods[0]
	case KindNumeric:
		mods = append(mods, 0)
		switch {
		case len(mods) > 3:
			return problem("invalid NUMERIC type modifier")
		case mods[0] < 1 || mods[0] > numericPrecMax:
			return problem("NUMERIC precision %d must be between 1 and %d", mods[0], numericPrecMax)
		case mods[1] < -numericScaleMods || mods[1] > numericScaleMods:
			return problem("NUMERIC scale %d must be between -%d and %d", mods[1], numericScaleMods, numericScaleMods)
		}
		t.Width, t.Scale = mods[0], mods[1]
	case KindTime, KindTimestamp, KindTimestamptz, KindInterval:
		if len(mods) > 1 {
			return problem("invalid type modifier")
		}
		if mods[0] < 0 {
			return problem("%s precision must not be negative", strings.ToUpper(SQLName(t)))
		}
		t.Scale = min(mods[0], timeDigitsMax) + 1
	case KindFloat8:
		return floatMods(t, mods[0], problem)
	default:
		return t, errs.TypeModifier.New("problem", fmt.Sprintf("type modifier is not allowed for type \"%s\"", TypeName(t)))
	}
	return t, nil
}

// floatMods makes float(p) a real or a double.
func floatMods(t T, bits int32, problem func(string, ...any) (T, error)) (T, error) {
	switch {
	case bits < 1:
		return problem("precision for type float must be at least 1 bit")
	case bits > 53:
		return problem("precision for type float must be less than 54 bits")
	case bits <= 24:
		return Float4, nil
	}
	return t, nil
}
