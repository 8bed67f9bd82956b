package lint

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

// machinePath matches absolute paths of somebody's machine.
var machinePath = regexp.MustCompile(`(^|[^A-Za-z0-9_./-])/(work|farm|home|Users)/[A-Za-z0-9_.]`)

// MachinePaths finds paths that exist on one machine only, in any text of the tree.
func MachinePaths(r *Repo) (problems []string) {
	for _, file := range r.Files {
		if !slices.Contains([]string{".go", ".md", ".txt", ".sh", ".toml", ".yml", ".sql", ".slt", ".mod", ""}, path.Ext(file)) {
			continue
		}
		for i, line := range strings.Split(r.Read(file), "\n") {
			if machinePath.MatchString(line) {
				problems = append(problems, fmt.Sprintf("%s:%d: a path of one machine; use a relative path, a flag or t.TempDir", file, i+1))
			}
		}
	}
	return problems
}

// vagueNames say nothing about what a package holds.
var vagueNames = []string{"util", "utils", "common", "helper", "helpers", "base", "manager", "misc", "shared", "lib"}

// PackageNames finds packages without a noun of the domain or without a doc comment.
func PackageNames(r *Repo) (problems []string) {
	documented := map[string]bool{}
	for _, file := range r.Go() {
		if _, f, err := r.Parse(file); err == nil && f.Doc != nil {
			documented[path.Dir(file)] = true
		}
	}
	for _, pkg := range r.Packages() {
		if slices.Contains(vagueNames, path.Base(pkg)) {
			problems = append(problems, pkg+": the name says nothing; name the domain thing that it holds")
		}
		if !documented[pkg] {
			problems = append(problems, pkg+": the package has no doc comment; say in two to six lines what it is and who uses it")
		}
	}
	return problems
}

// call is a forbidden call with the packages (and what is below them) that may make it, and what to do elsewhere.
type call struct {
	name    string
	except  []string
	instead string
}

// forbiddenCalls keep waiting, ending the process and failing loudly to the few places that may.
var forbiddenCalls = []call{
	{"time.Sleep", []string{"cmd", "bench", "examples", "internal/slt", "internal/pgserver"},
		"use a timer and select on it with the context, in the driver; logic waits for a message"},
	{"panic", []string{"internal/invariant", "internal/lint", "internal/script", "internal/kv/kvtest", "internal/sim"},
		"return errs.Internal.New(...), or use invariant.Check for what cannot happen"},
	{"os.Exit", []string{"cmd"}, "return the error; only a main function ends the process, because Tidemark is embedded too"},
	{"log.Fatal", nil, "return the error"},
	{"log.Printf", nil, "emit an event; internal/event renders it with slog"},
	{"log.Println", nil, "emit an event; internal/event renders it with slog"},
}

// ForbiddenCalls finds such calls in the product.
func ForbiddenCalls(r *Repo) (problems []string) {
	eachFile(r, func(file string, f *ast.File, line func(ast.Node) int) {
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := calleeName(c)
			for _, bad := range forbiddenCalls {
				if name == bad.name && !below(file, bad.except) && f.Name.Name != "main" {
					problems = append(problems, fmt.Sprintf("%s:%d: %s; %s", file, line(c), name, bad.instead))
				}
			}
			return true
		})
	})
	return problems
}

// pure are the packages of logic: they take an event and return effects, so that one seed replays a run.
var pure = []string{
	"internal/catalog", "internal/checkpoint", "internal/chunk", "internal/epoch", "internal/expr/agg", "internal/fragment", "internal/job",
	"internal/keyenc", "internal/plan", "internal/sched", "internal/sql", "internal/state", "internal/stream", "internal/vnode",
}

// Purity finds goroutines, clocks and random sources in packages of logic.
func Purity(r *Repo) (problems []string) {
	eachFile(r, func(file string, f *ast.File, line func(ast.Node) int) {
		if !below(file, pure) {
			return
		}
		add := func(n ast.Node, what, instead string) {
			problems = append(problems, fmt.Sprintf("%s:%d: %s in logic; %s", file, line(n), what, instead))
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				add(n, "a goroutine", "return the effect, a driver starts it")
			case *ast.CallExpr:
				switch name := calleeName(n); {
				case name == "time.Now", name == "time.Since", name == "time.After":
					add(n, name, "take the time as a value")
				case strings.HasPrefix(name, "rand."):
					add(n, name, "take the number as a value")
				}
			}
			return true
		})
	})
	return problems
}

func eachFile(r *Repo, visit func(file string, f *ast.File, line func(ast.Node) int)) {
	for _, file := range r.Go() {
		fset, f, err := r.Parse(file)
		if err != nil {
			continue // the compiler says it better
		}
		visit(file, f, func(n ast.Node) int { return fset.Position(n.Pos()).Line })
	}
}

// calleeName is the name of what is called, as it is written: "panic", "time.Sleep".
func calleeName(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
	}
	return ""
}

// below tells whether the file is in one of the folders or under it.
func below(file string, dirs []string) bool {
	for _, d := range dirs {
		if strings.HasPrefix(file, d+"/") {
			return true
		}
	}
	return false
}
