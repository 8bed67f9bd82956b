package errs

// LoginUser is a login of a user who does not exist.
var LoginUser = register(Entry{
	Code: "TM-LG-001", SQLState: "28000", Class: User,
	Message:  "role \"{user}\" does not exist",
	Meaning:  "the connection names a user that the catalog does not have",
	When:     "a client takes the name of the system's user because none was given, or the name is mistyped",
	Remedies: []string{"connect as root, with psql -U root, or create the user: `CREATE USER ann;`"},
	Related:  []string{"TM-LG-002", "TM-WIRE-003"},
})

// LoginDatabase is a login to a database that does not exist.
var LoginDatabase = register(Entry{
	Code: "TM-LG-002", SQLState: "3D000", Class: User,
	Message:  "database \"{database}\" does not exist",
	Meaning:  "a server has one database, and the connection names another",
	When:     "a client takes the user's name because no database was given, or the name is mistyped",
	Remedies: []string{"connect to dev: psql -d dev, or postgres://root@127.0.0.1:4566/dev"},
	Related:  []string{"TM-LG-001"},
})
