package pgcatalog

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
)

// privilegeFamily is who may do what with relations.
var privilegeFamily = map[string]rows{
	"information_schema.table_privileges":  tablePrivilegeRows,
	"information_schema.role_table_grants": tablePrivilegeRows,
}

func tablePrivilegeRows(s *scan) {
	for _, rel := range s.relations() {
		if _, ok := tableType(rel); !ok || rel.Kind == catalog.KindSystem {
			continue
		}
		var all catalog.Grants
		for _, p := range strings.Fields(tableRights) { // the owner has all of them
			all = append(all, catalog.Grant{To: rel.Owner, By: rel.Owner, Privilege: p, Option: true})
		}
		for _, g := range append(all, rel.Grants...) {
			to := g.To
			if to == catalog.Public {
				to = "PUBLIC"
			}
			s.add(row{"grantor": g.By, "grantee": to, "table_catalog": s.info.Database, "table_schema": rel.Schema, "table_name": rel.Name,
				"privilege_type": g.Privilege, "is_grantable": yesNo(g.Option), "with_hierarchy": yesNo(g.Privilege == "SELECT")})
		}
	}
}

// letters are PostgreSQL's letters for privileges, in the order in which it prints them.
var letters = []struct{ letter, privilege string }{
	{"a", "INSERT"}, {"r", "SELECT"}, {"w", "UPDATE"}, {"d", "DELETE"}, {"D", "TRUNCATE"}, {"x", "REFERENCES"}, {"t", "TRIGGER"},
	{"X", "EXECUTE"}, {"U", "USAGE"}, {"C", "CREATE"}, {"c", "CONNECT"}, {"T", "TEMPORARY"},
}

// acl is grants in PostgreSQL's form, the owner's own rights first; nil where there are those that every new object has.
func acl(owner string, g catalog.Grants, known string) any {
	if len(g) == 0 || known == databaseRights && slices.Equal(g, catalog.OpenToAll(owner)) {
		return nil
	}
	all := catalog.Grants{}
	for _, p := range strings.Fields(strings.ReplaceAll(known, " TEMP ", " ")) {
		all = append(all, catalog.Grant{To: owner, By: owner, Privilege: p})
	}
	all = append(all, g...)
	var out []string
	var done []catalog.Grant
	for _, x := range all {
		if slices.ContainsFunc(done, func(d catalog.Grant) bool { return d.To == x.To && d.By == x.By }) {
			continue
		}
		done = append(done, x)
		to := x.To
		if to == catalog.Public {
			to = ""
		}
		out = append(out, to+"="+lettersOf(all, x.To, x.By)+"/"+x.By)
	}
	return out
}

func lettersOf(g catalog.Grants, to, by string) string {
	out := ""
	for _, l := range letters {
		for _, x := range g {
			if x.To == to && x.By == by && x.Privilege == l.privilege {
				out += l.letter
				if x.Option {
					out += "*"
				}
				break
			}
		}
	}
	return out
}
