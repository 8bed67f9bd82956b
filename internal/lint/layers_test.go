package lint

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// repo opens the project itself.
func repo(t *testing.T) *Repo {
	t.Helper()
	r, err := Open(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tree makes a small project of file names and texts, in which a rule can be broken.
func tree(t *testing.T, files map[string]string) *Repo {
	t.Helper()
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	r, err := Open(m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// report fails the test with each problem, in a fixed order.
func report(t *testing.T, problems []string) {
	t.Helper()
	slices.Sort(problems)
	for _, p := range problems {
		t.Error(p)
	}
}

// wantProblems compares problems with the beginnings that are expected, without order.
func wantProblems(t *testing.T, got []string, want ...string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		ok = strings.HasPrefix(got[i], want[i])
	}
	if !ok {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestLayers(t *testing.T) {
	r := repo(t)
	report(t, Layers(r, r.Read("layers.txt")))
}

func TestLayersFindsEachFault(t *testing.T) {
	imports := func(pkg string) string { return "package x\nimport _ \"" + module + pkg + "\"\n" }
	r := tree(t, map[string]string{
		"go.mod":               "module " + module,
		"a/a.go":               "package a\nimport _ \"fmt\"\n",
		"b/b.go":               imports("/a"),
		"b/b_test.go":          imports("/c"),
		"c/c.go":               imports("/b"),
		"d/d.go":               imports(""),
		"new/new.go":           "package x",
		"other/go.mod":         "module other",
		"other/other.go":       imports("/c"),
		"b/testdata/bad/f.go":  imports("/c"),
		"root.go":              "package x",
		"likewise/likewise.go": "package x\nimport _ \"" + module + "-two/c\"\n",
	})
	got := Layers(r, "# comment\na : c\nb : a\nb : a\nc : a\nlater d : .\n. : \nnot there\ngone :\nlater soon : a\nlikewise :\n")
	wantProblems(t, got,
		"layers.txt:2: a may import c, which is not listed above it",
		"layers.txt:4: b is listed twice",
		"layers.txt:6: d may import .,",
		"layers.txt:8: want",
		"c/c.go imports b, which",
		"d exists; take the word",
		"gone is in layers.txt but",
		"new is not in layers.txt",
	)
}
