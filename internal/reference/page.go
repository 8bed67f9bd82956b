package reference

import (
	"slices"
	"strings"
)

const head = `# SQL

Generated from the registries of statements and functions; ` + "`make docs`" + ` writes it anew, and a test runs every example.

Tidemark follows PostgreSQL 15: its types, names, text forms, errors and precedence. RisingWave's statements are accepted beside
them. Names of columns and relations are folded to lower case unless they are quoted.

`

// Markdown is the page. Statements that are parsed but not supported stand in a section of their own.
func Markdown(supported func(Statement) bool) string {
	var b strings.Builder
	b.WriteString(head)
	var later []string
	for _, s := range Sections() {
		b.WriteString("## " + s.Title + "\n\n")
		for _, st := range s.Statements {
			if !supported(st) {
				later = append(later, st.Name)
				continue
			}
			writeStatement(&b, st)
		}
	}
	slices.Sort(later)
	b.WriteString("## Not supported yet\n\nThese are parsed, and refused with 0A000: " + strings.Join(later, ", ") + ".\n\n")
	writeFunctions(&b)
	return b.String()
}

func writeStatement(b *strings.Builder, st Statement) {
	b.WriteString("### " + st.Name + "\n\n```\n" + st.Forms + "\n```\n\n")
	if st.Doc != "" {
		b.WriteString(st.Doc + "\n\n")
	}
	if st.Example != "" {
		b.WriteString("```sql\n" + st.Example + "\n```\n\n")
	}
}
