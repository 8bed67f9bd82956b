package slt

import (
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// Glob expands *, ?, [..] and ** (any number of folders); the result is sorted.
func Glob(pattern string) ([]string, error) {
	if !strings.Contains(pattern, "**") {
		m, err := filepath.Glob(pattern)
		sort.Strings(m)
		return m, err
	}
	i := strings.Index(pattern, "**")
	root := filepath.Dir(pattern[:i] + "x")
	re, err := globRegexp(filepath.Clean(pattern))
	if err != nil {
		return nil, err
	}
	var out []string
	walk(root, map[string]bool{}, func(p string) {
		if re.MatchString(filepath.Clean(p)) {
			out = append(out, p)
		}
	})
	sort.Strings(out)
	return out, nil
}

func globRegexp(p string) (*regexp.Regexp, error) {
	var b strings.Builder
	b.WriteString("^")
	for i := 0; i < len(p); i++ {
		switch {
		case strings.HasPrefix(p[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(p[i:], "**"):
			b.WriteString(".*")
			i++
		case p[i] == '*':
			b.WriteString("[^/]*")
		case p[i] == '?':
			b.WriteString("[^/]")
		default:
			b.WriteString(regexp.QuoteMeta(p[i : i+1]))
		}
	}
	b.WriteString("$")
	return regexp.Compile(b.String())
}

// walk visits all files under root and follows links to folders once.
func walk(root string, seen map[string]bool, f func(string)) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil || seen[real] {
		return
	}
	seen[real] = true
	ents, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range ents {
		p := filepath.Join(root, e.Name())
		st, err := os.Stat(p)
		if err != nil {
			continue
		}
		if st.IsDir() {
			walk(p, seen, f)
		} else {
			f(p)
		}
	}
}
