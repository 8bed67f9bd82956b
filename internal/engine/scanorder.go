package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// orderSetting of a job says in which order its inputs are scanned: OrderBySize, or edges "1>2,1>3" between relations.
const (
	orderSetting = "backfill_order"
	OrderBySize  = "auto" // the smallest first
)

// ScanOrder is the setting for edges: what comes after each relation.
func ScanOrder(after map[id.Relation][]id.Relation) string {
	var edges []string
	for from, tos := range after {
		for _, to := range tos {
			edges = append(edges, from.String()+">"+to.String())
		}
	}
	slices.Sort(edges)
	return strings.Join(edges, ",")
}

// scanOrder is the order of the scans of one instance. It is a priority and no more: what comes out does not depend on it,
// because all inputs are read as of one epoch and attach together. The actors of all inputs share it.
type scanOrder struct {
	before [][]int // by input: inputs that go first
	mu     struct {
		sync.Mutex
		left []int // ranges of each input that are not scanned to the end
	}
}

// Turn implements backfill.Order.
func (o *scanOrder) Turn(input int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !slices.ContainsFunc(o.before[input], func(i int) bool { return o.mu.left[i] > 0 })
}

// Ended implements backfill.Order.
func (o *scanOrder) Ended(input int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.mu.left[input]--
}

// done reports whether all scans have ended.
func (o *scanOrder) done() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !slices.ContainsFunc(o.mu.left, func(n int) bool { return n > 0 })
}

// scanOrderOf makes the order that a job's settings ask for.
func (d *driver) scanOrderOf(def *meta.Job) *scanOrder {
	scans := def.Graph.Scans()
	o := &scanOrder{before: make([][]int, len(scans))}
	from := make([]id.Relation, len(scans))
	size := make([]int64, len(scans))
	for i, s := range scans {
		o.mu.left = append(o.mu.left, s.Vnodes)
		from[i], size[i] = s.Rel.ID, d.rows[s.Rel.Job]
	}
	setting := def.Settings[orderSetting]
	if setting == OrderBySize {
		o.bySize(size)
		return o
	}
	for edge := range strings.SplitSeq(setting, ",") {
		a, b, _ := strings.Cut(edge, ">")
		o.edge(from, relationOf(a), relationOf(b))
	}
	return o
}

func relationOf(text string) id.Relation {
	n, _ := strconv.ParseUint(text, 10, 32) // 0, which is no relation, when it is not one
	return id.Relation(n)
}

// bySize lets each input wait for the next smaller one.
func (o *scanOrder) bySize(size []int64) {
	inputs := make([]int, len(size))
	for i := range inputs {
		inputs[i] = i
	}
	slices.SortStableFunc(inputs, func(a, b int) int { return cmp.Compare(size[a], size[b]) })
	for k := 1; k < len(inputs); k++ {
		o.before[inputs[k]] = []int{inputs[k-1]}
	}
}

// edge lets the inputs that read one relation wait for those that read another.
func (o *scanOrder) edge(from []id.Relation, first, then id.Relation) {
	for i, r := range from {
		for k, s := range from {
			if r == then && s == first {
				o.before[i] = append(o.before[i], k)
			}
		}
	}
}
