package difftest

import "strings"

// Features are the parts of SQL that a view is made of.
type Features uint32

// The features whose share is asserted come first.
const (
	Join Features = 1 << iota
	OuterJoin
	Aggregate
	Distinct
	SetOperation
	Subquery
	TopN
	Window
	ViewOnView
	Correlated
	Lateral
	With
	GroupingSets
	Having
	DistinctOn
	DerivedTable
	SetReturning
)

// asserted are the features of which each needs its share of all views.
const asserted = 9

// featureNames are in the order of the bits.
var featureNames = [...]string{"join", "outer join", "aggregate", "DISTINCT", "set operation", "subquery", "TopN", "window", "view on view",
	"correlated", "LATERAL", "WITH", "grouping sets", "HAVING", "DISTINCT ON", "derived table", "set-returning"}

// Has reports whether all of the given features are there.
func (f Features) Has(g Features) bool { return f&g == g }

// String names the features.
func (f Features) String() string {
	var out []string
	for i, name := range featureNames {
		if f.Has(1 << i) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}
