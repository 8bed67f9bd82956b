package errs

// PathSyntax is a path that cannot be read.
var PathSyntax = register(Entry{
	Code: "TM-JP-001", SQLState: "42601", Class: User,
	Message:  "{problem}",
	Meaning:  "the text is not a path of SQL/JSON",
	When:     "a path is mistyped; keys with blanks or other signs need double quotes",
	Remedies: []string{"write it as in `SELECT jsonb_path_query('{\"a\": [1, 2]}', '$.a[*] ? (@ > 1)');`"},
})

// PathVariable is a variable of a path without a value.
var PathVariable = register(Entry{
	Code: "TM-JP-002", SQLState: "42704", Class: User,
	Message:  "could not find jsonpath variable \"{name}\"",
	Meaning:  "the path names a variable that the third argument does not give",
	When:     "the name is mistyped, or the path is used with an operator, which takes no variables",
	Remedies: []string{"give it a value: `SELECT jsonb_path_query('[1, 2]', '$[*] ? (@ > $least)', '{\"least\": 1}');`"},
})

// PathMember is a member that the strict mode does not find.
var PathMember = register(Entry{
	Code: "TM-JP-003", SQLState: "2203A", Class: User,
	Message:  "{problem}",
	Meaning:  "in the strict mode a path may only name what is there",
	When:     "the document has another structure than the path",
	Remedies: []string{"leave `strict` away, or ask whether the path is there: `SELECT jsonb_path_exists('{\"a\": 1}', 'strict $.b');`"},
})

// PathObject is a wildcard over what is no object.
var PathObject = register(Entry{
	Code: "TM-JP-004", SQLState: "2203C", Class: User,
	Message:  "jsonpath wildcard member accessor can only be applied to an object",
	Meaning:  "in the strict mode only an object has members",
	When:     "the document has another structure than the path",
	Remedies: []string{"leave `strict` away"},
})

// PathArray is an accessor of arrays on what is none.
var PathArray = register(Entry{
	Code: "TM-JP-005", SQLState: "22039", Class: User,
	Message:  "{what} can only be applied to an array",
	Meaning:  "in the strict mode only an array has elements",
	When:     "the document has another structure than the path",
	Remedies: []string{"leave `strict` away: then a value is an array of itself"},
})

// PathSubscript is a subscript that is no number, or outside of the array.
var PathSubscript = register(Entry{
	Code: "TM-JP-006", SQLState: "22033", Class: User,
	Message:  "{problem}",
	Meaning:  "a subscript of a path is one number, in the strict mode of an element that is there",
	When:     "an array is shorter than the path expects",
	Remedies: []string{"leave `strict` away, or count from the end with `last`"},
})

// PathSingle is a sequence where a path needs one item.
var PathSingle = register(Entry{
	Code: "TM-JP-007", SQLState: "22038", Class: User,
	Message:  "{problem}",
	Meaning:  "an operator of a path, or the function that evaluates it, takes one item of a kind",
	When:     "the path gives several items, none, or one of another kind",
	Remedies: []string{"select one item, as in `SELECT jsonb_path_match('[1, 2]', '$[0] == 1');`"},
})

// PathNumber is a sign before what is no number.
var PathNumber = register(Entry{
	Code: "TM-JP-008", SQLState: "2203B", Class: User,
	Message:  "{problem}",
	Meaning:  "only numbers have a sign",
	When:     "the document has another kind of value there",
	Remedies: []string{"filter by the kind: `SELECT jsonb_path_query('[1, \"a\"]', '-($[*] ? (@.type() == \"number\"))');`"},
})

// PathNonNumeric is a method of numbers on what is none.
var PathNonNumeric = register(Entry{
	Code: "TM-JP-009", SQLState: "22036", Class: User,
	Message:  "{problem}",
	Meaning:  "the method takes numbers only",
	When:     "the document has another kind of value there",
	Remedies: []string{"filter by the kind: `SELECT jsonb_path_query('[1, \"a\"]', '$[*] ? (@.type() == \"number\").abs()');`"},
})

// PathItems is a path that selects more items than memory should hold.
var PathItems = register(Entry{
	Code: "TM-JP-010", SQLState: "54000", Class: User,
	Message:  "jsonpath selects more than {limit} items",
	Meaning:  "the steps of the path multiply the items of the document; they are held in memory together",
	When:     "`.**` follows itself in a deep document",
	Remedies: []string{"one `.**` reaches every level: `SELECT jsonb_path_query('{\"a\": {\"b\": 1}}', '$.**.b');`"},
})
