package errs

// EmptyArray is ARRAY[] whose type nothing tells.
var EmptyArray = register(Entry{
	Code: "TM-VAL-001", SQLState: "42P18", Class: User,
	Message:  "cannot determine type of empty array",
	Meaning:  "an array without elements has no type of its own",
	When:     "ARRAY[] stands where no type is asked for",
	Remedies: []string{"cast it to the type that is meant, as in `SELECT ARRAY[]::integer[];`"},
})

// UndefinedCollation is a COLLATE with a name that is not known.
var UndefinedCollation = register(Entry{
	Code: "TM-VAL-002", SQLState: "42704", Class: User,
	Message:  "collation \"{name}\" for encoding \"UTF8\" does not exist",
	Meaning:  "text is ordered by its bytes; there are no collations but those that mean this",
	When:     "COLLATE names another collation, or writes C without quotes",
	Remedies: []string{"use \"C\", \"POSIX\", \"ucs_basic\" or \"default\", as in `SELECT 'a' < 'B' COLLATE \"C\";`"},
})

// NoCollation is a COLLATE on a value that is not text.
var NoCollation = register(Entry{
	Code: "TM-VAL-003", SQLState: "42804", Class: User,
	Message:  "collations are not supported by type {type}",
	Meaning:  "only text has a collation",
	When:     "COLLATE follows a number, a boolean or the like",
	Remedies: []string{"cast the value to text first, as in `SELECT 12::text COLLATE \"C\";`"},
})
