package slt

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
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

// sameRows compares the rows of a query with the lines a record expects, and
// gives the rows as they were compared.
func sameRows(r *Record, st state, rows [][]string) (bool, [][]string) {
	mode := r.Sort
	if mode == "" {
		mode = st.sort
	}
	flat := func(in [][]string) [][]string {
		var out [][]string
		for _, row := range in {
			for _, v := range row {
				out = append(out, []string{v})
			}
		}
		return out
	}
	switch mode {
	case "rowsort":
		rows = append([][]string(nil), rows...)
		sort.SliceStable(rows, func(i, j int) bool { return lessRow(rows[i], rows[j]) })
	case "valuesort":
		rows = flat(rows)
		sort.SliceStable(rows, func(i, j int) bool { return rows[i][0] < rows[j][0] })
	}
	n := 0
	for _, row := range rows {
		n += len(row)
	}
	if st.hashThreshold > 0 && n > st.hashThreshold {
		h := md5.New()
		for _, row := range rows {
			for _, v := range row {
				h.Write([]byte(v + "\n"))
			}
		}
		rows = [][]string{{fmt.Sprintf("%d values hashing to %s", n, hex.EncodeToString(h.Sum(nil)))}}
	}
	if st.valueWise {
		rows = flat(rows)
	}
	if strings.Contains(strings.Join(r.Rows, "\n"), ignoreMark) {
		got, pos := strings.Join(render(rows), "\n"), 0
		for _, frag := range strings.Split(strings.Join(r.Rows, "\n"), ignoreMark) {
			i := strings.Index(got[pos:], frag)
			if i < 0 {
				return false, rows
			}
			pos += i + len(frag)
		}
		return true, rows
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
	for i := range got {
		if got[i] != want[i] {
			return false, rows
		}
	}
	return true, rows
}

func lessRow(a, b []string) bool {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return len(a) < len(b)
}
