package pgcatalog

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// privileges is the has_..._privilege functions: of the session's user, or of one who is named first. What nobody grants
// here, such as types, is everybody's.
var privileges = map[string]answer{
	"has_table_privilege":      onRelation(1, tableRights),
	"has_any_column_privilege": onRelation(1, columnRights),
	"has_column_privilege":     onRelation(2, columnRights),
	"has_sequence_privilege":   always,
	"has_schema_privilege":     onSchema,
	"has_database_privilege":   onDatabase,
	"has_function_privilege":   always,
	"has_type_privilege":       always,
	"has_language_privilege":   always,
	"has_tablespace_privilege": always,
	"pg_has_role":              always,
}

// The privileges that a function knows.
const (
	tableRights    = " SELECT INSERT UPDATE DELETE TRUNCATE REFERENCES TRIGGER "
	columnRights   = " SELECT INSERT UPDATE REFERENCES "
	schemaRights   = " CREATE USAGE "
	databaseRights = " CREATE CONNECT TEMPORARY TEMP "
)

// asked is one privilege that a function is asked for.
type asked struct {
	privilege string
	option    bool
}

// askedFor reads a list of privileges; any of them will do.
func askedFor(text, known string) ([]asked, error) {
	var out []asked
	for _, part := range strings.Split(text, ",") {
		name, option := strings.CutSuffix(strings.ToUpper(strings.TrimSpace(part)), " WITH GRANT OPTION")
		if name == "" || strings.Contains(name, " ") || !strings.Contains(known, " "+name+" ") {
			return nil, errs.UnknownPrivilege.New("privilege", strings.TrimSpace(part))
		}
		if name == "TEMP" {
			name = "TEMPORARY"
		}
		out = append(out, asked{name, option})
	}
	return out, nil
}

// user is who is asked about: before the object and what follows it, or the session's user.
func (l *lookup) user(args types.Row, rest int) (string, error) {
	if len(args) == rest {
		return l.info.User, nil
	}
	who := args[0].Bytes()
	for _, u := range l.users() {
		if u.Name == who || who == "" && userOID(u.Name) == int(args[0].Int()) {
			return u.Name, nil
		}
	}
	if who == catalog.Public {
		return who, nil
	}
	return "", errs.UndefinedUser.New("name", who)
}

// has reports whether a user has any of the privileges on an object.
func (l *lookup) has(user, owner string, g catalog.Grants, text, known string) (any, error) {
	list, err := askedFor(text, known)
	if err != nil {
		return nil, err
	}
	for _, a := range list {
		if l.info.Catalog.May(user, owner, g, a.privilege, a.option) {
			return true, nil
		}
	}
	return false, nil
}

// onRelation answers for the relation that stands before the last arguments, by name or oid. A name that is none is an
// error, an oid that is none NULL.
func onRelation(last int, known string) answer {
	return func(l *lookup, args types.Row) (any, error) {
		user, err := l.user(args, last+1)
		if err != nil {
			return nil, err
		}
		object := args[len(args)-1-last]
		name, oid := object.Bytes(), int(object.Int())
		if name != "" {
			if oid, err = l.findRelation(name); err == nil && oid == 0 {
				err = errs.UndefinedTable.New("name", name)
			}
			if err != nil {
				return nil, err
			}
		}
		rel, ok := l.relation(oid)
		if o := l.byOID[oid]; o != nil {
			rel, ok = o.rel, true
		}
		if !ok {
			return nil, nil
		}
		g := rel.Grants
		if rel.Kind == catalog.KindSystem {
			g = catalog.Grants{{To: catalog.Public, Privilege: "SELECT"}}
		}
		return l.has(user, rel.Owner, g, args[len(args)-1].Bytes(), known)
	}
}

func onSchema(l *lookup, args types.Row) (any, error) {
	user, err := l.user(args, 2)
	if err != nil {
		return nil, err
	}
	object, text := args[len(args)-2], args[len(args)-1].Bytes()
	name := object.Bytes()
	for _, s := range l.schemas {
		if s.name != name && (name != "" || s.oid != int(object.Int())) {
			continue
		}
		return l.has(user, s.owner, s.grants, text, schemaRights)
	}
	if name == "" {
		return nil, nil
	}
	return nil, errs.UndefinedSchema.New("name", name)
}

// onDatabase answers for a database.
func onDatabase(l *lookup, args types.Row) (any, error) {
	user, err := l.user(args, 2)
	if err != nil {
		return nil, err
	}
	object, text := args[len(args)-2], args[len(args)-1].Bytes()
	name := object.Bytes()
	for _, d := range l.info.Catalog.Databases() {
		if d.Name == name || name == "" && int(d.ID) == int(object.Int()) {
			return l.has(user, d.Owner, d.Grants, text, databaseRights)
		}
	}
	if name == "" {
		return nil, nil
	}
	return nil, errs.UndefinedDatabase.New("name", name)
}
