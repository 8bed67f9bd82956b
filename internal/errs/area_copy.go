package errs

var CopyAvailable = register(Entry{
	Code: "TM-CP-001", SQLState: "0A000", Class: User,
	Message:  "{problem}",
	Meaning:  "the option of COPY does not go with the format or the direction, or not with another option",
	When:     "QUOTE, ESCAPE or FORCE_QUOTE is given without FORMAT csv, or a character stands for two things",
	Remedies: []string{"`COPY t TO STDOUT WITH (FORMAT csv, QUOTE '\"');`"},
})

var CopyValue = register(Entry{
	Code: "TM-CP-002", SQLState: "22023", Class: User,
	Message:  "{problem}",
	Meaning:  "the option of COPY cannot have this value",
	When:     "FORMAT names no format, or a character that COPY needs itself is to be something else",
	Remedies: []string{"`COPY t FROM STDIN WITH (FORMAT csv, DELIMITER ';');`"},
})

var CopyOption = register(Entry{
	Code: "TM-CP-003", SQLState: "42601", Class: User,
	Message:  "{problem}",
	Meaning:  "COPY has no such option, or it was given twice or with a value of another kind",
	When:     "the options in parentheses are misspelt or repeated",
	Remedies: []string{"options are format, delimiter, null, header, quote, escape, force_quote, force_not_null, force_null and encoding: `COPY t TO STDOUT WITH (FORMAT csv, HEADER);`"},
})
