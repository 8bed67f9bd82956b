package pgcatalog

import (
	"fmt"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/types"
)

// definitions is the functions that print how an object was made. An object that is not there gives NULL.
var definitions = map[string]answer{
	"pg_get_viewdef":                     viewDefinition,
	"pg_get_indexdef":                    indexDefinition,
	"pg_get_constraintdef":               constraintDefinition,
	"pg_get_expr":                        func(_ *lookup, args types.Row) (any, error) { return args[0], nil },
	"pg_get_functiondef":                 functionDefinition,
	"pg_get_function_result":             ofFunction(functionResult, func(f *catalog.Function) string { return types.SQLName(f.Returns) }),
	"pg_get_function_arguments":          ofFunction(functionArguments, func(f *catalog.Function) string { return madeArguments(f, false) }),
	"pg_get_function_identity_arguments": ofFunction(functionArguments, func(f *catalog.Function) string { return madeArguments(f, true) }),
	"pg_get_ruledef":                     ruleDefinition,
	"pg_get_function_sqlbody":            null,
	"pg_get_partkeydef":                  null,
	"pg_get_serial_sequence":             null,
	"pg_get_statisticsobjdef_columns":    null,
	"pg_get_statisticsobjdef":            null,
	"pg_get_triggerdef":                  null,
}

// null answers the functions about objects that do not exist here.
func null(*lookup, types.Row) (any, error) { return nil, nil }

// foldSpaces writes a type's name in lower case with single blanks.
func foldSpaces(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// viewDefinition takes an oid, or the view's name as text.
func viewDefinition(l *lookup, args types.Row) (any, error) {
	rel, ok := l.relation(int(args[0].Int()))
	if ok && (rel.Kind == catalog.KindView || rel.Kind == catalog.KindMaterializedView) {
		return viewQuery(rel), nil
	}
	return nil, nil
}

// indexDefinition prints the statement, or with a column's number that column.
func indexDefinition(l *lookup, args types.Row) (any, error) {
	o := l.byOID[int(args[0].Int())]
	if o == nil || o.on == nil {
		return nil, nil
	}
	if len(args) < 2 || args[1].Int() == 0 {
		return o.indexDefinition(), nil
	}
	positions, of := o.columns()
	if at := int(args[1].Int()); at >= 1 && at <= len(positions) {
		return quoteIdent(of.Columns[positions[at-1]].Name), nil
	}
	return "", nil
}

func constraintDefinition(l *lookup, args types.Row) (any, error) {
	o := l.byOID[int(args[0].Int())-primaryKey+primaryKeyIndex]
	if o == nil || !o.primary {
		return nil, nil
	}
	return "PRIMARY KEY (" + o.on.names(o.keys) + ")", nil
}

func ruleDefinition(l *lookup, args types.Row) (any, error) {
	rel, ok := l.relation(int(args[0].Int()) - ruleRange)
	if !ok || viewQuery(rel) == "" {
		return nil, nil
	}
	return fmt.Sprintf(`CREATE RULE "_RETURN" AS ON SELECT TO %s.%s DO INSTEAD%s`, quoteIdent(rel.Schema), quoteIdent(rel.Name),
		viewQuery(rel)), nil
}

// ofFunction answers from a function's signature.
func ofFunction(print func(FunctionInfo) string, printMade func(*catalog.Function) string) answer {
	return func(l *lookup, args types.Row) (any, error) {
		if f := l.madeFunction(int(args[0].Int())); f != nil {
			return printMade(f), nil
		}
		if f, ok := l.function(int(args[0].Int())); ok {
			return print(f), nil
		}
		return nil, nil
	}
}

func functionDefinition(l *lookup, args types.Row) (any, error) {
	if f := l.madeFunction(int(args[0].Int())); f != nil {
		return f.Definition + "\n", nil
	}
	f, ok := l.function(int(args[0].Int()))
	if !ok {
		return nil, nil
	}
	return fmt.Sprintf("CREATE OR REPLACE FUNCTION pg_catalog.%s(%s)\n RETURNS %s\n LANGUAGE internal\nAS $function$%s$function$\n",
		quoteIdent(f.Name), functionArguments(f), functionResult(f), f.Name), nil
}
