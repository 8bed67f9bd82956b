package pgcatalog

import "testing"

// BenchmarkAttributes reads the columns of pg_attribute that a description of a table needs.
func BenchmarkAttributes(b *testing.B) {
	set, info := New(), shopInfo()
	rel, _ := set.Find("pg_catalog", "pg_attribute")
	for b.Loop() {
		if _, err := set.Rows(rel, []int{0, 1, 2, 5, 8}, info); err != nil {
			b.Fatal(err)
		}
	}
}
