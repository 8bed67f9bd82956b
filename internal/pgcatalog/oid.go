package pgcatalog

import (
	"hash/fnv"

	"github.com/tidemark-db/tidemark/internal/id"
)

// Objects that the catalog does not number get an oid here. Each kind has a range of its own, so that an oid says what it
// is of, and an object has the same oid in every session and after a restart.
//
//	below 16384        PostgreSQL's own: types, system relations
//	16384 ..           relations and schemas of users (id.Relation)
//	primaryKeyIndex +  the index of a table's primary key
//	primaryKey +       its constraint
//	defaultValue +     a column's default, 1600 for each relation as a table can not have more columns
//	users, functions   a hash of the name
const (
	firstViewOID    = 10000 // PostgreSQL's system views are numbered from here on, its tables below
	firstUserOID    = 16384
	primaryKeyIndex = 1 << 28
	primaryKey      = 2 << 28
	userRange       = 3 << 28
	functionRange   = 4 << 28
	ruleRange       = 5 << 28
	defaultValue    = 6 << 28
	hashBits        = 28
	columnsMax      = 1600
)

// Users that PostgreSQL has from the start.
const (
	bootstrapUser    = "root"
	bootstrapUserOID = 10
)

// Oids of PostgreSQL that rows refer to.
const (
	classPgClass     = 1259
	classPgType      = 1247
	classPgProc      = 1255
	classPgNamespace = 2615
	classPgDatabase  = 1262
	classConstraint  = 2606
	classRewrite     = 2618
	catalogSchema    = 11
	databaseOID      = 5
	heapMethod       = 2
	btreeMethod      = 403
	defaultCollation = 100
	cCollation       = 950
	sqlLanguage      = 14
	internalLanguage = 12
	defaultSpace     = 1663
	encodingUTF8     = 6
)

func userOID(name string) int {
	if name == bootstrapUser {
		return bootstrapUserOID
	}
	return userRange + hashed(name)
}

func functionOID(f FunctionInfo) int { return functionRange + hashed(signature(f)) }

func defaultOID(r id.Relation, column int) int {
	return defaultValue + int(r)*columnsMax%(1<<30) + column
}

// hashed spreads names over a range; there are few enough that two hardly ever meet.
func hashed(s string) int {
	h := fnv.New32a()
	h.Write([]byte(s))
	return int(h.Sum32() >> (32 - hashBits))
}
