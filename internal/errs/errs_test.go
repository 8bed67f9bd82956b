package errs

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/golden"
)

var (
	codeForm  = regexp.MustCompile(`^TM-[A-Z]{2,4}-[0-9]{3}$`)
	stateForm = regexp.MustCompile(`^[0-9A-Z]{5}$`)
	fieldForm = regexp.MustCompile(`\{[^}]*\}`)
	quoted    = regexp.MustCompile("`[^`]*`")
	fieldName = regexp.MustCompile(`^\{[a-z][a-z_]*\}$`)
)

// faults lists what is wrong with one entry.
func faults(e *Entry) (out []string) {
	add := func(bad bool, what string) {
		if bad {
			out = append(out, e.Code+": "+what)
		}
	}
	add(!codeForm.MatchString(e.Code), "the code is not TM-AREA-nnn")
	add(!stateForm.MatchString(e.SQLState), "SQLSTATE "+e.SQLState+" has not five digits or capitals")
	add(e.Class < User || e.Class > Bug, "the class is missing")
	add(e.Message == "", "the message is empty")
	add(strings.HasSuffix(e.Message, "."), "the message ends with a full stop")
	add(e.Meaning == "" || e.When == "", "Meaning or When is empty")
	add(strings.HasSuffix(e.Meaning, ".") || strings.HasSuffix(e.When, "."), "Meaning and When have no full stop; the page adds it")
	add(len(e.Remedies) == 0, "there is no remedy")
	for _, r := range e.EveryRemedy() {
		add(len(strings.Fields(r)) < 2, "a remedy says nothing")
		add(strings.Count(r, "`")%2 != 0, "a back quote in a remedy is not closed")
		add(fieldForm.MatchString(quoted.ReplaceAllString(r, "")), "a remedy has a {field}, which nothing fills")
	}
	for _, f := range fieldForm.FindAllString(e.Message+e.Detail, -1) {
		add(!fieldName.MatchString(f), "field "+f+" is not a lower-case word")
	}
	for _, r := range e.Related {
		_, ok := Lookup(r)
		add(!ok, "related "+r+" does not exist")
	}
	return out
}

func TestEveryEntryIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Entries() {
		if seen[e.Code] {
			t.Errorf("%s is used twice", e.Code)
		}
		seen[e.Code] = true
		for _, f := range faults(e) {
			t.Error(f)
		}
	}
}

func TestIncompleteEntriesAreFound(t *testing.T) {
	bad := &Entry{Code: "TM-x-1", SQLState: "4260", Message: "It {Broke}.", Remedies: []string{"", "`open", "run {it} now"}, Related: []string{"TM-NO-999"}}
	if got := faults(bad); len(got) != 11 {
		t.Errorf("%d faults found:\n%s", len(got), strings.Join(got, "\n"))
	}
}

func TestBackfillSituationsAreCatalogued(t *testing.T) {
	for _, code := range []string{"TM-BF-001", "TM-BF-002", "TM-BF-003", "TM-BF-004", "TM-BF-005", "TM-BF-006", "TM-ST-001", "TM-ST-002", "TM-ST-003", "TM-MR-001"} {
		if _, ok := Lookup(strings.ToLower(code)); !ok {
			t.Errorf("%s is missing", code)
		}
	}
}

func TestErrorsKeepTheirEntryThroughWrapping(t *testing.T) {
	root := errors.New("disk")
	err := fmt.Errorf("scan t: %w", Internal.New("what", "x").At(3).Wrap(root))
	if !Is(err, Bug) || Is(err, User) || Code(err) != "TM-BUG-001" || !Of(err, Internal) || !errors.Is(err, root) {
		t.Errorf("%v lost its entry or cause", err)
	}
	if e, _ := As(err); e.Position != 3 || e.Error() != "internal error: x: disk" {
		t.Errorf("%+v", e)
	}
	if Code(root) != "" || Is(nil, Bug) {
		t.Error("an error without an entry has no code")
	}
}

func TestPage(t *testing.T) {
	e := &Entry{Code: "TM-X-001", SQLState: "55000", Class: User, Message: "m {a}", Detail: "d.", Meaning: "means", When: "happens", Remedies: []string{"do `SELECT 1;`"}, Related: []string{"TM-BUG-001"}}
	want := "TM-X-001  SQLSTATE 55000  (user)\n\n  m {a}\n  DETAIL: d.\n\nWhat it means: means.\nWhen it happens: happens.\nWhat to do:\n  - do `SELECT 1;`.\nSee also: TM-BUG-001.\n"
	if got := Page(e); got != want {
		t.Errorf("got %q", got)
	}
}

func TestErrorsPage(t *testing.T) { golden.File(t, "../../docs/errors.md", Markdown()) }
