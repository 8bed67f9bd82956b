package lint

import (
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/golden"
)

func TestRatchet(t *testing.T) {
	r := repo(t)
	sizes, err := Sizes(r)
	if err != nil {
		t.Fatal(err)
	}
	if golden.Rewrite() {
		golden.File(t, "ratchet.txt", ratchetText(sizes))
	}
	// The list is read anew, because it may just have been written.
	report(t, Ratchet(sizes, repo(t).Read("internal/lint/ratchet.txt")))
}

func TestRatchetFindsEachFault(t *testing.T) {
	long := "package x\nfunc f() {" + strings.Repeat("\n", 60) + "}\n"
	r := tree(t, map[string]string{
		"a.go":      long + strings.Repeat("\n", 400),
		"b.go":      "package x\nfunc (b *box[T]) g() {" + strings.Repeat("\n", 70) + "}\n",
		"c.go":      "package x\nfunc f() {" + strings.Repeat("\n", 59) + "}\n",
		"d_test.go": long,
	})
	sizes, err := Sizes(r)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ratchetText(sizes), ratchetHead+"462 file a.go\n61 func a.go f\n71 func b.go box.g\n"; got != want {
		t.Errorf("got %s", got)
	}
	wantProblems(t, Ratchet(sizes, "# x\n460 file a.go\n61 func a.go f\n61 func gone.go f\n"),
		"file a.go has grown from 460 to 462", "func b.go box.g has grown to 71", "func gone.go f is small now")
}
