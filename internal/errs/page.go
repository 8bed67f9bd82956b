package errs

import (
	"fmt"
	"sort"
	"strings"
)

// Page is the entry as a page of text: what `tidemark explain` and EXPLAIN ERROR print.
func Page(e *Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  SQLSTATE %s  (%s)\n\n  %s\n", e.Code, e.SQLState, e.Class, e.Message)
	if e.Detail != "" {
		fmt.Fprintf(&b, "  DETAIL: %s\n", e.Detail)
	}
	fmt.Fprintf(&b, "\nWhat it means: %s.\nWhen it happens: %s.\nWhat to do:\n", e.Meaning, e.When)
	for _, r := range e.Remedies {
		fmt.Fprintf(&b, "  - %s.\n", strings.TrimSuffix(r, "."))
	}
	for _, s := range e.Instead {
		fmt.Fprintf(&b, "  - %s: %s.\n", s.What, strings.TrimSuffix(s.Remedy, "."))
	}
	if len(e.Related) > 0 {
		fmt.Fprintf(&b, "See also: %s.\n", strings.Join(e.Related, ", "))
	}
	return b.String()
}

// classMeaning explains each class once, so that entries need not.
var classMeaning = []struct {
	class Class
	text  string
}{
	{User, "the statement or its data is at fault; nothing was changed"},
	{Retry, "the same request may succeed later"},
	{Corruption, "stored bytes are not what was written; only the job named stops"},
	{Limit, "a documented bound was reached; nothing was changed"},
	{Bug, "an invariant of Tidemark does not hold; please report it"},
}

// Markdown is docs/errors.md: the whole catalogue in the order of codes.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Errors\n\nGenerated from the catalogue; `make docs` writes it anew. Each error carries its code in the HINT; `tidemark explain CODE` and\n" +
		"`EXPLAIN ERROR 'CODE';` print the same page. Words in {braces} are filled in. Classes:\n\n")
	for _, c := range classMeaning {
		fmt.Fprintf(&b, "- **%s**: %s.\n", c.class, c.text)
	}
	b.WriteString("\n| code | SQLSTATE | message |\n|---|---|---|\n")
	entries := sorted()
	for _, e := range entries {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", e.Code, strings.ToLower(e.Code), e.SQLState, cell(e.Message))
	}
	for _, e := range entries {
		section(&b, e)
	}
	return b.String()
}

func sorted() []*Entry {
	out := append([]*Entry(nil), Entries()...)
	sort.Slice(out, func(i, j int) bool { return out[i].Code < out[j].Code })
	return out
}

func section(b *strings.Builder, e *Entry) {
	fmt.Fprintf(b, "\n## %s\n\nSQLSTATE `%s`, class %s.\n\n```\n%s\n", e.Code, e.SQLState, e.Class, e.Message)
	if e.Detail != "" {
		fmt.Fprintf(b, "DETAIL: %s\n", e.Detail)
	}
	fmt.Fprintf(b, "```\n\n**What it means.** %s.\n\n**When it happens.** %s.\n\n**What to do.**\n\n", capital(e.Meaning), capital(e.When))
	for _, r := range e.Remedies {
		fmt.Fprintf(b, "- %s.\n", capital(strings.TrimSuffix(r, ".")))
	}
	for _, s := range e.Instead {
		fmt.Fprintf(b, "- %s: %s.\n", capital(s.What), strings.TrimSuffix(s.Remedy, "."))
	}
	if len(e.Related) == 0 {
		return
	}
	links := make([]string, len(e.Related))
	for i, code := range e.Related {
		links[i] = fmt.Sprintf("[%s](#%s)", code, strings.ToLower(code))
	}
	fmt.Fprintf(b, "\nSee also %s.\n", strings.Join(links, ", "))
}

// cell makes a text fit a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

// capital begins a sentence; what begins with code, a quote or an option stays.
func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
