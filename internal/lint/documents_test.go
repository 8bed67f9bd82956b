package lint

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

func TestArchitecture(t *testing.T) {
	r := repo(t)
	report(t, Architecture(r, r.Read("ARCHITECTURE.md"), r.Read("layers.txt")))
}

func TestDesigns(t *testing.T)   { report(t, Designs(repo(t))) }
func TestChangelog(t *testing.T) { report(t, Changelog(repo(t).Read("CHANGELOG.md"))) }

func TestDocumentsFindEachFault(t *testing.T) {
	r := tree(t, map[string]string{
		"a.go": "package a", "internal/b/b.go": "package b" + strings.Repeat("\n", 1001), "internal/c/c.go": "package c" + strings.Repeat("\n", 1001),
		"internal/c/DESIGN.md": "x",
	})
	text := "| package | one sentence |\n|---|---|\n| `tidemark` | the embeddable API of all |\n| `c`, `gone` | two words |\n| `soon` | is to come later |\n"
	wantProblems(t, Architecture(r, text, "later internal/soon :\n"),
		"ARCHITECTURE.md does not name internal/b; add a row | `b`", "ARCHITECTURE.md names gone", "ARCHITECTURE.md:4: want a sentence")
	wantProblems(t, Designs(r), "internal/b has 1001 lines")
	wantProblems(t, Changelog("# Changelog\n\n## Unreleased\n\n- No heading.\n\n### Added\n\n- A thing,\n  on two lines.\n- No stop\n\n### Wrong\n\n## v1 - today\n"),
		"CHANGELOG.md:5: an entry stands", "CHANGELOG.md:11: an entry is a sentence", "CHANGELOG.md:13: want one of", "CHANGELOG.md:15: want \"## Unreleased\" first")
	wantProblems(t, Changelog("# Changelog\n"), "CHANGELOG.md:1: want a section")
}

// sqlInText finds what the catalogue marks as SQL: text in back quotes that ends with a semicolon.
var sqlInText = regexp.MustCompile("`([^`]*;)`")

func TestRemediesParse(t *testing.T) {
	found := 0
	for _, e := range errs.Entries() {
		for _, text := range append([]string{e.Meaning, e.When}, e.Remedies...) {
			for _, m := range sqlInText.FindAllStringSubmatch(text, -1) {
				found++
				if _, err := parser.ParseAll(m[1], parser.Options{}); err != nil {
					t.Errorf("%s: %s: %v", e.Code, m[1], err)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no SQL found in any remedy")
	}
}
