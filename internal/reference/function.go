package reference

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
)

// line is a function or operator with all its overloads that do the same.
type line struct {
	name  string
	calls []string
	doc   string
}

// catalogFamily has the functions that PostgreSQL's tools call; readers seldom want them.
const catalogFamily = "Catalog"

// writeFunctions writes everything that the registries have, by family.
func writeFunctions(b *strings.Builder) {
	b.WriteString("## Functions and operators\n\nany is a type of the caller's choice; ... takes one argument or more.\n\n")
	families := map[string][]line{}
	var order []string
	for _, f := range expr.NewRegistry().Funcs() {
		if f.Kind == expr.KindCast {
			continue
		}
		if _, ok := families[f.Family]; !ok {
			order = append(order, f.Family)
		}
		families[f.Family] = add(families[f.Family], f.Name, callOf(f), f.Doc)
	}
	order = append(slices.DeleteFunc(order, func(s string) bool { return s == catalogFamily }), catalogFamily)
	for _, family := range order {
		writeLines(b, family, families[family])
	}
	var sets, aggregates []line
	for _, f := range expr.NewRegistry().SetFuncs() {
		sets = add(sets, f.Name, call(f.Signature), f.Doc)
	}
	for _, f := range agg.NewRegistry().Funcs() {
		aggregates = add(aggregates, f.Name, call(f.Signature()), f.Doc)
	}
	writeLines(b, "Functions that give rows", sets)
	writeLines(b, "Aggregates", aggregates)
}

// add puts an overload to those of the same name and description.
func add(lines []line, name, call, doc string) []line {
	i := slices.IndexFunc(lines, func(l line) bool { return l.name == name && l.doc == doc })
	if i < 0 {
		return append(lines, line{name, []string{call}, doc})
	}
	if !slices.Contains(lines[i].calls, call) {
		lines[i].calls = append(lines[i].calls, call)
	}
	return lines
}

// callOf is how an overload is written in SQL.
func callOf(f *expr.Func) string {
	switch args := typeNames(f.Signature); {
	case f.Kind == expr.KindOperator && len(args) == 1:
		return f.Name + " " + args[0]
	case f.Kind == expr.KindOperator:
		return args[0] + " " + f.Name + " " + args[1]
	case f.Kind == expr.KindSyntax:
		return strings.ToUpper(f.Name)
	}
	return call(f.Signature)
}

func call(s expr.Signature) string { return s.Name + "(" + strings.Join(typeNames(s), ", ") + ")" }

// typeNames spells the types of the arguments as the signature prints them.
func typeNames(s expr.Signature) []string {
	text := strings.TrimSuffix(strings.TrimPrefix(s.String(), s.Name+"("), ")")
	if text == "" {
		return nil
	}
	var out []string
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case r == '(' || r == '<':
			depth++
		case r == ')' || r == '>':
			depth--
		case r == ',' && depth == 0:
			out, start = append(out, strings.TrimSpace(text[start:i])), i+1
		}
	}
	return append(out, strings.TrimSpace(text[start:]))
}

func writeLines(b *strings.Builder, title string, lines []line) {
	b.WriteString("### " + title + "\n\n| call | meaning |\n|---|---|\n")
	for _, l := range lines {
		cells := make([]string, len(l.calls))
		for i, c := range l.calls {
			cells[i] = "`" + strings.ReplaceAll(c, "|", `\|`) + "`"
		}
		b.WriteString("| " + strings.Join(cells, "<br>") + " | " + strings.ReplaceAll(l.doc, "|", `\|`) + " |\n")
	}
	b.WriteString("\n")
}
