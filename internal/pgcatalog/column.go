package pgcatalog

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/types"
)

// columnFamily is what is said of columns.
var columnFamily = map[string]rows{
	"pg_catalog.pg_attribute": attributeRows,
	"pg_catalog.pg_attrdef":   defaultRows,
}

func attributeRows(s *scan) {
	for _, o := range s.objects {
		positions, of := o.columns()
		for i, at := range positions {
			number := at + 1
			if o.on != nil {
				number = i + 1 // an index numbers its own columns
			}
			attributeRow(s, o, number, shownColumn(of, at, o.on != nil))
		}
	}
}

// shownColumn is a column without what only a table's columns have: views and indexes copy the columns they read.
func shownColumn(rel *catalog.Relation, at int, index bool) catalog.Column {
	c := rel.Columns[at]
	if index {
		c.NotNull = false
	}
	if index || rel.Kind != catalog.KindTable {
		c.Default, c.Generated = "", ""
	}
	return c
}

func attributeRow(s *scan, o *object, number int, c catalog.Column) {
	t := typeFacts(c.Type)
	generated := ""
	if c.Generated != "" {
		generated = "s"
	}
	s.add(row{
		"attrelid": o.oid, "attname": c.Name, "atttypid": int(types.OID(c.Type)), "attstattarget": -1, "attlen": t.size,
		"attnum": number, "attndims": arrayDepth(c.Type), "attcacheoff": -1, "atttypmod": int(types.Typmod(c.Type)),
		"attbyval": t.byValue, "attalign": t.align, "attstorage": t.storage, "attnotnull": c.NotNull, "atthasdef": defaultOf(c) != "",
		"attgenerated": generated, "attislocal": true,
		"attcollation": t.collation,
	})
}

// defaultOf is the text of a column's default or generation expression; both are in pg_attrdef.
func defaultOf(c catalog.Column) string {
	if c.Generated != "" {
		return c.Generated
	}
	return c.Default
}

func defaultRows(s *scan) {
	for _, o := range s.objects {
		if o.on != nil {
			continue
		}
		for _, at := range o.rel.Visible() {
			if text := defaultOf(shownColumn(o.rel, at, false)); text != "" {
				s.add(row{"oid": defaultOID(o.rel.ID, at), "adrelid": o.oid, "adnum": at + 1, "adbin": text})
			}
		}
	}
}

func arrayDepth(t types.T) int {
	n := 0
	for ; t.Kind == types.KindArray; t = *t.Elem {
		n++
	}
	return n
}
