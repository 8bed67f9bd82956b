package pgcatalog

import "github.com/tidemark-db/tidemark/internal/types"

// typeFact is what PostgreSQL's pg_type says of a kind beside its name, oid and size.
type typeFact struct {
	kind      types.Kind
	category  string
	align     string
	storage   string
	collation int
	input     int // oid of the input function; that of the output function where it is not the next
	output    int
	receive   int    // oid of the binary input function; that of the output function is the next, but for jsonb's
	io        string // names of all four, less in, out, recv and send
	size      int
	byValue   bool
	preferred bool
	pseudo    bool
}

const (
	arrayInput   = 750
	arrayOutput  = 751
	arrayReceive = 2400
	jsonbSend    = 3803
)

var typeTable = []typeFact{
	{kind: types.KindBool, category: "B", align: "c", input: 1242, output: 1243, receive: 2436, io: "bool", byValue: true, preferred: true},
	{kind: types.KindBytea, category: "U", align: "i", storage: "x", input: 1244, output: 31, receive: 2412, io: "bytea"},
	{kind: types.KindChar, category: "Z", align: "c", input: 1245, output: 33, receive: 2434, io: "char", byValue: true},
	{kind: types.KindName, category: "S", align: "c", collation: cCollation, input: 34, output: 35, receive: 2422, io: "name"},
	{kind: types.KindInt8, category: "N", align: "d", input: 460, output: 461, receive: 2408, io: "int8", byValue: true},
	{kind: types.KindInt2, category: "N", align: "s", input: 38, output: 39, receive: 2404, io: "int2", byValue: true},
	{kind: types.KindInt4, category: "N", align: "i", input: 42, output: 43, receive: 2406, io: "int4", byValue: true},
	{kind: types.KindRegproc, category: "N", align: "i", input: 44, output: 45, receive: 2444, io: "regproc", byValue: true},
	{kind: types.KindText, category: "S", align: "i", storage: "x", collation: defaultCollation, input: 46, output: 47, receive: 2414, io: "text", preferred: true},
	{kind: types.KindOid, category: "N", align: "i", input: 1798, output: 1799, receive: 2418, io: "oid", byValue: true, preferred: true},
	{kind: types.KindFloat4, category: "N", align: "i", input: 200, output: 201, receive: 2424, io: "float4", byValue: true},
	{kind: types.KindFloat8, category: "N", align: "d", input: 214, output: 215, receive: 2426, io: "float8", byValue: true, preferred: true},
	{kind: types.KindUnknown, category: "X", align: "c", input: 109, output: 110, receive: 2416, io: "unknown", pseudo: true},
	{kind: types.KindBpchar, category: "S", align: "i", storage: "x", collation: defaultCollation, input: 1044, output: 1045, receive: 2430, io: "bpchar"},
	{kind: types.KindVarchar, category: "S", align: "i", storage: "x", collation: defaultCollation, input: 1046, output: 1047, receive: 2432, io: "varchar"},
	{kind: types.KindDate, category: "D", align: "i", input: 1084, output: 1085, receive: 2468, io: "date_", byValue: true},
	{kind: types.KindTime, category: "D", align: "d", input: 1143, output: 1144, receive: 2470, io: "time_", byValue: true},
	{kind: types.KindTimestamp, category: "D", align: "d", input: 1312, output: 1313, receive: 2474, io: "timestamp_", byValue: true},
	{kind: types.KindTimestamptz, category: "D", align: "d", input: 1150, output: 1151, receive: 2476, io: "timestamptz_", byValue: true, preferred: true},
	{kind: types.KindInterval, category: "T", align: "d", input: 1160, output: 1161, receive: 2478, io: "interval_", preferred: true},
	{kind: types.KindNumeric, category: "N", align: "i", storage: "m", input: 1701, output: 1702, receive: 2460, io: "numeric_"},
	{kind: types.KindRegclass, category: "N", align: "i", input: 2218, output: 2219, receive: 2452, io: "regclass", byValue: true},
	{kind: types.KindRegtype, category: "N", align: "i", input: 2220, output: 2221, receive: 2454, io: "regtype", byValue: true},
	{kind: types.KindStruct, category: "P", align: "d", storage: "x", input: 2290, output: 2291, receive: 2402, io: "record_", pseudo: true},
	{kind: types.KindVoid, category: "P", align: "i", input: 2298, output: 2299, receive: 3120, io: "void_", byValue: true, pseudo: true},
	{kind: types.KindUUID, category: "U", align: "c", input: 2952, output: 2953, receive: 2961, io: "uuid_"},
	{kind: types.KindJSONB, category: "U", align: "i", storage: "x", input: 3806, output: 3804, receive: 3805, io: "jsonb_"},
	{kind: types.KindRegnamespace, category: "N", align: "i", input: 4084, output: 4085, receive: 4087, io: "regnamespace", byValue: true},
}

// typeFacts finds the facts of a type.
func typeFacts(t types.T) typeFact {
	switch {
	case t.Equal(types.Int2Vector):
		return typeFact{kind: t.Kind, category: "A", align: "i", storage: "p", input: 40, output: 41, receive: 2410, io: "int2vector", size: -1}
	case t.Equal(types.OidVector):
		return typeFact{kind: t.Kind, category: "A", align: "i", storage: "p", input: 54, output: 55, receive: 2420, io: "oidvector", size: -1}
	}
	if t.Kind == types.KindArray {
		elem := typeFacts(*t.Elem)
		align := "i"
		if elem.align == "d" {
			align = "d"
		}
		return typeFact{kind: t.Kind, category: "A", align: align, storage: "x", collation: elem.collation, pseudo: elem.pseudo,
			input: arrayInput, output: arrayOutput, receive: arrayReceive, io: "array_", size: -1}
	}
	switch t.Kind { // RisingWave's, of which pg_type has no rows
	case types.KindMap:
		return factsByKind[types.KindText]
	case types.KindInt256:
		return factsByKind[types.KindNumeric]
	}
	return factsByKind[t.Kind]
}

// factsByKind indexes typeTable and fills in what follows from the type.
var factsByKind = func() (index [types.KindChar + 1]typeFact) {
	for _, f := range typeTable {
		if f.storage == "" {
			f.storage = "p"
		}
		f.size = int(types.Size(types.T{Kind: f.kind}))
		index[f.kind] = f
	}
	return index
}()

// send is the oid of the binary output function.
func (f typeFact) send() int {
	if f.kind == types.KindJSONB {
		return jsonbSend
	}
	return f.receive + 1
}

// operatorClasses are the default classes of btree.
var operatorClasses = []struct {
	kind        types.Kind
	oid, family int
	name        string
}{
	{types.KindArray, 10000, 397, "array_ops"},
	{types.KindBool, 10003, 424, "bool_ops"},
	{types.KindBpchar, 10004, 426, "bpchar_ops"},
	{types.KindBytea, 10006, 428, "bytea_ops"},
	{types.KindChar, 10007, 429, "char_ops"},
	{types.KindDate, 3122, 434, "date_ops"},
	{types.KindFloat4, 10012, 1970, "float4_ops"},
	{types.KindFloat8, 3123, 1970, "float8_ops"},
	{types.KindInt2, 1979, 1976, "int2_ops"},
	{types.KindInt4, 1978, 1976, "int4_ops"},
	{types.KindInt8, 3124, 1976, "int8_ops"},
	{types.KindInterval, 10022, 1982, "interval_ops"},
	{types.KindJSONB, 10088, 4033, "jsonb_ops"},
	{types.KindName, 10028, 1994, "name_ops"},
	{types.KindNumeric, 3125, 1988, "numeric_ops"},
	{types.KindOid, 1981, 1989, "oid_ops"},
	{types.KindStruct, 10034, 2994, "record_ops"},
	{types.KindText, 3126, 1994, "text_ops"},
	{types.KindTime, 10038, 1996, "time_ops"},
	{types.KindTimestamp, 3128, 434, "timestamp_ops"},
	{types.KindTimestamptz, 3127, 434, "timestamptz_ops"},
	{types.KindUUID, 10065, 2968, "uuid_ops"},
	{types.KindVarchar, 3126, 1994, "text_ops"},
}
