package slt

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// ParseFile parses a script and everything it includes.
func ParseFile(path string) (*Script, error) { return parseFile(path, 0) }

func parseFile(path string, depth int) (*Script, error) {
	if depth > 20 {
		return nil, fmt.Errorf("includes nested too deep")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	load := func(pattern string) ([]*Script, error) {
		files, err := Glob(filepath.Join(filepath.Dir(path), pattern))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("no such file")
		}
		var out []*Script
		for _, f := range files {
			sub, err := parseFile(f, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, sub)
		}
		return out, nil
	}
	return &Script{Path: path, Recs: Parse(path, string(b), load)}, nil
}

// Unit is what is run and judged as one: a file, or one include of a file that
// does nothing but set variables and include others.
type Unit struct {
	Entry string // the file that was named
	Path  string // the file in which the unit's records are; Entry when it is not split
	Way   string // the way in which its views come to be; empty when as written, unchecked
	Recs  []Record
	Class Classification
}

var reSetStmt = regexp.MustCompile(`(?i)^\s*set\s`)

// Units splits a script where that is safe: each part must make what it uses,
// as closed tells. The SET statements before a part come along, uncounted.
func (s *Script) Units(closed func(*Script) bool) []Unit {
	if parts, ok := s.split(nil, closed); ok && len(parts) > 1 {
		for i := range parts {
			parts[i].Entry = s.Path
		}
		return parts
	}
	return []Unit{{Entry: s.Path, Path: s.Path, Recs: s.Flat()}}
}

func (s *Script) split(prelude []Record, closed func(*Script) bool) ([]Unit, bool) {
	var out []Unit
	own := slices.Clone(prelude)
	includes := false
	for _, r := range s.Recs {
		switch {
		case r.Kind == Include:
			includes = true
			for _, sub := range r.Sub {
				if parts, ok := sub.split(own, closed); ok {
					out = append(out, parts...)
					continue
				}
				if !closed(sub) {
					return nil, false
				}
				out = append(out, Unit{Path: sub.Path, Recs: slices.Concat(own, sub.Flat())})
			}
		case r.Kind == Statement && r.Want == WantOK && len(r.Conds) == 0 && r.Conn == "" && reSetStmt.MatchString(r.SQL):
			r.Prelude = true
			own = append(own, r)
		case r.Kind == Subtest || r.Kind == Control:
			own = append(own, r)
		default:
			return nil, false
		}
	}
	return out, includes
}
