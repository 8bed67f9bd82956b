package pgcatalog

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// registered is the text forms of regclass and its like, and the functions that find an object by name.
var registered = map[string]answer{
	"regclassin":      strictly(relationByName, errs.UndefinedTable),
	"to_regclass":     relationByName,
	"regclassout":     relationName,
	"regtypein":       typeByName,
	"to_regtype":      typeByNameOrNull,
	"regtypeout":      typeName,
	"regprocin":       functionByName,
	"to_regproc":      functionByNameOrNull,
	"regprocout":      functionName,
	"regnamespacein":  strictly(schemaByName, errs.UndefinedSchema),
	"to_regnamespace": schemaByName,
	"regnamespaceout": schemaName,
}

// noObject is the text of oid 0.
const noObject = "-"

// strictly turns NULL into the error that there is no such object.
func strictly(find answer, missing *errs.Entry) answer {
	return func(l *lookup, args types.Row) (any, error) {
		if oid, ok := number(args[0].Bytes()); ok {
			return oid, nil
		}
		v, err := find(l, args)
		if v == nil && err == nil {
			return nil, missing.New("name", args[0].Bytes())
		}
		return v, err
	}
}

// number reads an oid written in digits or as "-".
func number(text string) (int, bool) {
	if text == noObject {
		return 0, true
	}
	v, err := strconv.ParseUint(text, 10, 32)
	return int(v), err == nil
}

// written is the text of an oid that has no name.
func written(oid int64) string {
	if oid == 0 {
		return noObject
	}
	return strconv.FormatInt(oid, 10)
}

func relationByName(l *lookup, args types.Row) (any, error) {
	oid, err := l.findRelation(args[0].Bytes())
	if oid == 0 || err != nil {
		return nil, err
	}
	return oid, nil
}

// relationName is qualified unless the bare name finds the relation.
func relationName(l *lookup, args types.Row) (any, error) {
	oid := int(args[0].Int())
	if o := l.byOID[oid]; o != nil {
		if l.visible(o) {
			return quoteIdent(o.name), nil
		}
		return quoteIdent(o.schema) + "." + quoteIdent(o.name), nil
	}
	if rel, ok := l.relation(oid); ok {
		return quoteIdent(rel.Schema) + "." + quoteIdent(rel.Name), nil
	}
	return written(args[0].Int()), nil
}

func typeByName(_ *lookup, args types.Row) (any, error) {
	if oid, ok := number(args[0].Bytes()); ok {
		return oid, nil
	}
	parts, err := parseName(args[0].Bytes())
	if err == nil && len(parts) == 2 && parts[0] == "pg_catalog" {
		return lookupType(parts[1])
	}
	return lookupType(args[0].Bytes())
}

func lookupType(name string) (any, error) {
	t, err := types.Lookup(foldSpaces(name))
	if err != nil {
		return nil, err
	}
	return int(types.OID(t)), nil
}

func typeByNameOrNull(l *lookup, args types.Row) (any, error) {
	v, err := typeByName(l, args)
	if err != nil {
		return nil, nil // a name that is none gives NULL, as in PostgreSQL 15 only syntax errors are raised
	}
	return v, nil
}

func typeName(_ *lookup, args types.Row) (any, error) {
	oid := args[0].Int()
	if t, ok := types.FromOID(uint32(oid)); ok && oid != 0 {
		return types.BaseName(t), nil
	}
	switch oid {
	case anyElementOID:
		return "anyelement", nil
	case anyArrayOID:
		return "anyarray", nil
	}
	return written(oid), nil
}

func functionByName(l *lookup, args types.Row) (any, error) {
	if oid, ok := number(args[0].Bytes()); ok {
		return oid, nil
	}
	found, err := l.findFunctions(args[0].Bytes())
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, errs.UndefinedFunctionName.New("name", args[0].Bytes())
	case len(found) > 1:
		return nil, errs.AmbiguousFunctionName.New("name", args[0].Bytes())
	}
	return found[0], nil
}

func functionByNameOrNull(l *lookup, args types.Row) (any, error) {
	found, err := l.findFunctions(args[0].Bytes())
	if err != nil || len(found) != 1 {
		return nil, err
	}
	return found[0], nil
}

// functionName is qualified where overloads make the bare name ambiguous.
func functionName(l *lookup, args types.Row) (any, error) {
	oid := int(args[0].Int())
	if io, ok := typeFunctions[oid]; ok {
		return io, nil
	}
	if f, ok := l.function(oid); ok {
		if found, err := l.findFunctions(quoteIdent(f.Name)); err == nil && len(found) > 1 {
			return "pg_catalog." + quoteIdent(f.Name), nil
		}
		return quoteIdent(f.Name), nil
	}
	return written(args[0].Int()), nil
}

func schemaByName(l *lookup, args types.Row) (any, error) {
	parts, err := parseName(args[0].Bytes())
	if err != nil {
		return nil, err
	}
	if oid := l.schemaOID(parts[0]); oid != 0 && len(parts) == 1 {
		return oid, nil
	}
	return nil, nil
}

func schemaName(l *lookup, args types.Row) (any, error) {
	for _, s := range l.schemas {
		if s.oid == int(args[0].Int()) {
			return quoteIdent(s.name), nil
		}
	}
	return written(args[0].Int()), nil
}
