package pgcatalog

import (
	"embed"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/invariant"
	"github.com/tidemark-db/tidemark/internal/types"
)

// columns has a file for each schema. A relation is a line with its name and id, then indented lines with its columns,
// "name type", and a question mark after the name of one that may be NULL.
//
//go:embed columns
var columns embed.FS

// systemSchema is a schema that is there without being in the catalog.
type systemSchema struct {
	oid           int
	name, comment string
}

// systemSchemas are the schemas, each with a file of columns. pg_catalog has PostgreSQL's oid, the others have numbers below
// those of users' objects.
var systemSchemas = []systemSchema{
	{11, "pg_catalog", "system catalog schema"},
	{13201, "information_schema", "the SQL standard's description of the database"},
	{13202, "rw_catalog", "system relations under RisingWave's names"},
	{13203, "tm_catalog", "jobs, errors and settings of Tidemark"},
}

// SystemSchema reports whether a schema is one of these.
func SystemSchema(name string) bool {
	return slices.ContainsFunc(systemSchemas, func(s systemSchema) bool { return s.name == name })
}

// declared reads the relations of a schema. The files are part of the program: one that can not be read is a bug, and the
// tests read them all.
func declared(schema string) []*catalog.Relation {
	text, err := columns.ReadFile("columns/" + schema + ".txt")
	if err != nil {
		invariant.Check(false, "%v", err) // the text is part of the build
	}
	var out []*catalog.Relation
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimRight(line, "\n"); {
		case line == "" || line[0] == '#':
		case line[0] != ' ':
			out = append(out, declaredHead(schema, line))
		default:
			rel := out[len(out)-1]
			for field := range strings.SplitSeq(strings.TrimRight(line, ","), ",") {
				rel.Columns = append(rel.Columns, declaredColumn(strings.Fields(field)))
			}
		}
	}
	addTableOID(out)
	return out
}

// addTableOID gives PostgreSQL's tables, which are not its views, the hidden column tableoid: tools join comments by it.
func addTableOID(rels []*catalog.Relation) {
	for _, rel := range rels {
		if rel.ID < firstViewOID {
			rel.Columns = append(rel.Columns, catalog.Column{Name: tableOID, Type: types.Oid, NotNull: true, Hidden: true})
		}
	}
}

const tableOID = "tableoid"

// declaredHead reads "pg_class 1259".
func declaredHead(schema, line string) *catalog.Relation {
	name, number, _ := strings.Cut(line, " ")
	oid, err := strconv.Atoi(number)
	if err != nil {
		invariant.Check(false, "%v", err) // the text is part of the build
	}
	return &catalog.Relation{ID: id.Relation(oid), Schema: schema, Name: name, Kind: catalog.KindSystem, Owner: bootstrapUser}
}

// declaredColumn reads "relacl?" and "text[]".
func declaredColumn(words []string) catalog.Column {
	name, nullable := strings.CutSuffix(words[0], "?")
	return catalog.Column{Name: name, Type: declaredType(words[1]), NotNull: !nullable}
}

func declaredType(word string) types.T {
	if elem, ok := strings.CutSuffix(word, "[]"); ok {
		return types.ArrayOf(declaredType(elem))
	}
	if word == "char" {
		return types.T{Kind: types.KindChar} // the catalogs' one-byte type; Lookup would find character(1)
	}
	t, err := types.Lookup(word)
	if err != nil {
		invariant.Check(false, "%v", err) // the text is part of the build
	}
	return t
}
