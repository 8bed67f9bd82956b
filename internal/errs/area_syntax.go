package errs

// Syntax is text that no statement's grammar accepts at one token.
var Syntax = register(Entry{
	Code: "TM-SYN-001", SQLState: "42601", Class: User,
	Message:  "syntax error at or near \"{token}\"",
	Meaning:  "the statement stops making sense at the named token; the position points to it",
	When:     "a word is misspelt or misplaced, a comma or parenthesis is missing, or a reserved word is used as a name",
	Remedies: []string{"look just before the position; a reserved word as a name needs double quotes, as in `SELECT \"order\" FROM t;`"},
	Related:  []string{"TM-SYN-002"},
})

// SyntaxAtEnd is text that ends too early.
var SyntaxAtEnd = register(Entry{
	Code: "TM-SYN-002", SQLState: "42601", Class: User,
	Message:  "syntax error at end of input",
	Meaning:  "the text ends in the middle of a statement",
	When:     "a closing parenthesis, an operand or a clause is missing, or a client cut the statement",
	Remedies: []string{"complete the statement, as in `SELECT 1;`"},
	Related:  []string{"TM-SYN-001"},
})

// Lexical is text that is not even a token.
var Lexical = register(Entry{
	Code: "TM-SYN-003", SQLState: "42601", Class: User,
	Message:  "{problem} at or near \"{token}\"",
	Meaning:  "the text at the position can not be read as a word, number, string or comment",
	When:     "a quote, comment or dollar quote is not closed, or a number is followed directly by letters",
	Remedies: []string{"close the quote or comment; a quote inside a string is doubled, as in `SELECT 'it''s';`"},
	Related:  []string{"TM-SYN-001"},
})

// InvalidEscape is a backslash or Unicode escape that PostgreSQL does not know.
var InvalidEscape = register(Entry{
	Code: "TM-SYN-004", SQLState: "22025", Class: User,
	Message:  "invalid Unicode escape",
	Meaning:  "an escape in a string or identifier has too few or wrong hexadecimal digits",
	When:     "E'\\u12' or a U& string without four, six or eight digits",
	Remedies: []string{"write four digits after \\u and eight after \\U, as in `SELECT E'\\u00e9';`"},
	Related:  []string{"TM-SYN-003"},
})

// InvalidBytes is text that is not UTF-8.
var InvalidBytes = register(Entry{
	Code: "TM-SYN-005", SQLState: "22021", Class: User,
	Message:  "invalid byte sequence for encoding \"UTF8\": {bytes}",
	Meaning:  "the bytes of the statement, or those that its escapes spell, are not UTF-8 text, or hold a zero byte",
	When:     "a client sends text in another encoding, or an E'' string spells single bytes",
	Remedies: []string{"send UTF-8; keep bytes in bytea, as in `SELECT '\\xff'::bytea;`"},
})

// TooComplex is a statement nested deeper than the parser goes.
var TooComplex = register(Entry{
	Code: "TM-SYN-006", SQLState: "54001", Class: Limit,
	Message:  "statement too complex",
	Detail:   "the statement nests more than {limit} levels deep",
	Meaning:  "parentheses, operators or subqueries nest so deep that the statement would exhaust the stack",
	When:     "generated SQL chains thousands of operators or parentheses; chains of AND and OR do not count",
	Remedies: []string{"put the values into a table or a list, as in `SELECT * FROM t WHERE a IN (1, 2, 3);`"},
})

// IdentifierTruncated is the notice for a name longer than PostgreSQL keeps.
var IdentifierTruncated = register(Entry{
	Code: "TM-SYN-007", SQLState: "42622", Class: User,
	Message:  "identifier \"{name}\" will be truncated to \"{cut}\"",
	Meaning:  "names are kept to 63 bytes, as in PostgreSQL; the rest is cut off",
	When:     "a statement has an identifier longer than 63 bytes; this is a notice, the statement runs",
	Remedies: []string{"choose a shorter name; a column is renamed by `ALTER TABLE t RENAME COLUMN a TO b;`"},
})

// ManyStatements is more than one statement where one is wanted.
var ManyStatements = register(Entry{
	Code: "TM-SYN-008", SQLState: "42601", Class: User,
	Message:  "cannot insert multiple commands into a prepared statement",
	Meaning:  "the extended protocol and stored definitions take one statement at a time",
	When:     "a client prepares text that holds several statements separated by semicolons",
	Remedies: []string{"send the statements one by one, or with the simple protocol: `SELECT 1; SELECT 2;`"},
})

// Misplaced is a construct that the grammar accepts but that means nothing where it stands.
var Misplaced = register(Entry{
	Code: "TM-SYN-009", SQLState: "42601", Class: User,
	Message:  "{problem}",
	Meaning:  "the words are right, but together they have no meaning",
	When:     "clauses are repeated or contradict each other, or a construct has too few or too many parts",
	Remedies: []string{"remove or complete the construct at the position; the grammar is in docs/sql.md"},
	Related:  []string{"TM-SYN-001"},
})

// WindowFrame is a frame whose end lies before its start.
var WindowFrame = register(Entry{
	Code: "TM-SYN-010", SQLState: "42P20", Class: User,
	Message:  "{problem}",
	Meaning:  "the frame of a window function would end before it starts",
	When:     "the bounds of BETWEEN are in the wrong order",
	Remedies: []string{"put the earlier bound first: `SELECT sum(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM t;`"},
})

// FloatPrecision is FLOAT(p) out of its range.
var FloatPrecision = register(Entry{
	Code: "TM-SYN-011", SQLState: "22023", Class: User,
	Message:  "{problem}",
	Meaning:  "FLOAT(p) takes the number of bits of precision: 1 to 24 are real, 25 to 53 are double precision",
	When:     "a column or cast names a precision outside of 1 to 53",
	Remedies: []string{"use double precision, or numeric for more digits: `SELECT 1.5::numeric(60, 2);`"},
})
