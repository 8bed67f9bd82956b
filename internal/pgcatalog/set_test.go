package pgcatalog

import (
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/id"
)

// TestEveryRelation makes every relation with all columns: rows name only columns that exist, with values that fit.
func TestEveryRelation(t *testing.T) {
	set, info := New(), shopInfo()
	for _, rel := range set.Relations() {
		c := allRows(t, set, rel, info)
		if len(c.Cols) != len(rel.Columns) {
			t.Errorf("%s: %d columns, want %d", rel.Qualified(), len(c.Cols), len(rel.Columns))
		}
		for i, v := range c.Cols {
			if v.Len() != c.Rows() || !v.Type.Equal(rel.Columns[i].Type) {
				t.Errorf("%s.%s: %d values of %s", rel.Qualified(), rel.Columns[i].Name, v.Len(), v.Type)
			}
		}
		if found, ok := set.Find(rel.Schema, rel.Name); !ok || found != rel {
			t.Errorf("%s is not found", rel.Qualified())
		}
	}
}

func allRows(t *testing.T, set *Set, rel *catalog.Relation, info Info) *chunk.Chunk {
	t.Helper()
	var all []int
	for i := range rel.Columns {
		all = append(all, i)
	}
	c, err := set.Rows(rel, all, info)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestMakersHaveRelations: no family makes the rows of a relation that is not declared.
func TestMakersHaveRelations(t *testing.T) {
	set := New()
	for name := range makers() {
		if set.byName[name] == nil {
			t.Errorf("%s is not in the columns folder", name)
		}
	}
}

// TestOidsDiffer: an oid names one object.
func TestOidsDiffer(t *testing.T) {
	seen := map[id.Relation]string{}
	for _, rel := range New().Relations() {
		if other, ok := seen[rel.ID]; ok {
			t.Errorf("%s and %s are both %d", rel.Qualified(), other, rel.ID)
		}
		seen[rel.ID] = rel.Qualified()
	}
	names := map[int]string{}
	for _, f := range FunctionsOf(expr.NewRegistry(), agg.NewRegistry()) {
		if other, ok := names[functionOID(f)]; ok && other != signature(f) {
			t.Errorf("%s and %s have the same oid", signature(f), other)
		}
		names[functionOID(f)] = signature(f)
	}
	if len(names) < 500 {
		t.Errorf("only %d functions", len(names))
	}
}

// TestColumnsAreChosen: a scan gets the columns it asks for in its order, and none counts the rows.
func TestColumnsAreChosen(t *testing.T) {
	set, info := New(), shopInfo()
	rel, _ := set.Find("pg_catalog", "pg_am")
	c, err := set.Rows(rel, []int{3, 1}, info)
	if err != nil || chunk.Format(c) != "+ t heap\n+ i btree\n" {
		t.Errorf("%v %q", err, chunk.Format(c))
	}
	if c, err = set.Rows(rel, nil, info); err != nil || c.Rows() != 2 {
		t.Errorf("%v %d rows", err, c.Rows())
	}
}

// TestSecretsAreHidden: neither passwords of users nor those in options of sources are shown.
func TestSecretsAreHidden(t *testing.T) {
	set, info := New(), shopInfo()
	for _, rel := range set.Relations() {
		if strings.Contains(chunk.Format(allRows(t, set, rel, info)), "hunter2") {
			t.Errorf("%s shows a secret", rel.Qualified())
		}
	}
}
