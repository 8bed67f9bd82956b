package settings

import (
	"strconv"
	"strings"
)

// Row is one line of SHOW ALL and pg_settings. Bounds and words are "" and nil where the type has none.
type Row struct {
	Name, Setting, Unit, Category, Doc string
	Context, Vartype, Source           string
	Min, Max                           string
	Words                              []string
	Boot, Reset                        string
	Shown                              string // as SHOW prints it, with its unit
	PendingRestart                     bool
}

// Rows lists every setting with the session's values, in the order of names.
func (s *Session) Rows() []Row {
	out := make([]Row, 0, len(s.server.reg.defs))
	for _, d := range s.server.reg.defs {
		v := s.get(d)
		r := Row{
			Name: d.Name, Setting: d.raw(v.text), Unit: d.rawUnit(), Category: d.Category, Doc: d.Doc,
			Context: d.Scope.context(), Vartype: d.Kind.vartype(), Source: v.from.String(), Words: d.Words,
			Boot: d.raw(d.Default), Reset: d.raw(s.base(d).text), Shown: v.text,
		}
		if d.bounded() {
			r.Min, r.Max = strconv.FormatInt(d.Min, 10), strconv.FormatInt(d.Max, 10)
		}
		out = append(out, r)
	}
	return out
}

// raw is a value as pg_settings has it: a number without its unit.
func (d *Def) raw(canonical string) string {
	switch d.Kind {
	case Duration, Size:
		return strconv.FormatInt(d.mustNumber(canonical), 10)
	}
	return canonical
}

func (d *Def) rawUnit() string {
	if d.Kind == Size {
		return "B"
	}
	return d.Unit
}

// Reported lists the settings whose values the client is told at the start and after each change (ParameterStatus).
func (s *Session) Reported() map[string]string {
	out := map[string]string{}
	for _, d := range s.server.reg.defs {
		if d.Report {
			out[d.Name] = s.get(d).text
		}
	}
	return out
}

// Markdown writes docs/configuration.md.
func Markdown(reg *Registry) string {
	var b strings.Builder
	b.WriteString(markdownHead)
	for _, group := range []struct {
		title string
		has   func(*Def) bool
	}{
		{"Server, read at the start", func(d *Def) bool { return d.Scope == ScopeStart }},
		{"Server, changed while it runs by `ALTER SYSTEM SET`", func(d *Def) bool { return d.Scope == ScopeServer }},
		{"Session", func(d *Def) bool {
			return d.Scope == ScopeSession && !d.Foreign && d.Category != categoryClient && d.Category != categoryIdle
		}},
		{"Session, from PostgreSQL", func(d *Def) bool { return d.Scope == ScopeSession && d.Category == categoryClient }},
		{"Read only", func(d *Def) bool { return d.Scope == ScopeFixed }},
	} {
		b.WriteString("\n## " + group.title + "\n\n| name | default | values | meaning |\n|---|---|---|---|\n")
		for _, d := range reg.All() {
			if group.has(d) {
				b.WriteString("| `" + d.Name + "` | " + code(d.Default) + " | " + d.values() + " | " + d.Doc + " |\n")
			}
		}
	}
	b.WriteString("\n## Accepted without effect\n\n" + markdownForeign)
	listNames(&b, reg, func(d *Def) bool { return d.Foreign })
	b.WriteString("\nPrograms written for PostgreSQL set these; the value is kept for SHOW.\n\n")
	listNames(&b, reg, func(d *Def) bool { return d.Category == categoryIdle })
	return b.String()
}

// listNames writes the names of settings in one paragraph.
func listNames(b *strings.Builder, reg *Registry, has func(*Def) bool) {
	var names []string
	for _, d := range reg.All() {
		if has(d) {
			names = append(names, "`"+d.Name+"`")
		}
	}
	b.WriteString(strings.Join(names, " ") + "\n")
}

const markdownHead = `# Configuration

Generated from the registry of settings; ` + "`make docs`" + ` writes it anew.

The value of a server's setting comes from the first of: a flag of ` + "`tidemark serve`" + ` (` + "`--checkpoint-interval 2s`" + `), the environment
(` + "`TIDEMARK_CHECKPOINT_INTERVAL=2s`" + `), the file named by ` + "`--config`" + ` or ` + "`TIDEMARK_CONFIG`" + ` (TOML, ` + "`checkpoint_interval = \"2s\"`" + `), the
default. Settings of a session may be given in the same places, and are then what each session starts from; ` + "`SET`" + `,
` + "`SET LOCAL`" + `, ` + "`RESET`" + ` and ` + "`SHOW`" + ` work as in PostgreSQL. Durations take us, ms, s, min, h, d; sizes B, kB, MB, GB, TB (powers of
1024); a number alone counts in the setting's unit. ` + "`SELECT * FROM pg_settings;`" + ` tells each value and where it came from.
`

const markdownForeign = "Scripts written for RisingWave set these; the value is kept for SHOW, and a NOTICE says that it does nothing. Other names that\n" +
	"begin with `rw_`, `streaming_`, `batch_`, `backfill_`, `source_` or `sink_` are accepted alike. Unknown names are an error (42704).\n\n"

func code(s string) string {
	if s == "" {
		return "(empty)"
	}
	return "`" + s + "`"
}

// values tells the values of a setting in words.
func (d *Def) values() string {
	switch d.Kind {
	case Enum:
		return strings.Join(d.Words, ", ")
	case Bool:
		return "on, off"
	case String:
		return "text"
	}
	if !d.bounded() {
		return d.Kind.String()
	}
	if d.Max == maxInt64 {
		return d.Kind.String() + ", " + d.format(d.Min) + " or more"
	}
	return d.Kind.String() + ", " + d.format(d.Min) + " to " + d.format(d.Max)
}
