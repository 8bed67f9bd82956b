package errs

// UndefinedFunction is a function that no signature of the registry matches.
var UndefinedFunction = register(Entry{
	Code: "TM-EX-001", SQLState: "42883", Class: User,
	Message:  "function {signature} does not exist",
	Meaning:  "no function has this name and takes arguments of these types",
	When:     "a function's name is misspelt, or its arguments have other types than it takes",
	Remedies: []string{"No function matches the given name and argument types. You might need to add explicit type casts."},
	Related:  []string{"TM-EX-002", "TM-EX-003"},
})

// UndefinedOperator is an operator that is not defined for the types of its operands.
var UndefinedOperator = register(Entry{
	Code: "TM-EX-002", SQLState: "42883", Class: User,
	Message:  "operator does not exist: {signature}",
	Meaning:  "the operator is not defined for operands of these types",
	When:     "values of unlike types are compared or computed with, such as text with a number",
	Remedies: []string{"No operator matches the given name and argument types. You might need to add explicit type casts."},
	Related:  []string{"TM-EX-001", "TM-EX-004"},
})

// AmbiguousFunction is a call that several signatures match equally well.
var AmbiguousFunction = register(Entry{
	Code: "TM-EX-003", SQLState: "42725", Class: User,
	Message:  "function {signature} is not unique",
	Meaning:  "several functions of this name could take the arguments, none better than the others",
	When:     "an argument is a quoted literal or NULL without a type",
	Remedies: []string{"Could not choose a best candidate function. You might need to add explicit type casts."},
	Related:  []string{"TM-EX-001"},
})

// AmbiguousOperator is an operator that several signatures match equally well.
var AmbiguousOperator = register(Entry{
	Code: "TM-EX-004", SQLState: "42725", Class: User,
	Message:  "operator is not unique: {signature}",
	Meaning:  "several operators of this name could take the operands, none better than the others",
	When:     "both operands are quoted literals or NULL without a type",
	Remedies: []string{"Could not choose a best candidate operator. You might need to add explicit type casts."},
	Related:  []string{"TM-EX-002"},
})

// CannotCast is a cast that does not exist.
var CannotCast = register(Entry{
	Code: "TM-EX-005", SQLState: "42846", Class: User,
	Message:  "cannot cast type {from} to {to}",
	Meaning:  "there is no conversion between the two types",
	When:     "a cast, or an argument that would need one, joins types that have nothing in common",
	Remedies: []string{"go by way of text where that is meant, as in `SELECT '2024-01-01'::date::text::varchar;`"},
})

// TypesMismatch is a CASE, UNION, VALUES or ARRAY whose parts have no common type.
var TypesMismatch = register(Entry{
	Code: "TM-EX-006", SQLState: "42804", Class: User,
	Message:  "{context} types {left} and {right} cannot be matched",
	Meaning:  "the parts have types of which neither converts to the other by itself",
	When:     "the branches of CASE, COALESCE, UNION, VALUES or the elements of ARRAY differ in type",
	Remedies: []string{"cast the parts to one type, as in `SELECT CASE WHEN true THEN 1::text ELSE 'a' END;`"},
})

// InvalidArgument is an argument that a function refuses.
var InvalidArgument = register(Entry{
	Code: "TM-EX-007", SQLState: "22023", Class: User,
	Message:  "{problem}",
	Meaning:  "an argument has a value that the function does not take",
	When:     "a unit, format, encoding, key or count is none that the function knows",
	Remedies: []string{"see docs/sql.md for the values that the function takes"},
})

// InvalidRegexp is a regular expression that can not be read.
var InvalidRegexp = register(Entry{
	Code: "TM-EX-008", SQLState: "2201B", Class: User,
	Message:  "invalid regular expression: {problem}",
	Meaning:  "the pattern is not a regular expression, or uses back references or look-behind, which Tidemark does not have",
	When:     "a bracket or parenthesis is missing, or a quantifier follows nothing",
	Remedies: []string{"escape characters that are meant literally by a backslash, as in `SELECT '1+1' ~ '1\\+1';`"},
})

// InvalidLikeEscape is a LIKE pattern or escape that can not be read.
var InvalidLikeEscape = register(Entry{
	Code: "TM-EX-009", SQLState: "22025", Class: User,
	Message:  "{problem}",
	Meaning:  "the pattern ends in its escape character, or the escape is longer than one character",
	When:     "LIKE or SIMILAR TO is evaluated",
	Remedies: []string{"double the escape character, as in `SELECT 'a\\' LIKE 'a\\\\';`"},
})

// SubstringNegative is substring with a length below zero.
var SubstringNegative = register(Entry{
	Code: "TM-EX-010", SQLState: "22011", Class: User,
	Message:  "negative substring length not allowed",
	Meaning:  "the number of characters wanted is below zero",
	When:     "substring or overlay computes its bounds",
	Remedies: []string{"bound the length, as in `SELECT substr('abc', 1, greatest(-1, 0));`"},
})

// LogOfNonPositive is a logarithm of zero or less.
var LogOfNonPositive = register(Entry{
	Code: "TM-EX-011", SQLState: "2201E", Class: User,
	Message:  "cannot take logarithm of {what}",
	Meaning:  "logarithms exist for positive numbers only",
	When:     "ln or log meets zero or a negative number",
	Remedies: []string{"leave such rows out, as in `SELECT ln(nullif(greatest(-1, 0), 0));`"},
})

// InvalidPower is a power or root that has no real value.
var InvalidPower = register(Entry{
	Code: "TM-EX-012", SQLState: "2201F", Class: User,
	Message:  "{problem}",
	Meaning:  "the power or square root is not a real number",
	When:     "a negative number is raised to a fraction, zero to a negative power, or a root taken of a negative number",
	Remedies: []string{"take the absolute value first, as in `SELECT sqrt(abs(-2));`"},
})

// ArraySubscript is an array function used outside of its bounds.
var ArraySubscript = register(Entry{
	Code: "TM-EX-013", SQLState: "2202E", Class: User,
	Message:  "{problem}",
	Meaning:  "the arrays or positions do not fit together",
	When:     "arrays of unlike shapes are joined, or a position lies outside of the array",
	Remedies: []string{"check the lengths first, as in `SELECT cardinality(ARRAY[1, 2]);`"},
})

// NullNotAllowed is a NULL where a function does not take one.
var NullNotAllowed = register(Entry{
	Code: "TM-EX-014", SQLState: "22004", Class: User,
	Message:  "{problem}",
	Meaning:  "an argument that must have a value is NULL",
	When:     "a key of a JSON object, a format or an element count is NULL",
	Remedies: []string{"give a value in its place, as in `SELECT coalesce(NULL, 'none');`"},
})

// JSONType is a JSON value of another kind than the function takes.
var JSONType = register(Entry{
	Code: "TM-EX-015", SQLState: "22023", Class: User,
	Message:  "{problem}",
	Meaning:  "the JSON value is of another kind (object, array or scalar) than the function or cast takes",
	When:     "a path leads to something else than expected",
	Remedies: []string{"test the kind first, as in `SELECT jsonb_typeof('[1]'::jsonb);`"},
})

// DatetimeFormat is text that does not follow the template of to_timestamp or to_date.
var DatetimeFormat = register(Entry{
	Code: "TM-EX-016", SQLState: "22007", Class: User,
	Message:  "{problem}",
	Meaning:  "the text does not have what the template asks for at this place",
	When:     "to_timestamp or to_date reads text",
	Remedies: []string{"compare text and template, as in `SELECT to_date('2024-02-29', 'YYYY-MM-DD');`"},
})

// UnsupportedUnit is a field that a date or time does not have.
var UnsupportedUnit = register(Entry{
	Code: "TM-EX-017", SQLState: "0A000", Class: User,
	Message:  "unit \"{unit}\" not supported for type {type}",
	Meaning:  "the type has no such field",
	When:     "extract, date_part or date_trunc names it",
	Remedies: []string{"convert first, as in `SELECT extract(hour FROM timestamp '2024-01-01 10:00:00');`"},
	Related:  []string{"TM-EX-018"},
})

// UnknownUnit is a field that no date or time has.
var UnknownUnit = register(Entry{
	Code: "TM-EX-018", SQLState: "22023", Class: User,
	Message:  "unit \"{unit}\" not recognized for type {type}",
	Meaning:  "no unit of time has this name",
	When:     "extract, date_part or date_trunc names it",
	Remedies: []string{"use year, month, day, hour and the like, as in `SELECT date_trunc('hour', timestamp '2024-01-01 10:30:00');`"},
	Related:  []string{"TM-EX-017"},
})

// CharacterRange is a code or text that is no character.
var CharacterRange = register(Entry{
	Code: "TM-EX-019", SQLState: "54000", Class: User,
	Message:  "{problem}",
	Meaning:  "the result would be longer than a value may be, or no character has the code",
	When:     "chr, repeat or lpad is asked for too much",
	Remedies: []string{"bound the count, as in `SELECT repeat('a', least(1000000000, 1000));`"},
})

// FloatRange is a floating-point result beyond what the type holds.
var FloatRange = register(Entry{
	Code: "TM-EX-020", SQLState: "22003", Class: User,
	Message:  "value out of range: {direction}",
	Meaning:  "the result is too large, or too close to zero, for double precision",
	When:     "floating-point numbers are multiplied, divided or raised to a power",
	Remedies: []string{"compute with numeric, as in `SELECT 1e300::numeric * 1e300::numeric;`"},
})

// InputOutOfRange is an argument beyond where a function is defined.
var InputOutOfRange = register(Entry{
	Code: "TM-EX-021", SQLState: "22003", Class: User,
	Message:  "{problem}",
	Meaning:  "the function is not defined for the argument, or its result does not fit the type",
	When:     "acos, factorial, width_bucket and the like meet a value outside of their range",
	Remedies: []string{"bound the argument, as in `SELECT acos(least(greatest(1.5, -1), 1));`"},
})

// InvalidEncoding is bytes that are no text in the encoding.
var InvalidEncoding = register(Entry{
	Code: "TM-EX-022", SQLState: "22021", Class: User,
	Message:  "invalid byte sequence for encoding \"{encoding}\": {bytes}",
	Meaning:  "the bytes are not text in this encoding",
	When:     "convert_from or chr makes text",
	Remedies: []string{"keep the value as bytea, or encode it: `SELECT encode('\\xff'::bytea, 'hex');`"},
})

// UnknownExpression is a function of a stored plan that this build does not have.
var UnknownExpression = register(Entry{
	Code: "TM-EX-024", SQLState: "XX000", Class: Corruption,
	Message:  "stored plan uses function {id}, which this build does not have",
	Meaning:  "the plan was written by another version of Tidemark, or is damaged",
	When:     "a job or view is loaded",
	Remedies: []string{"start the version that wrote the data, or create the view again: `SHOW CREATE MATERIALIZED VIEW v;` prints its definition"},
})

// IndeterminatePolymorphic is a call whose result type can not be found.
var IndeterminatePolymorphic = register(Entry{
	Code: "TM-EX-025", SQLState: "42P18", Class: User,
	Message:  "could not determine polymorphic type because input has type unknown",
	Meaning:  "the result has the type of the arguments, and all of them are literals without a type",
	When:     "an array function is called with NULL or a quoted literal",
	Remedies: []string{"give the literal a type, as in `SELECT cardinality('{1,2}'::integer[]);`"},
})

// UnknownEncoding is a name that encode and decode do not know.
var UnknownEncoding = register(Entry{
	Code: "TM-EX-026", SQLState: "22023", Class: User,
	Message:  "unrecognized encoding: \"{name}\"",
	Meaning:  "the name is none of base64, hex and escape",
	When:     "encode or decode is called",
	Remedies: []string{"name one of them, as in `SELECT encode('\\x01'::bytea, 'hex');`"},
})

// CatalogFunction is a catalog function used where there is no catalog.
var CatalogFunction = register(Entry{
	Code: "TM-EX-027", SQLState: "0A000", Class: User,
	Message:  "function {name} is only available in queries",
	Meaning:  "the function reads the catalog, which a running view or an index does not follow",
	When:     "a view, index or generated column calls it",
	Remedies: []string{"call it in a query over the view instead"},
})

// WidthBucket is a histogram without width.
var WidthBucket = register(Entry{
	Code: "TM-EX-028", SQLState: "2201G", Class: User,
	Message:  "{problem}",
	Meaning:  "the bounds of the histogram or its number of buckets make no sense",
	When:     "width_bucket is called",
	Remedies: []string{"give distinct finite bounds and a positive count, as in `SELECT width_bucket(5, 0, 10, 4);`"},
})

// UnsupportedValue is a value that a function or cast has no result for.
var UnsupportedValue = register(Entry{
	Code: "TM-EX-029", SQLState: "0A000", Class: User,
	Message:  "{problem}",
	Meaning:  "the operation is defined, but not for this value",
	When:     "NaN or infinity is cast to an integer, or timestamps are binned by months",
	Remedies: []string{"leave such values out, as in `SELECT nullif('NaN'::numeric, 'NaN')::integer;`"},
})
