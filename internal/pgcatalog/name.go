package pgcatalog

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// parseName reads a possibly qualified name as SQL does: unquoted parts are folded to lower case.
func parseName(text string) ([]string, error) {
	var parts []string
	for rest := strings.TrimSpace(text); ; {
		part, tail, ok := cutIdent(rest)
		if !ok {
			return nil, errs.InvalidName.New()
		}
		parts = append(parts, part)
		if tail = strings.TrimSpace(tail); tail == "" {
			return parts, nil
		}
		if tail[0] != '.' {
			return nil, errs.InvalidName.New()
		}
		rest = strings.TrimSpace(tail[1:])
	}
}

// cutIdent reads one identifier from the start of the text.
func cutIdent(s string) (ident, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, ". \t\n\"")
		if end < 0 {
			end = len(s)
		}
		return types.CutName(strings.ToLower(s[:end])), s[end:], end > 0
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != '"':
			b.WriteByte(s[i])
		case i+1 < len(s) && s[i+1] == '"':
			b.WriteByte('"')
			i++
		default:
			return types.CutName(b.String()), s[i+1:], b.Len() > 0
		}
	}
	return "", "", false
}

// findRelation finds the oid of a relation by its name in text; 0 when there is none. Sinks and subscriptions, which are
// not in pg_class, are found too.
func (l *lookup) findRelation(text string) (int, error) {
	parts, err := parseName(text)
	if err != nil {
		return 0, err
	}
	name, schemas := parts[len(parts)-1], l.path()
	switch {
	case len(parts) == 3 && parts[0] == l.info.Database, len(parts) == 2:
		schemas = parts[len(parts)-2 : len(parts)-1]
	case len(parts) > 1:
		return 0, nil
	}
	for _, schema := range schemas {
		if o := l.byName[schema+"."+name]; o != nil {
			return o.oid, nil
		}
		if rel, ok := l.info.Catalog.Find(schema, name); ok {
			return int(rel.ID), nil
		}
	}
	return 0, nil
}

// findFunctions finds the oids of the functions of a name in text.
func (l *lookup) findFunctions(text string) ([]int, error) {
	parts, err := parseName(text)
	if err != nil {
		return nil, err
	}
	name := parts[len(parts)-1]
	var out []int
	for _, f := range l.info.Catalog.Functions() {
		if f.Name == name && (len(parts) == 1 || parts[0] == f.Schema) {
			out = append(out, int(f.ID))
		}
	}
	if len(parts) > 1 && parts[0] != "pg_catalog" {
		return out, nil
	}
	for _, f := range l.info.Functions {
		if f.Name == name {
			out = append(out, functionOID(f))
		}
	}
	for oid, io := range typeFunctions {
		if io == name {
			out = append(out, oid)
		}
	}
	return out, nil
}

// typeFunctions are the functions that read and write types, by oid. They can not be called; tools compare with them.
var typeFunctions = func() map[int]string {
	out := map[int]string{}
	for _, f := range append([]typeFact{typeFacts(types.ArrayOf(types.Int4))}, typeTable...) {
		out[f.input], out[f.output], out[f.receive], out[f.send()] = f.io+"in", f.io+"out", f.io+"recv", f.io+"send"
	}
	return out
}()

// function finds a function by its oid.
func (l *lookup) function(oid int) (FunctionInfo, bool) {
	if oid < functionRange || oid >= ruleRange {
		return FunctionInfo{}, false
	}
	for _, f := range l.info.Functions {
		if functionOID(f) == oid {
			return f, true
		}
	}
	return FunctionInfo{}, false
}
