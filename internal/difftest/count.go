package difftest

import (
	"fmt"
	"maps"
	"sort"
	"strings"
)

// Count is what a run has done, and how its views were made up.
type Count struct {
	Histories   int
	Views       int             // that were created on both sides
	distinct    map[string]bool // queries
	Features    [len(featureNames)]int
	Comparisons int
	Retractions int // comparisons after rows were taken away
	NonEmpty    int // of these, such with rows
	Queries     int // that no view was made of
	Statements  int // of DML and of transactions
	Failed      int // statements that failed on both sides in the same way
	Crashes     int
	Undone      int            // statements that had not been acknowledged when a crash came, and were gone
	Refused     map[string]int // by message
	Invalid     map[string]int // views that PostgreSQL refuses
	Unanswered  map[string]int // views on which PostgreSQL fails
}

// NewCount makes an empty count.
func NewCount() *Count {
	return &Count{distinct: map[string]bool{}, Refused: map[string]int{}, Invalid: map[string]int{}, Unanswered: map[string]int{}}
}

// Add adds what another run has done.
func (c *Count) Add(o *Count) {
	c.Histories += o.Histories
	c.Views += o.Views
	c.Comparisons += o.Comparisons
	c.Retractions += o.Retractions
	c.NonEmpty += o.NonEmpty
	c.Queries += o.Queries
	c.Statements += o.Statements
	c.Failed += o.Failed
	c.Crashes += o.Crashes
	c.Undone += o.Undone
	maps.Copy(c.distinct, o.distinct)
	for i, n := range o.Features {
		c.Features[i] += n
	}
	for i, m := range []map[string]int{c.Refused, c.Invalid, c.Unanswered} {
		for k, n := range []map[string]int{o.Refused, o.Invalid, o.Unanswered}[i] {
			m[k] += n
		}
	}
}

// Distinct is the number of different queries among the views.
func (c *Count) Distinct() int { return len(c.distinct) }

func (c *Count) created(v *View) {
	c.Views++
	c.distinct[v.Query] = true
	for i := range c.Features {
		if v.Features.Has(1 << i) {
			c.Features[i]++
		}
	}
}

func (c *Count) compared(_ *View, rows, retracted bool) {
	c.Comparisons++
	if !retracted {
		return
	}
	c.Retractions++
	if rows {
		c.NonEmpty++
	}
}

func (c *Count) refused(err error)    { c.Refused[err.Error()]++ }
func (c *Count) invalid(err error)    { c.Invalid[err.Error()]++ }
func (c *Count) unanswered(err error) { c.Unanswered[err.Error()]++ }

// share is a part of a whole in percent.
func share(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

func total(m map[string]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}

// RefusedShare is how many percent of the views that PostgreSQL takes were refused.
func (c *Count) RefusedShare() float64 {
	n := total(c.Refused)
	return share(n, n+c.Views)
}

// FeatureShare is how many percent of the views have a feature.
func (c *Count) FeatureShare(i int) float64 { return share(c.Features[i], c.Views) }

// NonEmptyShare is how many percent of the comparisons after a retraction had rows.
func (c *Count) NonEmptyShare() float64 { return share(c.NonEmpty, c.Retractions) }

// String is the distribution, for people.
func (c *Count) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d histories, %d views (%d distinct), %d comparisons, %d queries, %d statements (%d failed on both sides), %d crashes (%d statements undone)\n",
		c.Histories, c.Views, c.Distinct(), c.Comparisons, c.Queries, c.Statements, c.Failed, c.Crashes, c.Undone)
	for i, name := range featureNames {
		fmt.Fprintf(&b, "  %-14s %5.1f %%\n", name, c.FeatureShare(i))
	}
	fmt.Fprintf(&b, "  after a retraction: %d comparisons, %.1f %% with rows\n", c.Retractions, c.NonEmptyShare())
	c.list(&b, fmt.Sprintf("refused by Tidemark (%.1f %%)", c.RefusedShare()), c.Refused)
	c.list(&b, "refused by PostgreSQL", c.Invalid)
	c.list(&b, "PostgreSQL failed on", c.Unanswered)
	return b.String()
}

// listMax bounds how many messages of a kind are shown.
const listMax = 12

func (c *Count) list(b *strings.Builder, title string, m map[string]int) {
	if len(m) == 0 {
		return
	}
	fmt.Fprintf(b, "  %s: %d\n", title, total(m))
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool {
		return m[names[i]] > m[names[j]] || m[names[i]] == m[names[j]] && names[i] < names[j]
	})
	for _, n := range names[:min(len(names), listMax)] {
		fmt.Fprintf(b, "    %5d %s\n", m[n], n)
	}
}
