package slt

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// WriteBaseline stores the outcome of each file, one a line.
func WriteBaseline(path string, results []*FileResult) error {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%s\t%d\t%d\t%s\n", r.Status, r.Passed, r.Total, r.key())
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// CheckBaseline tells which files do worse than before, and gives the exit code.
// Files of the baseline that were not run are left out of account.
func CheckBaseline(w io.Writer, path string, results []*FileResult, slack int) int {
	f, err := os.Open(path)
	if err != nil {
		fmt.Fprintln(w, err)
		return 2
	}
	defer f.Close()
	now := map[string]*FileResult{}
	for _, r := range results {
		now[r.key()] = r
	}
	good, bad, better := 0, 0, 0
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	known := map[string]bool{}
	for sc.Scan() {
		p := strings.SplitN(sc.Text(), "\t", 4)
		if len(p) != 4 {
			continue
		}
		passed, _ := strconv.Atoi(p[1])
		known[p[3]] = true
		r := now[p[3]]
		if r == nil {
			continue
		}
		wasGood := strings.HasPrefix(p[0], "pass")
		switch {
		case wasGood && r.Status == "fail", r.Passed < passed-slack:
			bad++
			fmt.Fprintf(w, "WORSE  %s: was %s %d, is %s %d (%s)\n", p[3], p[0], passed, r.Status, r.Passed, r.First)
		default:
			good++
			if r.Passed > passed || !wasGood && r.Status != "fail" {
				better++
			}
		}
	}
	if better > 0 {
		fmt.Fprintf(w, "%d files are better than the baseline; renew it with -write-baseline\n", better)
	}
	fmt.Fprintf(w, "%d passed, %d failed\n", good, bad)
	if bad > 0 {
		return 1
	}
	return 0
}
