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

// LambdaExpected is a call of a function that takes a lambda without one.
var LambdaExpected = register(Entry{
	Code: "TM-VAL-004", SQLState: "42883", Class: User,
	Message:  "function {function} takes a lambda expression of the form {params} expression",
	Meaning:  "the function applies an expression to each element and needs names for what it is applied to",
	When:     "array_transform or map_filter is called with something else, or with another number of parameters",
	Remedies: []string{"name the element, as in `SELECT array_transform(ARRAY[1, 2], |x| x + 1);`"},
})

// StarMisplaced is * where a value is expected.
var StarMisplaced = register(Entry{
	Code: "TM-VAL-005", SQLState: "0A000", Class: User,
	Message:  "row expansion via \"*\" is not supported here",
	Meaning:  "a star stands for several columns and has no value of its own",
	When:     "* without a table is written inside of an expression",
	Remedies: []string{"name the table, whose row is then one value: `SELECT to_jsonb(t.*) FROM t;`"},
})

// IntervalTemplate is a pattern of to_char that an interval has no field for.
var IntervalTemplate = register(Entry{
	Code: "TM-VAL-006", SQLState: "22007", Class: User,
	Message:  "invalid format specification for an interval value",
	Meaning:  "intervals are not tied to specific calendar dates, so they have no names of months and days, no era and no zone",
	When:     "to_char prints an interval by a template for dates",
	Remedies: []string{"use the patterns of amounts, as in `SELECT to_char(interval '3 days 04:05', 'DD HH24:MI');`"},
})

// DuplicateCTE is a WITH that names two queries alike.
var DuplicateCTE = register(Entry{
	Code: "TM-VAL-007", SQLState: "42712", Class: User,
	Message:  "WITH query name \"{name}\" specified more than once",
	Meaning:  "each query of WITH needs a name of its own",
	When:     "two queries of one WITH have one name",
	Remedies: []string{"rename one of them, as in `WITH a AS (SELECT 1), b AS (SELECT 2) SELECT * FROM a, b;`"},
})

// AmbiguousTable is a qualifier that two relations of FROM have.
var AmbiguousTable = register(Entry{
	Code: "TM-VAL-008", SQLState: "42P09", Class: User,
	Message:  "table reference \"{name}\" is ambiguous",
	Meaning:  "FROM has relations of this name from two schemas",
	When:     "a column is qualified with the name alone",
	Remedies: []string{"give them aliases, as in `SELECT x.a FROM s.t AS x, u.t AS y;`"},
})

// DuplicateExcept is a column that EXCEPT (...) behind a star names twice.
var DuplicateExcept = register(Entry{
	Code: "TM-VAL-009", SQLState: "42701", Class: User,
	Message:  "column \"{name}\" is left out more than once",
	Meaning:  "the list behind the star names a column twice",
	When:     "SELECT * EXCEPT (...) repeats a column",
	Remedies: []string{"name each column once, as in `SELECT * EXCEPT (a) FROM t;`"},
})

// AsofCondition is an ASOF join whose condition does not tell which row is the nearest.
var AsofCondition = register(Entry{
	Code: "TM-VAL-010", SQLState: "0A000", Class: User,
	Message:  "ASOF JOIN needs at least one equality and exactly one inequality between its sides",
	Meaning:  "the equalities find the rows that belong together, the inequality says which of them is the nearest",
	When:     "the condition has none or several inequalities, or another condition",
	Remedies: []string{"write further conditions into WHERE: `SELECT * FROM t ASOF JOIN u ON t.a = u.a AND t.b >= u.v WHERE u.v > 0;`"},
})

// MapEntries is a map whose entries are not one value for each key.
var MapEntries = register(Entry{
	Code: "TM-VAL-011", SQLState: "22023", Class: User,
	Message:  "{problem}",
	Meaning:  "a map has one value for each key, and its keys are not NULL",
	When:     "a map is made of keys and values, of entries or of text",
	Remedies: []string{"give each key once, as in `SELECT MAP {'a': 1, 'b': NULL};`"},
})

// MapType is a map of types that it cannot have.
var MapType = register(Entry{
	Code: "TM-VAL-012", SQLState: "42804", Class: User,
	Message:  "{problem}",
	Meaning:  "keys of maps are text or integers; entries are structs of a key and a value",
	When:     "a map type is written or a map is made of other values",
	Remedies: []string{"cast the keys, as in `SELECT map_from_key_values(ARRAY[1.0::int], ARRAY['a']);`"},
})

// EmptyMap is MAP {} whose type nothing tells.
var EmptyMap = register(Entry{
	Code: "TM-VAL-013", SQLState: "42P18", Class: User,
	Message:  "cannot determine type of empty map",
	Meaning:  "a map without entries has no type of its own",
	When:     "MAP {} stands where no type is asked for",
	Remedies: []string{"cast it to the type that is meant, as in `SELECT MAP {}::map(int, int);`"},
})

// IntervalZone is a time zone given as an interval of more than hours, minutes and seconds.
var IntervalZone = register(Entry{
	Code: "TM-VAL-014", SQLState: "22023", Class: User,
	Message:  "interval time zone \"{zone}\" must not include months or days",
	Meaning:  "a zone is a time of less than a day away from UTC, and months and days have no fixed length",
	When:     "AT TIME ZONE is given an interval with days or months",
	Remedies: []string{"give hours and minutes, or the zone's name: `SELECT now() AT TIME ZONE interval '-05:30', now() AT TIME ZONE 'Asia/Kolkata';`"},
})
