package types

// PostgreSQL's object identifiers of the types.
const (
	oidUnknown = 705
	oidRecord  = 2249
	oidRecords = 2287 // array of record
)

// pgType is what PostgreSQL's pg_type says of a kind.
type pgType struct {
	kind     Kind
	oid      uint32
	arrayOID uint32
	size     int16
	name     string // pg_type.typname
	sqlName  string
}

// pgTypes lists the kinds that have one entry in pg_type each.
var pgTypes = [...]pgType{
	{KindBool, 16, 1000, 1, "bool", "boolean"},
	{KindBytea, 17, 1001, -1, "bytea", "bytea"},
	{KindChar, 18, 1002, 1, "char", `"char"`},
	{KindName, 19, 1003, 64, "name", "name"},
	{KindInt8, 20, 1016, 8, "int8", "bigint"},
	{KindInt2, 21, 1005, 2, "int2", "smallint"},
	{KindInt4, 23, 1007, 4, "int4", "integer"},
	{KindRegproc, 24, 1008, 4, "regproc", "regproc"},
	{KindText, 25, 1009, -1, "text", "text"},
	{KindOid, 26, 1028, 4, "oid", "oid"},
	{KindFloat4, 700, 1021, 4, "float4", "real"},
	{KindFloat8, 701, 1022, 8, "float8", "double precision"},
	{KindUnknown, oidUnknown, 0, -2, "unknown", "unknown"},
	{KindBpchar, 1042, 1014, -1, "bpchar", "character"},
	{KindVarchar, 1043, 1015, -1, "varchar", "character varying"},
	{KindDate, 1082, 1182, 4, "date", "date"},
	{KindTime, 1083, 1183, 8, "time", "time without time zone"},
	{KindTimestamp, 1114, 1115, 8, "timestamp", "timestamp without time zone"},
	{KindTimestamptz, 1184, 1185, 8, "timestamptz", "timestamp with time zone"},
	{KindInterval, 1186, 1187, 16, "interval", "interval"},
	{KindNumeric, 1700, 1231, -1, "numeric", "numeric"},
	{KindRegclass, 2205, 2210, 4, "regclass", "regclass"},
	{KindRegtype, 2206, 2211, 4, "regtype", "regtype"},
	{KindStruct, oidRecord, oidRecords, -1, "record", "record"},
	{KindVoid, 2278, 0, 4, "void", "void"},
	{KindUUID, 2950, 2951, 16, "uuid", "uuid"},
	{KindJSONB, 3802, 3807, -1, "jsonb", "jsonb"},
	{KindRegnamespace, 4089, 4090, 4, "regnamespace", "regnamespace"},
	{KindInt256, 1301, 1302, -1, "rw_int256", "rw_int256"}, // RisingWave's identifiers
}

// byKind indexes pgTypes.
var byKind = func() (index [KindInt256 + 1]*pgType) {
	for i := range pgTypes {
		index[pgTypes[i].kind] = &pgTypes[i]
	}
	return index
}()

// innermost returns the element type below all array levels: PostgreSQL has one array type whatever the dimensions.
func innermost(t T) T {
	for t.Kind == KindArray {
		t = *t.Elem
	}
	return t
}

// entry is what pg_type says of a type that is no array. A map is text for those who ask PostgreSQL's catalog.
func entry(t T) *pgType {
	if t.Kind == KindMap {
		return byKind[KindText]
	}
	return byKind[t.Kind]
}

// OID returns PostgreSQL's identifier of the type.
func OID(t T) uint32 {
	switch {
	case t.Vector():
		return vectorFacts(t).oid
	case t.Kind == KindArray && t.Elem.Vector():
		return vectorFacts(*t.Elem).arrayOID
	case t.Kind == KindArray:
		return entry(innermost(t)).arrayOID
	}
	return entry(t).oid
}

// FromOID returns the type with the identifier, without modifiers. json reads as jsonb.
func FromOID(oid uint32) (T, bool) {
	const oidJSON, oidJSONs = 114, 199
	switch oid {
	case oidJSON:
		return JSONB, true
	case oidJSONs:
		return ArrayOf(JSONB), true
	case 0:
		return Unknown, true
	}
	for i := range pgTypes {
		switch p := &pgTypes[i]; oid {
		case p.oid:
			return T{Kind: p.kind}, true
		case p.arrayOID:
			return ArrayOf(T{Kind: p.kind}), true
		}
	}
	for _, v := range vectors {
		switch oid {
		case v.oid:
			return v.t, true
		case v.arrayOID:
			return ArrayOf(v.t), true
		}
	}
	return T{}, false
}

// Size returns pg_type.typlen: the bytes of fixed-width types, else -1.
func Size(t T) int16 {
	if t.Kind == KindArray {
		return -1
	}
	return entry(t).size
}

// TypeName returns pg_type.typname, such as int4 or _int4.
func TypeName(t T) string {
	switch {
	case t.Vector():
		return vectorFacts(t).name
	case t.Kind == KindArray && t.Elem.Vector():
		return "_" + vectorFacts(*t.Elem).name
	case t.Kind == KindArray:
		return "_" + entry(innermost(t)).name
	}
	return entry(t).name
}

// Typmod returns pg_attribute.atttypmod, -1 without modifiers.
func Typmod(t T) int32 {
	const header = 4 // PostgreSQL counts a length word
	t = innermost(t)
	switch t.Kind {
	case KindVarchar, KindBpchar:
		if t.Width > 0 {
			return t.Width + header
		}
	case KindNumeric:
		if t.Width > 0 {
			return t.Width<<16 | t.Scale&0x7ff + header
		}
	case KindTime, KindTimestamp, KindTimestamptz:
		return t.Scale - 1
	case KindInterval:
		return intervalTypmod(t)
	}
	return -1
}

// WithTypmod is the inverse of Typmod.
func WithTypmod(t T, typmod int32) T {
	const header = 4
	if t.Kind == KindArray {
		return ArrayOf(WithTypmod(*t.Elem, typmod))
	}
	switch t.Kind {
	case KindVarchar, KindBpchar:
		t.Width = max(typmod-header, 0)
	case KindNumeric:
		if typmod >= header {
			t.Width = (typmod - header) >> 16
			t.Scale = ((typmod-header)&0x7ff ^ 1024) - 1024
		}
	case KindTime, KindTimestamp, KindTimestamptz:
		t.Scale = max(typmod, -1) + 1
	case KindInterval:
		return withIntervalTypmod(t, typmod)
	}
	return t
}
