package errs

// Entries of the functions over the system catalogs.

// InvalidName is text that is not the name of an object.
var InvalidName = register(Entry{
	Code: "TM-CAT-001", SQLState: "42602", Class: User,
	Message:  "invalid name syntax",
	Meaning:  "the text is not a name, or a schema's name, a full stop and a name",
	When:     "to_regclass, a cast to regclass or a has_..._privilege function reads the text",
	Remedies: []string{"put double quotes inside the string where the name has capitals or blanks: `SELECT to_regclass('public.\"Orders\"');`"},
})

// UndefinedFunctionName is a name that no function has.
var UndefinedFunctionName = register(Entry{
	Code: "TM-CAT-002", SQLState: "42883", Class: User,
	Message:  "function \"{name}\" does not exist",
	Meaning:  "no function has this name",
	When:     "text is cast to regproc",
	Remedies: []string{"`SELECT proname FROM pg_proc;` lists the functions; to_regproc gives NULL instead of this error"},
	Related:  []string{"TM-CAT-003"},
})

// AmbiguousFunctionName is a name that several functions have.
var AmbiguousFunctionName = register(Entry{
	Code: "TM-CAT-003", SQLState: "42725", Class: User,
	Message:  "more than one function named \"{name}\"",
	Meaning:  "the name alone does not tell which of the functions is meant",
	When:     "text is cast to regproc",
	Remedies: []string{"look for it by its arguments: `SELECT oid FROM pg_proc WHERE proname = 'length' AND pronargs = 1;`"},
	Related:  []string{"TM-CAT-002"},
})
