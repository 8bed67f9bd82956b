package difftest

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// Rows is a result in text form.
type Rows struct {
	Types []uint32 // OIDs of the columns
	Rows  [][]string
}

// nullText stands for NULL; no value has this text.
const nullText = "\x00NULL"

// Differs tells how two results differ as multisets, "" if they do not. cols may be nil: then texts must be equal.
func (r Rows) Differs(want Rows, cols []Column) string {
	extra, missing := subtract(r.Rows, want.Rows), subtract(want.Rows, r.Rows)
	if len(extra) == 0 && len(missing) == 0 {
		return ""
	}
	extra, missing = pairUp(extra, missing, want.Types, cols)
	if len(extra) == 0 && len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("%d rows, want %d: %d too many%s, %d missing%s", len(r.Rows), len(want.Rows), len(extra), sample(extra), len(missing), sample(missing))
}

// DiffersInTypes tells how the columns differ, "" if they do not.
func (r Rows) DiffersInTypes(want Rows) string {
	if len(r.Types) != len(want.Types) {
		return fmt.Sprintf("%d columns, want %d", len(r.Types), len(want.Types))
	}
	for i, t := range want.Types {
		if r.Types[i] != t {
			return fmt.Sprintf("column %d has type %d, want %d", i+1, r.Types[i], t)
		}
	}
	return ""
}

// subtract returns the rows of a that b has not, counting.
func subtract(a, b [][]string) [][]string {
	count := map[string]int{}
	for _, r := range b {
		count[strings.Join(r, "\x01")]++
	}
	var out [][]string
	for _, r := range a {
		k := strings.Join(r, "\x01")
		if count[k]--; count[k] < 0 {
			out = append(out, r)
		}
	}
	return out
}

// pairUp takes away pairs of rows that are the same but for their last digits, or but for which of the equal values is shown.
func pairUp(extra, missing [][]string, ts []uint32, cols []Column) (e, m [][]string) {
	used := make([]bool, len(missing))
	for _, x := range extra {
		found := false
		for i, y := range missing {
			if !used[i] && same(x, y, ts, cols) {
				used[i], found = true, true
				break
			}
		}
		if !found {
			e = append(e, x)
		}
	}
	for i, y := range missing {
		if !used[i] {
			m = append(m, y)
		}
	}
	return e, m
}

const (
	oidFloat4 = 700
	oidFloat8 = 701
)

func same(x, y []string, ts []uint32, cols []Column) bool {
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		if x[i] == nullText || y[i] == nullText {
			return false
		}
		loose := i < len(cols) && cols[i].Loose
		switch {
		case ts[i] == oidFloat4 && near(x[i], y[i], 1e-6), ts[i] == oidFloat8 && near(x[i], y[i], 1e-14):
		case loose && normal(x[i]) == normal(y[i]):
		default:
			return false
		}
	}
	return true
}

// near compares floats to a relative error.
func near(x, y string, rel float64) bool {
	a, errA := strconv.ParseFloat(x, 64)
	b, errB := strconv.ParseFloat(y, 64)
	return errA == nil && errB == nil && math.Abs(a-b) <= rel*max(math.Abs(a), math.Abs(b), 1e-300)
}

// normal is the text of a value without what its equals may differ in: zeros at the end of numbers.
func normal(s string) string {
	fields := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("[]{}, :\"", r) })
	for i, f := range fields {
		if strings.Contains(f, ".") {
			fields[i] = strings.TrimSuffix(strings.TrimRight(f, "0"), ".")
		}
		if fields[i] == "-0" {
			fields[i] = "0"
		}
	}
	return strings.Join(fields, " ")
}

// sampleMax is how many rows a message shows.
const sampleMax = 3

func sample(rows [][]string) string {
	if len(rows) == 0 {
		return ""
	}
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = strings.ReplaceAll("("+strings.Join(r, " | ")+")", nullText, "NULL")
	}
	sort.Strings(texts)
	if len(texts) > sampleMax {
		texts = append(texts[:sampleMax], "...")
	}
	return " " + strings.Join(texts, " ")
}
