package lint

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// packageRow matches a line of ARCHITECTURE.md's table: | `name`, `name` | sentence |
var packageRow = regexp.MustCompile("^\\| *(`[^|]*`) *\\| *(.*?) *\\|$")

// Architecture checks that ARCHITECTURE.md has a sentence for each package, and names none that is not there. Names are
// paths from the root without "internal/"; the module root is called tidemark.
func Architecture(r *Repo, text, layersText string) (problems []string) {
	layers, _ := parseLayers(layersText)
	named := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		m := packageRow.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		if len(strings.Fields(m[2])) < 3 {
			problems = append(problems, fmt.Sprintf("ARCHITECTURE.md:%d: want a sentence on what the package is", i+1))
		}
		for _, name := range strings.Split(m[1], ",") {
			named[strings.Trim(strings.TrimSpace(name), "`")] = true
		}
	}
	for _, pkg := range r.Packages() {
		if !named[shortName(pkg)] {
			problems = append(problems, fmt.Sprintf("ARCHITECTURE.md does not name %s; add a row | `%s` | sentence |", pkg, shortName(pkg)))
		}
		delete(named, shortName(pkg))
	}
	for name, l := range layers {
		if l.later {
			delete(named, shortName(name))
		}
	}
	for name := range named {
		problems = append(problems, fmt.Sprintf("ARCHITECTURE.md names %s, which is no package; remove it", name))
	}
	return problems
}

func shortName(pkg string) string {
	if pkg == "." {
		return "tidemark"
	}
	return strings.TrimPrefix(pkg, "internal/")
}

// designLinesMin is the size of a package from which a reader needs its DESIGN.md first.
const designLinesMin = 1000

// Designs finds large packages without DESIGN.md.
func Designs(r *Repo) (problems []string) {
	lines := map[string]int{}
	for _, f := range r.Go() {
		lines[path.Dir(f)] += strings.Count(r.Read(f), "\n")
	}
	for pkg, n := range lines {
		if n > designLinesMin && !slices.Contains(r.Files, path.Join(pkg, "DESIGN.md")) {
			problems = append(problems, fmt.Sprintf("%s has %d lines and no DESIGN.md; write its purpose, concepts, invariants and limits", pkg, n))
		}
	}
	return problems
}

// changeKinds are the headings below a version of CHANGELOG.md, in their order.
var changeKinds = []string{"Added", "Changed", "Fixed", "Removed", "Security"}

var versionHead = regexp.MustCompile(`^## (Unreleased|v[0-9]+\.[0-9]+\.[0-9]+ - [0-9]{4}-[0-9]{2}-[0-9]{2})$`)

// Changelog checks the form of CHANGELOG.md: Unreleased first, then versions with their day, known headings, and entries
// that are sentences.
func Changelog(text string) (problems []string) {
	bad := func(i int, what string) { problems = append(problems, fmt.Sprintf("CHANGELOG.md:%d: %s", i+1, what)) }
	versions, kind := 0, ""
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "### "):
			if kind = line[4:]; !slices.Contains(changeKinds, kind) {
				bad(i, "want one of the headings "+strings.Join(changeKinds, ", "))
			}
		case strings.HasPrefix(line, "## "):
			if !versionHead.MatchString(line) || (versions == 0) != (line == "## Unreleased") {
				bad(i, "want \"## Unreleased\" first, then \"## v1.2.3 - 2026-01-31\"")
			}
			versions++
			kind = ""
		case strings.HasPrefix(line, "- "):
			if kind == "" {
				bad(i, "an entry stands below a heading such as \"### Added\"")
			}
			if !strings.HasSuffix(entry(text, i), ".") {
				bad(i, "an entry is a sentence that ends with a full stop")
			}
		}
	}
	if versions == 0 {
		bad(0, "want a section \"## Unreleased\"")
	}
	return problems
}

// entry joins the lines of a list item that begins at line i.
func entry(text string, i int) string {
	lines := strings.Split(text, "\n")
	out := lines[i]
	for _, l := range lines[i+1:] {
		if !strings.HasPrefix(l, "  ") {
			break
		}
		out += " " + strings.TrimSpace(l)
	}
	return strings.TrimSpace(out)
}
