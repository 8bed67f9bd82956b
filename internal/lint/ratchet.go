package lint

import (
	"fmt"
	"go/ast"
	"sort"
	"strconv"
	"strings"
)

// Limits of what counts as small, in lines. Larger is fine where it is one thought; then it is listed with its size,
// which may only shrink.
const (
	fileLinesMax = 400
	funcLinesMax = 60
)

// Sizes returns what is over the limits: "file NAME" or "func FILE RECEIVER.NAME" to lines.
func Sizes(r *Repo) (map[string]int, error) {
	out := map[string]int{}
	for _, name := range r.Go() {
		if n := strings.Count(r.Read(name), "\n"); n > fileLinesMax {
			out["file "+name] = n
		}
		fset, f, err := r.Parse(name)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1; n > funcLinesMax {
				out["func "+name+" "+funcName(fn)] = n
			}
		}
	}
	return out, nil
}

func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch g := t.(type) {
	case *ast.IndexExpr:
		t = g.X
	case *ast.IndexListExpr:
		t = g.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// ratchetHead explains the list to who opens it.
const ratchetHead = `# What is larger than 400 lines a file or 60 lines a function, with its size. What was small stays small; what is listed
# may only shrink. ` + "`make rewrite`" + ` writes the list anew: a line that grows needs its reason in the commit.
`

// ratchetText writes the list.
func ratchetText(sizes map[string]int) string {
	names := make([]string, 0, len(sizes))
	for n := range sizes {
		names = append(names, n)
	}
	sort.Strings(names)
	var b strings.Builder
	b.WriteString(ratchetHead)
	for _, n := range names {
		fmt.Fprintf(&b, "%d %s\n", sizes[n], n)
	}
	return b.String()
}

// Ratchet compares the sizes with the list.
func Ratchet(sizes map[string]int, list string) (problems []string) {
	listed := map[string]int{}
	for _, line := range strings.Split(list, "\n") {
		size, name, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(size); err == nil {
			listed[name] = n
		}
	}
	for name, n := range sizes {
		switch was, ok := listed[name]; {
		case !ok:
			problems = append(problems, fmt.Sprintf("%s has grown to %d lines; split it, or run `make rewrite` and give the reason in the commit", name, n))
		case n > was:
			problems = append(problems, fmt.Sprintf("%s has grown from %d to %d lines; split it, or run `make rewrite` and give the reason in the commit", name, was, n))
		}
	}
	for name := range listed {
		if _, ok := sizes[name]; !ok {
			problems = append(problems, name+" is small now; run `make rewrite` so that it stays so")
		}
	}
	return problems
}
