package slt

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strings"
)

const ignoreMark = "<slt:ignore>"

// norm trims a value and makes each run of ASCII white space one blank.
func norm(s string) string {
	return strings.Join(strings.FieldsFunc(strings.TrimSpace(s), func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\n' || r == '\f' || r == '\r'
	}), " ")
}

// state holds what control and hash-threshold records have set.
type state struct {
	sort          string
	valueWise     bool
	substitute    bool
	hashThreshold int
}

// render joins rows to lines, for showing them.
func render(rows [][]string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = strings.Join(r, " ")
	}
	return out
}

// sameRows compares the rows of a query with the lines a record expects, and gives the rows as they were compared.
func sameRows(r *Record, st state, rows [][]string) (bool, [][]string) {
	mode := r.Sort
	if mode == "" {
		mode = st.sort
	}
	rows = arrange(rows, mode, st)
	if want := strings.Join(r.Rows, "\n"); strings.Contains(want, ignoreMark) {
		return matchesFragments(strings.Join(render(rows), "\n"), want), rows
	}
	if len(rows) != len(r.Rows) {
		return false, rows
	}
	got, want := make([]string, len(rows)), make([]string, len(rows))
	for i := range rows {
		cells := make([]string, len(rows[i]))
		for j, v := range rows[i] {
			cells[j] = norm(v)
		}
		got[i], want[i] = strings.Join(cells, " "), norm(r.Rows[i])
	}
	if mode == "rowsort" || mode == "valuesort" {
		// Both sides are put in one order, so the file need not be sorted as this code sorts.
		sort.Strings(got)
		sort.Strings(want)
	}
	return slices.Equal(got, want), rows
}

// arrange brings rows into the form that the modes in force ask for: sorted, hashed, one value a row.
func arrange(rows [][]string, mode string, st state) [][]string {
	switch mode {
	case "rowsort":
		rows = slices.Clone(rows)
		sort.SliceStable(rows, func(i, j int) bool { return lessRow(rows[i], rows[j]) })
	case "valuesort":
		rows = flatten(rows)
		sort.SliceStable(rows, func(i, j int) bool { return rows[i][0] < rows[j][0] })
	}
	if n := len(flatten(rows)); st.hashThreshold > 0 && n > st.hashThreshold {
		h := md5.New()
		for _, v := range flatten(rows) {
			h.Write([]byte(v[0] + "\n"))
		}
		rows = [][]string{{fmt.Sprintf("%d values hashing to %s", n, hex.EncodeToString(h.Sum(nil)))}}
	}
	if st.valueWise {
		rows = flatten(rows)
	}
	return rows
}

// flatten makes each value a row of its own.
func flatten(rows [][]string) (out [][]string) {
	for _, row := range rows {
		for _, v := range row {
			out = append(out, []string{v})
		}
	}
	return out
}

// matchesFragments tells whether the parts between the marks occur in the text in their order.
func matchesFragments(got, want string) bool {
	for _, fragment := range strings.Split(want, ignoreMark) {
		_, rest, ok := strings.Cut(got, fragment)
		if !ok {
			return false
		}
		got = rest
	}
	return true
}

func lessRow(a, b []string) bool {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return len(a) < len(b)
}
