package errs

// ColumnNotMade: a generator of rows has no value for a column.
var ColumnNotMade = register(Entry{
	Code: "TM-GN-001", SQLState: "42P16", Class: User,
	Message:  "column \"{column}\" of type {type} is not one that the generator makes",
	Detail:   "{has}",
	Meaning:  "connector nexmark makes events with columns of certain names and types; the table or source may have any of them, and no others",
	When:     "CREATE SOURCE or CREATE TABLE WITH (connector = 'nexmark') declares another column, or one with another type",
	Remedies: []string{"name the columns as the detail lists them, for example `CREATE SOURCE bid (auction bigint, price bigint) WITH (connector = 'nexmark', nexmark.table.type = 'Bid');`"},
})
