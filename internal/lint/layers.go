package lint

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// layer is one line of layers.txt: "PACKAGE : IMPORTS", or "later PACKAGE : IMPORTS" for one that is planned.
type layer struct {
	name    string
	imports map[string]bool
	later   bool
}

// parseLayers reads the list. Each line may name only packages of lines above it, so the file is an order in which the
// packages can be read, and a cycle can not be written down.
func parseLayers(text string) (layers map[string]layer, problems []string) {
	layers = map[string]layer{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, deps, ok := strings.Cut(line, " :")
		l := layer{imports: map[string]bool{}}
		l.name, l.later = strings.CutPrefix(name, "later ")
		if !ok || strings.ContainsAny(l.name, " \t") {
			problems = append(problems, fmt.Sprintf("layers.txt:%d: want \"package : imports\"", i+1))
			continue
		}
		if _, twice := layers[l.name]; twice {
			problems = append(problems, fmt.Sprintf("layers.txt:%d: %s is listed twice", i+1, l.name))
		}
		for _, dep := range strings.Fields(deps) {
			if _, above := layers[dep]; !above {
				problems = append(problems, fmt.Sprintf("layers.txt:%d: %s may import %s, which is not listed above it; move the line down", i+1, l.name, dep))
			}
			l.imports[dep] = true
		}
		layers[l.name] = l
	}
	return layers, problems
}

// Layers compares the tree with layers.txt and returns what differs.
func Layers(r *Repo, text string) []string {
	layers, problems := parseLayers(text)
	exists := map[string]bool{}
	for _, pkg := range r.Packages() {
		exists[pkg] = true
		switch l, listed := layers[pkg]; {
		case !listed:
			problems = append(problems, pkg+" is not in layers.txt; add a line with what it may import, and say why in the commit")
		case l.later:
			problems = append(problems, pkg+" exists; take the word \"later\" from its line in layers.txt")
		}
	}
	for name, l := range layers {
		if !exists[name] && !l.later {
			problems = append(problems, name+" is in layers.txt but does not exist; remove the line, or begin it with \"later\"")
		}
	}
	told := map[string]bool{} // one line for a package and an import, with the first file
	for _, file := range r.Go() {
		for _, dep := range importsOf(r, file) {
			pkg := path.Dir(file)
			if edge := pkg + " " + dep; !layers[pkg].imports[dep] && !told[edge] {
				told[edge] = true
				problems = append(problems, fmt.Sprintf("%s imports %s, which layers.txt does not allow; take a small interface or value instead, or change layers.txt and say why", file, dep))
			}
		}
	}
	return problems
}

// importsOf returns the packages of this module that one file imports. A file that can not be parsed has none: the
// compiler says it better.
func importsOf(r *Repo, file string) (deps []string) {
	_, f, err := r.Parse(file)
	if err != nil {
		return nil
	}
	for _, s := range f.Imports {
		name, _ := strconv.Unquote(s.Path.Value)
		rest, ours := strings.CutPrefix(name, module)
		if !ours || rest != "" && rest[0] != '/' {
			continue
		}
		deps = append(deps, path.Clean("./"+strings.TrimPrefix(rest, "/")))
	}
	return deps
}
