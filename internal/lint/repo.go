// Package lint holds the repository to its rules: who imports whom, what is named where, how large a file may grow,
// which words do not appear. Its tests read the whole tree; each message names what to do instead.
//
//	problems := lint.Layers(lint.Open(os.DirFS("../..")), text)
package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"sort"
	"strings"
)

const module = "github.com/tidemark-db/tidemark"

// Repo is the tree under test.
type Repo struct {
	FS    fs.FS
	Files []string // every file, in order, outside of the folders that are skipped
}

// Open lists the tree: hidden folders, testdata and folders with a go.mod of their own are no part of it.
func Open(fsys fs.FS) (*Repo, error) {
	r := &Repo{FS: fsys}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			r.Files = append(r.Files, p)
			return nil
		}
		if p != "." && skipped(fsys, p) {
			return fs.SkipDir
		}
		return nil
	})
	return r, err
}

func skipped(fsys fs.FS, dir string) bool {
	base := path.Base(dir)
	if base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || dir == "bin" || dir == "dist" {
		return true
	}
	_, err := fs.Stat(fsys, dir+"/go.mod")
	return err == nil
}

// Go lists the Go files of the product, without tests.
func (r *Repo) Go() []string {
	var out []string
	for _, f := range r.Files {
		if strings.HasSuffix(f, ".go") && !strings.HasSuffix(f, "_test.go") {
			out = append(out, f)
		}
	}
	return out
}

// Packages lists the folders that hold such files; the module root is ".".
func (r *Repo) Packages() []string {
	seen := map[string]bool{}
	var out []string
	for _, f := range r.Go() {
		if dir := path.Dir(f); !seen[dir] {
			seen[dir] = true
			out = append(out, dir)
		}
	}
	sort.Strings(out)
	return out
}

// Read returns the text of a file, "" if there is none.
func (r *Repo) Read(name string) string {
	b, err := fs.ReadFile(r.FS, name)
	if err != nil {
		return ""
	}
	return string(b)
}

// Parse reads one Go file with its comments.
func (r *Repo) Parse(name string) (*token.FileSet, *ast.File, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, r.Read(name), parser.ParseComments|parser.SkipObjectResolution)
	return fset, f, err
}
