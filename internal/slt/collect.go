package slt

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// collect finds the scripts that the options name, as absolute paths in order.
func collect(o *Options) ([]string, error) {
	dirs := splitList(o.dirs)
	if o.Root == "" {
		o.Root = "."
		if len(dirs) > 0 {
			o.Root = dirs[0]
		}
	}
	o.Root, _ = filepath.Abs(o.Root)
	found := map[string]bool{}
	for _, d := range dirs {
		if _, err := os.Stat(d); err != nil {
			return nil, err
		}
		walk(d, map[string]bool{}, func(p string) {
			if strings.HasSuffix(p, ".slt") || strings.HasSuffix(p, ".slt.serial") {
				found[p] = true
			}
		})
	}
	for _, g := range o.globs {
		m, err := Glob(g)
		if err != nil {
			return nil, err
		}
		if len(m) == 0 {
			return nil, fmt.Errorf("%s: no such file", g)
		}
		for _, p := range m {
			found[p] = true
		}
	}
	var out []string
	for p := range found {
		abs, _ := filepath.Abs(p)
		out = append(out, abs)
	}
	sort.Strings(out)
	return slices.Compact(out), nil
}

// units parses the files and gives what is to run.
func units(o *Options, paths []string) (out []Unit) {
	known := map[string]bool{}
	closed := func(s *Script) bool {
		ok, done := known[s.Path]
		if !done {
			ok = !Classify("", s.Flat()).open
			known[s.Path] = ok
		}
		return ok
	}
	classes := splitList(o.classes)
	seen := map[string]bool{}
	for _, p := range paths {
		for _, u := range unitsOf(p, o.split, closed) {
			rel := o.rel(u.Path)
			if o.dedup && seen[u.Path] || o.skipPath != nil && o.skipPath.MatchString(rel) || o.onlyPath != nil && !o.onlyPath.MatchString(rel) {
				continue
			}
			seen[u.Path] = true
			u.Class = Classify(rel, u.Recs)
			if len(classes) == 0 || slices.Contains(classes, u.Class.Class) {
				out = append(out, u)
			}
		}
	}
	return out
}

// unitsOf parses one file; one that can not be read is a unit with a bad record.
func unitsOf(path string, split bool, closed func(*Script) bool) []Unit {
	s, err := ParseFile(path)
	if err != nil {
		s = &Script{Path: path, Recs: []Record{{Kind: Bad, File: path, Arg: err.Error()}}}
	}
	if split {
		return s.Units(closed)
	}
	return []Unit{{Entry: path, Path: path, Recs: s.Flat()}}
}

// list prints what would run, and gives exit code 1 where a script can not be understood.
func list(o *Options, all []Unit, stdout, stderr io.Writer) int {
	w := bufio.NewWriter(stdout)
	defer w.Flush()
	bad := map[string]bool{}
	for _, u := range all {
		kinds := map[Kind]int{}
		for _, r := range u.Recs {
			if r.Prelude {
				continue
			}
			kinds[r.Kind]++
			if m := fmt.Sprintf("%s:%d: %s", o.rel(r.File), r.Line, r.Arg); r.Kind == Bad && !bad[m] {
				bad[m] = true
				fmt.Fprintln(stderr, m)
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\n", u.Class.Class, countExecutable(u.Recs), kinds[Statement], kinds[Query], kinds[System], kinds[Let],
			strings.Join(u.Class.Tags, ","), o.rel(u.Path), o.rel(u.Entry))
	}
	if len(bad) > 0 {
		return 1
	}
	return 0
}
