package pgcatalog

import "github.com/tidemark-db/tidemark/internal/types"

// typeFamily is types and what belongs to them.
var typeFamily = map[string]rows{
	"pg_catalog.pg_type":      typeRows,
	"pg_catalog.pg_opclass":   operatorClassRows,
	"pg_catalog.pg_collation": collationRows,
	"rw_catalog.rw_types":     rwTypeRows,
}

// allTypes lists the types, each followed by its array type if it has one.
func allTypes() []types.T {
	var out []types.T
	for _, f := range typeTable {
		t := types.T{Kind: f.kind}
		out = append(out, t)
		if array := types.ArrayOf(t); types.OID(array) != 0 {
			out = append(out, array)
		}
	}
	for _, v := range []types.T{types.Int2Vector, types.OidVector} {
		out = append(out, v, types.ArrayOf(v))
	}
	return out
}

func typeRows(s *scan) {
	for _, t := range allTypes() {
		f := typeFacts(t)
		kind := "b"
		if f.pseudo {
			kind = "p"
		}
		elem, array := typeElements(t)
		s.add(row{
			"oid": int(types.OID(t)), "typname": types.TypeName(t), "typnamespace": catalogSchema, "typowner": bootstrapUserOID,
			"typlen": f.size, "typbyval": f.byValue, "typtype": kind, "typcategory": f.category, "typispreferred": f.preferred,
			"typisdefined": true, "typdelim": ",", "typelem": elem, "typarray": array, "typinput": f.input,
			"typoutput": f.output, "typreceive": f.receive, "typsend": f.send(), "typalign": f.align, "typstorage": f.storage, "typtypmod": -1, "typcollation": f.collation,
		})
	}
}

// typeElements are the oids of an array's elements and of the array of a type; 0 where there is none.
func typeElements(t types.T) (elem, array int) {
	if t.Vector() {
		return int(types.OID(*t.Elem)), int(types.OID(types.ArrayOf(t)))
	}
	if t.Kind == types.KindArray {
		return int(types.OID(*t.Elem)), 0
	}
	return 0, int(types.OID(types.ArrayOf(t)))
}

func operatorClassRows(s *scan) {
	seen := map[int]bool{}
	for _, c := range operatorClasses {
		if seen[c.oid] {
			continue // varchar is compared as text
		}
		seen[c.oid] = true
		t := anyArrayOID
		if c.kind != types.KindArray {
			t = int(types.OID(types.T{Kind: c.kind}))
		}
		s.add(row{"oid": c.oid, "opcmethod": btreeMethod, "opcname": c.name, "opcnamespace": catalogSchema,
			"opcowner": bootstrapUserOID, "opcfamily": c.family, "opcintype": t, "opcdefault": true})
	}
}

// collationRows: text is compared by its bytes whatever the collation is called.
func collationRows(s *scan) {
	s.add(row{"oid": defaultCollation, "collname": "default", "collnamespace": catalogSchema, "collowner": bootstrapUserOID,
		"collprovider": "d", "collisdeterministic": true, "collencoding": -1})
	for i, name := range []string{"C", "POSIX"} {
		s.add(row{"oid": cCollation + i, "collname": name, "collnamespace": catalogSchema, "collowner": bootstrapUserOID,
			"collprovider": "c", "collisdeterministic": true, "collencoding": -1, "collcollate": name, "collctype": name})
	}
}

func rwTypeRows(s *scan) {
	for _, t := range allTypes() {
		elem, array := typeElements(t)
		s.add(row{"id": int(types.OID(t)), "name": types.TypeName(t), "input_oid": typeFacts(t).io + "in", "typelem": elem,
			"typarray": array})
	}
}
