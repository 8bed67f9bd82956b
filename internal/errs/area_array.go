package errs

// SubscriptedMismatch is an assignment to a part of an array of a value that has another type.
var SubscriptedMismatch = register(Entry{
	Code: "TM-SQL-210", SQLState: "42804", Class: User,
	Message:  "subscripted assignment to \"{column}\" requires type {want} but expression is of type {have}",
	Meaning:  "a value cannot become part of the array without an explicit cast",
	When:     "UPDATE gives an element, or a slice, a value of another type",
	Remedies: []string{"cast the value: `SELECT CAST('1' AS integer);`"},
})

// NotSubscriptable is an assignment to a part of what has no parts.
var NotSubscriptable = register(Entry{
	Code: "TM-SQL-211", SQLState: "42804", Class: User,
	Message:  "cannot subscript type {type} because it does not support subscripting",
	Meaning:  "only arrays have elements that can be assigned to",
	When:     "UPDATE assigns to a part of a column of another type, or the column has fewer dimensions than there are subscripts",
	Remedies: []string{"assign the whole column", "of a document, change a part by a function: `SELECT jsonb_set('{\"a\": 1}', '{a}', '2');`"},
})

// ElementDefault is DEFAULT for a part of a column.
var ElementDefault = register(Entry{
	Code: "TM-SQL-212", SQLState: "0A000", Class: User,
	Message:  "cannot set an array element to DEFAULT",
	Meaning:  "a column has a default, an element of it does not",
	When:     "UPDATE assigns DEFAULT to an element or a slice",
	Remedies: []string{"write the value, or NULL"},
})
