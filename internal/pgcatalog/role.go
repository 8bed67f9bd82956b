package pgcatalog

import "github.com/tidemark-db/tidemark/internal/catalog"

// roleFamily is users. Passwords are never shown, not even hashed.
var roleFamily = map[string]rows{
	"pg_catalog.pg_authid":                func(s *scan) { roleRows(s, "") },
	"pg_catalog.pg_roles":                 func(s *scan) { roleRows(s, "********") },
	"pg_catalog.pg_user":                  userRows,
	"pg_catalog.pg_shadow":                userRows,
	"rw_catalog.rw_users":                 rwUserRows,
	"information_schema.enabled_roles":    enabledRoleRows,
	"information_schema.applicable_roles": func(*scan) {}, // roles granted to others: there are none
}

// users are those of the catalog; the bootstrap user owns the system relations and is always there.
func (l *lookup) users() []catalog.User {
	users := l.info.Catalog.Users()
	for _, u := range users {
		if u.Name == bootstrapUser {
			return users
		}
	}
	return append([]catalog.User{{Name: bootstrapUser, Super: true, CreateDB: true}}, users...)
}

func roleRows(s *scan, password string) {
	for _, u := range s.users() {
		s.add(row{
			"oid": userOID(u.Name), "rolname": u.Name, "rolsuper": u.Super, "rolinherit": true, "rolcreaterole": u.Super || u.CreateUser,
			"rolcreatedb": u.CreateDB, "rolcanlogin": !u.NoLogin, "rolreplication": u.Super, "rolbypassrls": u.Super,
			"rolconnlimit": -1, "rolpassword": orNull(password),
		})
	}
}

func userRows(s *scan) {
	for _, u := range s.users() {
		s.add(row{"usename": u.Name, "usesysid": userOID(u.Name), "usecreatedb": u.CreateDB, "usesuper": u.Super,
			"userepl": u.Super, "usebypassrls": u.Super, "passwd": "********"})
	}
}

func rwUserRows(s *scan) {
	for _, u := range s.users() {
		s.add(row{"id": userOID(u.Name), "name": u.Name, "is_super": u.Super, "create_db": u.CreateDB, "create_user": u.Super || u.CreateUser,
			"can_login": !u.NoLogin, "is_admin": u.Super})
	}
}

func enabledRoleRows(s *scan) { s.add(row{"role_name": s.info.User}) }
