package pgcatalog

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/types"
)

// madeFunctionRows are the rows of pg_proc for functions that users made, all of them in SQL.
func madeFunctionRows(s *scan) {
	for _, f := range s.info.Catalog.Functions() {
		args := mapped(f.Params, func(p catalog.Param) int { return int(types.OID(p.Type)) })
		s.add(row{
			"oid": int(f.ID), "proname": f.Name, "pronamespace": s.schemaOID(f.Schema), "proowner": userOID(f.Owner),
			"prolang": sqlLanguage, "procost": 100.0, "prokind": string(rune(Function)), "proisstrict": f.Strict, "provolatile": "v",
			"proparallel": "u", "pronargs": len(f.Params), "pronargdefaults": defaults(f), "prorettype": int(types.OID(f.Returns)),
			"proargtypes": args, "proargnames": argumentNames(f), "prosrc": f.Body, "proacl": acl(f.Owner, f.Grants, functionRights),
		})
	}
}

// functionRights is what can be granted on a function; EXECUTE is everybody's until it is taken away.
const functionRights = "EXECUTE"

func defaults(f *catalog.Function) int {
	n := 0
	for _, p := range f.Params {
		if p.Default != "" {
			n++
		}
	}
	return n
}

// argumentNames is NULL where no argument has a name.
func argumentNames(f *catalog.Function) any {
	names := mapped(f.Params, func(p catalog.Param) string { return p.Name })
	if strings.Join(names, "") == "" {
		return nil
	}
	return names
}

// madeFunction finds a function that a user made by its oid.
func (l *lookup) madeFunction(oid int) *catalog.Function {
	for _, f := range l.info.Catalog.Functions() {
		if int(f.ID) == oid {
			return f
		}
	}
	return nil
}

// madeArguments prints the arguments as CREATE FUNCTION has them; those that identify it have no defaults.
func madeArguments(f *catalog.Function, identity bool) string {
	return strings.Join(mapped(f.Params, func(p catalog.Param) string {
		text := types.SQLName(p.Type)
		if p.Name != "" {
			text = quoteIdent(p.Name) + " " + text
		}
		if p.Default != "" && !identity {
			text += " DEFAULT " + p.Default
		}
		return text
	}), ", ")
}
